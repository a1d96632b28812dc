import { afterAll, beforeAll, expect, test } from "vitest";
import { changeOf } from "../../src/core/change.ts";
import type { Notice } from "../../src/core/notice.ts";
import { draft } from "../../src/core/steps/draft.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { type Browser, browserOf } from "./forms.ts";
import { type Served, served } from "./served.ts";

// The gate stores messages as data. A page shows them in the reader's language, a program gets English.

const CHINESE = { "accept-language": "zh-CN" };
const ENGLISH = { "accept-language": "en" };

let on: Served;
let ana: Browser;

beforeAll(async () => {
  on = await served({ policy: "version: 1\npreset: standard\napprovals: { selfReview: true }\n" });
  ana = await browserOf(on, "ana");
});
afterAll(() => on.remove());

function asked(callId: string) {
  const { workspace } = on.deps;
  const args = { path: `data/${callId}.csv` };
  const call = { workspace, agent: "coder", tool: "delete_file", args, cwd: on.project, callId, traceId: "t" };
  return submit(on.deps, { ...call, chain: [], claims: {} });
}

/** The text of one paragraph or item of the page, without HTML. */
async function said(path: string, headers: Record<string, string>): Promise<string> {
  const { html } = await ana.look(path, headers);
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/&#39;|&#x27;/g, "'");
}

test("a refusal is in Chinese on a Chinese page, and in English to a program and on an English page", async () => {
  const missing = "/approvals/apr_019a8b3c4d5e";
  expect(await said(missing, CHINESE)).toContain("没有请求 apr_019a8b3c4d5e");
  expect(await said(missing, ENGLISH)).toContain("There is no approval apr_019a8b3c4d5e.");
  const { status, body } = await on.ask("GET", `/v1${missing}`, { cookie: ana.cookie, headers: CHINESE });
  expect([status, body]).toEqual([
    404,
    {
      error: {
        code: "LEEWAY_NOT_FOUND",
        message: "there is no approval apr_019a8b3c4d5e",
        hint: "it may belong to another workspace",
      },
    },
  ]);
});

test("the reason why an execution ended is stored as data, shown in the reader's language, and English text to programs", async () => {
  const { approvalId = "", digest } = await asked("withdrawn");
  await ana.answer(approvalId, { verdict: "approve", digest });
  await ana.press(`/approvals/${approvalId}/cancel`);
  const { workspace, store } = on.deps;
  const where = { kinds: ["execution.void"] as const };
  const [entry] = await store.read({ ask: "entries", workspace, where, limit: 1, order: "newest" });
  expect(entry?.body?.json["why"]).toEqual({ say: "reason.cancelled_by", with: { by: "ana" } });
  expect(await said("/activity", CHINESE)).toContain("由 ana 撤回");
  expect(await said("/activity", ENGLISH)).toContain("ana withdrew it");
  const { entries } = (await on.ask("GET", "/v1/ledger?kind=execution.void", { cookie: ana.cookie })).body;
  expect(entries[0].body.json.why).toBe("ana withdrew it");
});

test("a notice is stored as data, shown in the reader's language, and English text to programs", async () => {
  await browserOf(on, "ana");
  expect(await said("/", CHINESE)).toContain("ana 登录 方式：口令，浏览器：");
  expect(await said("/", ENGLISH)).toContain("ana signed in with a passphrase, in ");
  const { notices } = (await on.ask("GET", "/v1/notices", { cookie: ana.cookie, headers: CHINESE })).body;
  expect(notices.map(({ title }: { title: string }) => title)).toContain("ana signed in");
});

test("entries and notices of older versions, which contain English text, are shown unchanged in every language", async () => {
  const { workspace, store, mint, clock } = on.deps;
  const nowMs = clock.nowMs();
  const body = { why: "the lease ran out, as it was said before" };
  const entry = draft(mint, { kind: "execution.void", actor: "leeway", subject: { tool: "shell" }, body });
  const notice: Notice = {
    id: mint.next("ntc"),
    workspace,
    kind: "access",
    to: "ana",
    title: "ben did something before",
    text: "and it was said so",
    ref: "ben",
    channel: "inbox",
    createdMs: nowMs,
    attempts: 0,
    dueMs: nowMs,
    state: "waiting",
  };
  const change = changeOf(mint, { workspace, nowMs }, [{ entries: [entry], writes: [{ do: "notice", notice }] }]);
  expect((await store.commit(change)).ok).toBe(true);
  for (const language of [CHINESE, ENGLISH]) {
    expect(await said("/activity", language)).toContain("the lease ran out, as it was said before");
    expect(await said("/", language)).toContain("ben did something before and it was said so");
  }
});
