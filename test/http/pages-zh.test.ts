import { afterAll, beforeAll, expect, test } from "vitest";
import type { GrantCover } from "../../src/core/standing/grant.ts";
import { type Settling, settle } from "../../src/gate/calls/claim.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { addGrant } from "../../src/gate/standing/grants.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { approvalView } from "../../src/service/approvals.ts";
import { cardOf } from "../../src/service/views/cards.ts";
import { type Browser, browserOf } from "./forms.ts";
import { PASSPHRASE, type Served, served, turnedClock } from "./served.ts";

// A history with an example of everything, read by somebody who reads Chinese.

const POLICY = `version: 1
preset: standard
tools:
  refund: { class: payments.move, reversible: false }
  memo: { class: metadata.write }
tiers: { memo: notify }
rules:
  - { name: never-wipe, match: { command: "rm -rf *" }, tier: deny, because: 数据不可恢复 }
  - { name: two-eyes, match: { tool: wire }, tier: ask, quorum: 2, because: 双人复核 }
limits:
  - { name: reads, match: { class: fs.read }, max: 4, per: 1h, by: agent, then: ask }
approvals: { selfReview: true }
`;

const clock = turnedClock();
let on: Served;
let ana: Browser;
let ben: Browser;
let calls = 0;

beforeAll(async () => {
  on = await served({ policy: POLICY, clock });
  [ana, ben] = [chinese(await browserOf(on, "ana")), chinese(await browserOf(on, "ben"))];
  await lived();
});
afterAll(() => on.remove());

function chinese({ cookie, look, press, answer }: Browser): Browser {
  const language = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.5" };
  return {
    cookie,
    look: (path, headers = {}) => look(path, { ...language, ...headers }),
    press: (path, fields, from) => press(path, fields, from, language),
    answer: (id, given) => answer(id, given, language),
  };
}

function asked(tool: string, args: Record<string, string | number>, more: { agent?: string; callId?: string } = {}) {
  calls += 1;
  const { workspace } = on.deps;
  const call = { workspace, agent: "coder", tool, args, cwd: on.project, callId: `c${calls}`, traceId: "t", chain: [] };
  return submit(on.deps, { ...call, claims: {}, ...more });
}

const push = (branch: string) => asked("shell", { command: `git push ${branch}` });
/** By another agent: three denials have paused the first one's shell. */
const deploy = (branch: string) => asked("shell", { command: `git push ${branch}` }, { agent: "shipper" });
const answer = (who: Browser, { approvalId, digest }: { approvalId?: string; digest: string }, fields: object) =>
  who.answer(approvalId ?? "", { digest, verdict: "approve", ...fields });

const COVERS: readonly GrantCover[] = [
  { class: "fs.read", targets: [], level: "read" },
  { targets: [{ kind: "domain", pattern: "*.example.com" }], level: "write" },
  {
    class: "fs.write",
    tool: { name: "note" },
    targets: [{ kind: "path", path: "/srv", recursive: true }],
    level: "write",
  },
  { targets: [{ kind: "tool", tool: "note" }], level: "write" },
  { targets: [{ kind: "command", words: ["ls", "*"], cwd: "/srv" }], level: "read" },
];

async function ended(text: string, ending: Settling["ending"]): Promise<void> {
  const { executionId, attempt } = await asked("memo", { text });
  if (executionId === undefined || attempt === undefined) throw new Error("it did not run");
  await settle(on.deps, executionId, { attempt, by: "caller", ending });
}

/** An example of everything that a page can show. */
async function lived(): Promise<void> {
  await calledAndAnswered();
  await grantedAndMoved();
  await ana.press("/people", { name: "dora", role: "admin", groups: "ops" });
  await ana.press("/people/ben/passphrase", { passphrase: PASSPHRASE });
  ben = chinese(await browserOf(on, "ben"));
  await ana.press("/tokens", { of: "person", person: "ben", can: "approve" });
  await ben.press("/settings/pause", {});
  expect(english((await ana.look("/")).html)).toEqual([]);
  const { pauses } = (await on.ask("GET", "/v1/pauses", { cookie: ana.cookie })).body;
  const all = pauses.find(({ scope }: { scope: { of: string } }) => scope.of === "everything");
  expect((await ana.press(`/settings/pauses/${all.id}/lift`)).location).toBe("/settings?told=resumed");
  clock.advance(25 * 60 * 60 * 1000);
  await tick(on.deps);
  await asked("wire", { to: "x" });
  [ana, ben] = [chinese(await browserOf(on, "ana")), chinese(await browserOf(on, "ben"))];
}

async function calledAndAnswered(): Promise<void> {
  expect((await asked("shell", { command: "rm -rf build" })).outcome).toBe("denied");
  for (let at = 0; at < 6; at++) await asked("read_file", { path: `r${at}` }, { agent: "reader" });
  await ended("x", { ok: true, result: null });
  await ended("y", { ok: false, error: "断" });
  await asked("memo", { text: "unsettled" });
  await answer(ana, await push("denied"), { verdict: "deny", note: "不行" });
  for (let at = 0; at < 3; at++) await push("denied");
  await ana.press("/agents/reader/pause", { because: "停" });
  await asked("read_file", { path: "paused" }, { agent: "reader" });
  await answer(ana, await deploy("unused"), { verdict: "approve" });
  await deploy("expires");
}

async function grantedAndMoved(): Promise<void> {
  for (const [path, lasts] of [
    ["/srv/a/b.txt", "5x"],
    ["/srv/c/d.txt", "24h"],
  ] as const)
    await answer(ana, await asked("write_file", { path, text: "x" }), { verdict: "approve", remember: "1", lasts });
  const grant = /action="\/grants\/(grt_\w+)\/revoke"/.exec((await ana.look("/grants")).html)?.[1];
  await ana.press(`/grants/${grant}/revoke`);
  for (const covers of COVERS)
    await addGrant(on.deps, { subject: { agent: "coder" }, covers, because: "可", by: "ana", assurance: "tty" });
  await ana.press("/agents/coder/promote", { tier: "notify", class: "fs.write", because: "好", lasts: "7d" });
  await ana.press("/agents/coder/demote", { tier: "suggest", class: "git.write", because: "慢", lasts: "" });
}

const READ = /<(script|style|code|pre|textarea|kbd|title)\b[^>]*>.*?<\/\1>/gs;
const SHOWN = /(?:aria-label|data-(?:arrived|answered|gone|lost|label|remembering)|placeholder)="([^"]*)"/g;
/** Names of languages are in their own language, and protocols, products and tiers keep their names. */
const NAMES = /\b(Leeway|API|JSON|YAML|English|Prometheus|OpenTrustGraph|server-sent events|(apr|call|exe|grt|tok)_…)/g;

/** Four English words in a row that are neither code nor a name. */
function english(html: string): readonly string[] {
  const said = [...html.matchAll(SHOWN)].map(([, text = ""]) => text);
  const texts = html
    .replaceAll(READ, " ‖ ")
    .split(/<[^>]*>/)
    .concat(said)
    .map((text) => text.replaceAll(/&#?\w+;/g, "'").replaceAll(NAMES, "‖"));
  return texts.flatMap((text) => text.match(/[A-Za-z][A-Za-z'’-]*(?:[ ;:.()]+[A-Za-z][A-Za-z'’-]*){3,}/g) ?? []);
}

test("every sentence on every page is in Chinese, whatever happened before", async () => {
  const { html } = await ana.look("/activity");
  const places = Number(/href="\/activity\/(\d+)"/.exec(html)?.[1]);
  const entries = Array.from({ length: places }, (_, at) => `/activity/${at + 1}`);
  expect(english((await ana.look("/", { "accept-language": "en" })).html).length).toBeGreaterThan(10);
  const found: string[] = [];
  const listed = new Set<string>();
  for (const path of [
    "/",
    "/activity",
    "/agents",
    "/agents/coder",
    "/agents/reader",
    "/grants",
    "/policy",
    "/people",
    "/settings",
    "/docs",
    "/sign-in",
    ...entries,
  ]) {
    const page = await ana.look(path);
    expect([path, page.status, page.html.includes('lang="zh-CN"')]).toEqual([path, 200, true]);
    for (const [, link = ""] of page.html.matchAll(/href="(\/(?:calls|approvals)\/\w+)"/g)) listed.add(link);
    found.push(...english(page.html).map((text) => `${path}: ${text}`));
  }
  for (const path of listed) found.push(...english((await ana.look(path)).html).map((text) => `${path}: ${text}`));
  expect(listed.size).toBeGreaterThan(15);
  expect([...new Set(found)]).toEqual([]);
});

test("every refusal is in Chinese, with what to do about it", async () => {
  const waiting = await deploy("waiting");
  const { approvalId, digest } = waiting;
  const replies = [
    await ana.look("/nowhere"),
    await ana.look("/calls/call_nothing"),
    await ana.look("/activity?id=nonsense"),
    await ana.look("/activity?kind=nonsense"),
    await ana.look("/activity/99999"),
    await ana.look("/agents/nobody"),
    await ben.press("/people", { name: "eve" }),
    await ana.press("/people", { name: "a b" }),
    await ana.press("/people", { name: "ben" }),
    await ana.press("/people/nobody/passphrase", { passphrase: "x" }),
    await ana.press("/settings/passphrase", { passphrase: "one two three", again: "other" }),
    await ana.press("/settings/passphrase", { passphrase: "x", again: "x" }),
    await ana.press("/agents/coder/promote", { tier: "deny", because: "好" }),
    await ana.press("/agents/coder/demote", { tier: "ask", because: "" }),
    await ben.press("/agents/coder/demote", { tier: "ask", because: "慢" }),
    await ana.press("/agents/coder/owner", { owner: "nobody" }),
    await ana.press("/grants/grt_nothing/revoke"),
    await ana.press("/tokens", { of: "agent", agent: "ben" }),
    await ana.press("/tokens/tok_nothing/revoke"),
    await ana.press("/policy/accept", { path: "/nowhere", version: "x" }),
    await ana.press("/policy/try", { command: "ls", tool: "x" }),
    await ana.press("/policy/try", { tool: "x", args: "{" }),
    await ana.press("/executions/exe_nothing/reconcile", { ended: "well", note: "看" }),
    await ana.press("/notices/read", { id: "ntc_nothing" }),
    await answer(ana, { ...waiting, digest: "sha256:0" }, { verdict: "approve" }),
    await answer(ana, waiting, { verdict: "approve", remember: "9" }),
    await answer(ben, { ...waiting, digest: "sha256:0" }, { verdict: "deny" }),
    await ana.press(`/approvals/${approvalId}/edit`, { digest, args: "[]" }),
    await ana.press(`/approvals/${approvalId}/edit`, { digest, args: '{"command":"rm -rf x"}' }),
    await ana.press("/together/approve", { item: `${approvalId} sha256:0` }),
    await ana.press("/sign-in", { name: "ana", passphrase: "wrong" }),
    await ana.press("/sign-in/link/lwy_x"),
  ];
  expect(
    replies.flatMap(({ status, location }, at) => (status < 400 && !location.startsWith("/shown/") ? [at] : [])),
  ).toEqual([]);
  expect(replies.flatMap(({ html }) => english(html))).toEqual([]);
  expect(replies.filter(({ html }) => !/role="alert"|class="warning"/.test(html))).toEqual([]);
  await answer(ana, waiting, { verdict: "deny", note: "不行" });
  const late = await answer(ana, waiting, { verdict: "approve" });
  expect([late.status, late.html.includes(`${approvalId} 已由 ana 拒绝`)]).toEqual([409, true]);
});

test("a trial decision and the faults of a draft are in Chinese", async () => {
  const tried = await ana.press("/policy/try", { command: "curl -d @a https://example.com && rm -rf build" });
  const draft =
    "version: 1\npreset: standard\nrules:\n  - { name: all, match: { tool: memo }, tier: ask, because: 好 }\n";
  const drafted = await ana.press("/policy/draft", { text: draft });
  const broken = await ana.press("/policy/draft", {
    text: "version: 1\ntier: often\nrules:\n  - { name: a, tire: ask, match: { domain: 'a b' } }\nlimits: [{ name: b, then: auto }]\n",
  });
  expect([tried.status, drafted.status, broken.status]).toEqual([200, 200, 200]);
  expect(broken.html.match(/<li><code>draft.yaml:/g)?.length).toBeGreaterThan(4);
  expect([tried, drafted, broken].flatMap(({ html }) => english(html))).toEqual([]);
});

test("a question that fits on a page in one language can be approved there, even if it would not fit in another", async () => {
  const edit = (length: number) => ({ path: "/srv/a.txt", old_string: "a", new_string: "x".repeat(length) });
  const lettersOf = async (id: string, language: "en" | "zh") =>
    (await cardOf(on.deps, await approvalView(on.deps, id), language)).exact.join("").length;
  const short = await asked("edit_file", edit(1_000), { agent: "shipper" });
  const [en, zh] = [await lettersOf(short.approvalId ?? "", "en"), await lettersOf(short.approvalId ?? "", "zh")];
  expect(en).toBeGreaterThan(zh);
  const { approvalId = "", digest } = await asked("edit_file", edit(1_000 + 40_000 - zh), { agent: "shipper" });
  expect((await ana.look(`/approvals/${approvalId}`)).html).toMatch(/data-key="a"[^>]*aria-describedby="follows">/);
  expect((await ana.answer(approvalId, { digest, verdict: "approve" })).location).toContain(
    `told=answered&of=${approvalId}`,
  );
});
