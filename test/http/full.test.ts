import { afterAll, beforeAll, expect, test } from "vitest";
import { changeOf } from "../../src/core/change.ts";
import { draft } from "../../src/core/steps/draft.ts";
import { PENDING_PER_AGENT_MAX } from "../../src/core/steps/pending.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { listNotices } from "../../src/gate/notices/notices.ts";
import { type Browser, browserOf } from "./forms.ts";
import { type Served, served, turnedClock } from "./served.ts";

// An inbox with more questions than anybody reads at once.

const QUESTIONS = 160;
let on: Served;
let ana: Browser;
let ids: readonly string[];

const clock = turnedClock();
/** How long it takes to look at fifty questions. */
let turnMs = 0;
/** What looks through many questions lets others go ahead by sleeping for no time. */
const sleep: typeof clock.sleep = (ms, signal) => {
  if (ms === 0) clock.advance(turnMs);
  return clock.sleep(ms, signal);
};

beforeAll(async () => {
  on = await served({ clock: { ...clock, sleep } });
  ana = await browserOf(on, "ana");
  ids = await Promise.all(Array.from({ length: QUESTIONS }, (_, i) => asked(i)));
}, 60_000);
afterAll(() => on.remove());

async function asked(i: number): Promise<string> {
  const { workspace } = on.deps;
  const agent = `agent-${Math.floor(i / PENDING_PER_AGENT_MAX)}`;
  const call = { workspace, agent, tool: "refund", args: { order: i }, callId: `c${i}` };
  const receipt = await submit(on.deps, { ...call, traceId: "t", chain: [], claims: {} });
  if (receipt.approvalId === undefined) throw new Error(receipt.reason);
  return receipt.approvalId;
}

const listedIn = (html: string) => [...html.matchAll(/<li data-id="(apr_\w+)"/g)].map(([, id]) => id);
const nextIn = (html: string) =>
  /class="button" href="(\/\?[^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");

/** Every page from here on, through the link at the end of each. */
async function pagesFrom(path: string): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let next: string | undefined = path; next !== undefined; next = nextIn(pages.at(-1) ?? "")) {
    pages.push((await ana.look(next)).html);
  }
  return pages;
}

test("every page shows how many questions are waiting, and the pages of the list contain each one once", async () => {
  const pages = await pagesFrom("/");
  expect(pages.length).toBe(Math.ceil(QUESTIONS / 50) + (QUESTIONS % 50 === 0 ? 1 : 0));
  expect(pages.flatMap(listedIn).sort()).toEqual([...ids].sort());
  for (const html of [...pages, (await ana.look("/grants")).html]) expect(html).toContain(`id="count">${QUESTIONS}<`);
  const { text } = await on.ask("GET", "/metrics", { cookie: ana.cookie });
  expect(text).toContain(`leeway_approvals_pending ${QUESTIONS}\n`);
});

test("a search, and a filter by class, look at all questions at once", async () => {
  const last = listedIn((await pagesFrom("/")).at(-1) ?? "").at(-1) ?? "";
  const [found = "", ...more] = await pagesFrom(`/?q=${last}`);
  expect([listedIn(found), more]).toEqual([[last], []]);
  const none = (await ana.look("/?class=git.write")).html;
  expect([none.includes("No results."), nextIn(none)]).toEqual([true, undefined]);
});

test("a search that takes longer than three seconds says how far it has looked, in the reader's language, and continues until it finds a match", async () => {
  turnMs = 1_500;
  const last = listedIn((await pagesFrom("/")).at(-1) ?? "").at(-1) ?? "";
  const [first = "", ...further] = await pagesFrom(`/?q=${last}`);
  expect(listedIn(first)).toEqual([]);
  expect(first).toContain("No match so far.");
  expect(first).toContain("Searched so far, most urgent first: 100");
  expect(further.flatMap(listedIn)).toEqual([last]);
  const headers = { "accept-language": "zh" };
  const { text } = await on.ask("GET", `/?q=${last}`, { cookie: ana.cookie, headers });
  expect(text).toContain("目前已搜索（最紧急的在前）： 100");
  const none = (await pagesFrom("/?q=no-such-order")).at(-1);
  expect(none).toContain("No results.");
  turnMs = 0;
});

test("filtering by agent shows all waiting questions of that agent", async () => {
  const [html = "", ...more] = await pagesFrom("/?agent=agent-3");
  const theirs = ids.slice(3 * PENDING_PER_AGENT_MAX, 4 * PENDING_PER_AGENT_MAX);
  expect([listedIn(html).sort(), more]).toEqual([[...theirs].sort(), []]);
  const listed = await on.ask("GET", "/v1/approvals?status=pending&agent=agent-3", { cookie: ana.cookie });
  expect(listed.body.approvals.map(({ id }: { id: string }) => id).sort()).toEqual([...theirs].sort());
});

test("other notices are found among many notices about questions, read or unread", async () => {
  const memo = { workspace: on.deps.workspace, agent: "noter", tool: "memo", args: {}, callId: "memo" };
  const { outcome } = await submit(on.deps, { ...memo, traceId: "t", chain: [], claims: {} });
  await Promise.all(Array.from({ length: 20 }, (_, i) => asked(QUESTIONS + i)));
  const told = await listNotices(on.deps, { to: "ana", kinds: ["ran"] });
  const unread = await listNotices(on.deps, { to: "ana", kinds: ["ran"], unread: true });
  const all = await listNotices(on.deps, { to: "ana", limit: 10_000 });
  expect([outcome, told, unread]).toEqual(["run", all.filter(({ kind }) => kind === "ran"), told]);
  expect(told).toHaveLength(1);
});

test("a filter for rare entries says how far back it has searched, and continues from there", async () => {
  const { mint, workspace, store } = on.deps;
  const said = { kind: "session.ended", actor: "leeway", subject: {}, body: {} } as const;
  const entries = Array.from({ length: 10_050 }, () => draft(mint, said));
  await store.commit(changeOf(mint, { workspace, nowMs: on.deps.clock.nowMs() }, [{ entries }]));
  const { index } = await store.read({ ask: "head", workspace });
  const { html } = await ana.look("/activity?kind=person.added");
  const from = index - 10_000 + 1;
  expect(html).toContain("No match so far.");
  expect(html).toContain(`Searched back to entry ${from} `);
  const further = /href="(\/activity\?[^"]*before=\d+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(further).toBe(`/activity?kind=person.added&before=${from}`);
  const next = (await ana.look(further)).html;
  expect([...next.matchAll(/<b>(ana|ben|cleo)<\/b>/g)].length).toBeGreaterThanOrEqual(3);
  expect(next).not.toContain("Looked back");
  const own = (await ana.look("/activity?agent=agent-2&kind=approval.opened")).html;
  expect(own.match(/\/approvals\/apr_/g)).toHaveLength(PENDING_PER_AGENT_MAX);
});
