import { afterAll, beforeAll, expect, test } from "vitest";
import { listNotices } from "../../src/gate/notices/notices.ts";
import { type Browser, browserOf } from "./forms.ts";
import { type Served, served, turnedClock } from "./served.ts";

// Writing to the agent, handing over and putting aside, over HTTP and on the pages.

const POLICY = `version: 1
preset: standard
tools: { publish: { class: metadata.write } }
tiers: { publish: ask }
agents: { coder: { reviewers: [ana, ben] } }
approvals: { expires: 2h }
`;

let on: Served;
let agent: string;
let ana: string;
let ben: string;
const clock = turnedClock();
let count = 0;

beforeAll(async () => {
  on = await served({ policy: POLICY, clock });
  agent = await on.token({ agent: "coder" });
  ana = await on.signIn("ana");
  ben = await on.signIn("ben");
});
afterAll(() => on.remove());

async function asked(): Promise<string> {
  const args = { page: `page ${++count}` };
  const { body } = await on.ask("POST", "/v1/calls", { token: agent, body: { tool: "publish", args } });
  return body.approvalId;
}

const waiting = (id: string, timeout = 20) =>
  on.ask("GET", `/v1/calls/${id}/wait?timeout=${timeout}`, { token: agent });
const act = (id: string, does: string, body: object, cookie = ana) =>
  on.ask("POST", `/v1/approvals/${id}/${does}`, { cookie, body });
const idsIn = async (path: string, cookie: string): Promise<readonly string[]> => {
  const { body } = await on.ask("GET", path, { cookie });
  return (body.questions ?? body.approvals).map(({ id }: { id: string }) => id);
};
const pendingOf = async (cookie: string) => (await on.ask("GET", "/v1/status", { cookie })).body.pending;

test("an agent that waits gets a reply at once and only once, and the question stays open", async () => {
  const id = await asked();
  const first = waiting(id);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const told = await act(id, "replies", { text: "which page is this?" });
  expect([told.status, told.body.state, told.body.replies.length]).toEqual([200, "pending", 1]);
  const { status, body } = await first;
  expect([status, body.outcome, body.newReplies]).toEqual([202, "pending", 1]);
  expect(body.replies).toEqual([{ by: "ana", text: "which page is this?", atMs: expect.any(Number) }]);
  const again = await waiting(id, 1);
  expect([again.body.newReplies, again.body.replies.length]).toEqual([undefined, 1]);
});

test("a person who watches a call does not take a reply away from the agent", async () => {
  const id = await asked();
  await act(id, "replies", { text: "which page is this?" });
  const looked = await on.ask("GET", `/v1/calls/${id}/wait?timeout=1`, { cookie: ben });
  expect([looked.body.newReplies, looked.body.replies.length]).toEqual([undefined, 1]);
  expect((await waiting(id)).body.newReplies).toBe(1);
});

test("a question is handed to somebody who may answer, and to nobody else", async () => {
  const id = await asked();
  const { body } = await act(id, "handover", { to: "ben", note: "your page" });
  expect(body.handed).toEqual([{ by: "ana", to: "ben", note: "your page", atMs: expect.any(Number) }]);
  const no = await act(id, "handover", { to: "cleo" });
  expect([no.status, no.body.error.code, no.body.error.hint]).toEqual([
    403,
    "LEEWAY_NOT_A_REVIEWER",
    "it can be handed to: ben",
  ]);
});

test("a question that a person puts aside is missing in their own lists and count until then, and in nobody else's", async () => {
  const id = await asked();
  const before = [await pendingOf(ana), await pendingOf(ben)] as const;
  const { body } = await act(id, "snooze", { until: "20m" });
  expect(body.snoozed).toEqual([{ by: "ana", untilMs: expect.any(Number) }]);
  expect([await pendingOf(ana), await pendingOf(ben)]).toEqual([before[0] - 1, before[1]]);
  expect(await idsIn("/v1/inbox", ana)).not.toContain(id);
  expect(await idsIn("/v1/inbox?aside=true", ana)).toEqual([id]);
  expect(await idsIn("/v1/inbox", ben)).toContain(id);
  expect(await idsIn("/v1/approvals?mine=true&status=pending", ana)).not.toContain(id);
  expect(await idsIn("/v1/approvals?mine=true&status=pending", ben)).toContain(id);
  clock.advance(21 * 60_000);
  const isReminded = async () =>
    (await listNotices(on.deps, { to: "ana", kinds: ["reminder"] })).some(({ ref }) => ref === id);
  for (let tries = 0; tries < 100 && !(await isReminded()); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await isReminded()).toBe(true);
  expect(await idsIn("/v1/inbox", ana)).toContain(id);
});

test("a time after the deadline is refused with the deadline", async () => {
  const id = await asked();
  const { status, body } = await act(id, "snooze", { until: "3h" });
  expect([status, body.error.code]).toEqual([400, "LEEWAY_BAD_INPUT"]);
  expect(body.error.message).toMatch(/^the question must be answered before \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
});

async function pages(name = "ana"): Promise<Browser & { id: string }> {
  const id = await asked();
  return { ...(await browserOf(on, name)), id };
}

test("the page of a question has three forms that work without JavaScript, and shows what people wrote", async () => {
  const { look, press, id } = await pages();
  const at = `/approvals/${id}`;
  const wrote = await press(`${at}/reply`, { text: "which <page> is this?" }, at);
  expect([wrote.status, wrote.location]).toEqual([303, `${at}?told=replied&of=${id}`]);
  const handed = await press(`${at}/handover`, { to: "ben", note: "your page" }, at);
  expect(handed.location).toBe(`${at}?told=handedToThem&of=${id}`);
  const { html } = await look(at);
  expect(html).toContain("<blockquote>which &lt;page&gt; is this?</blockquote>");
  expect(html).toMatch(/handed to ben by ana <time [^>]*>[^<]*<\/time><blockquote>your page<\/blockquote>/);
  expect((await look("/")).html).toContain("handed to ben by ana</span>");
});

test("questions that were put aside are behind a link of the list, and can be taken back there", async () => {
  const { look, press, id } = await pages();
  const at = `/approvals/${id}`;
  const shown = (html: string) => html.includes(`data-id="${id}"`);
  const put = await press(`${at}/snooze`, { until: "15m" }, at);
  expect(put.location).toContain(`told=putAside&of=${id}`);
  const list = (await look("/")).html;
  expect([shown(list), list.includes('href="/?aside=1"')]).toEqual([false, true]);
  const aside = (await look("/?aside=1")).html;
  expect([shown(aside), aside.includes("Take it back now")]).toEqual([true, true]);
  await press(`${at}/snooze?aside=1`, { until: "now" }, at);
  expect(shown((await look("/")).html)).toBe(true);
});

test("a refused form says why on the page of the question, and keeps what was typed", async () => {
  const { press, id } = await pages();
  const at = `/approvals/${id}`;
  const no = await press(`${at}/handover`, { to: "cleo", note: "please look" }, at);
  expect(no.status).toBe(403);
  expect(no.html).toContain("It can be handed to: ben.");
  expect(no.html).toContain('value="please look"');
});

test("a person who may not answer has none of the forms, and may not send them", async () => {
  const { look, press, id } = await pages("cleo");
  const { html } = await look(`/approvals/${id}`);
  expect(html).not.toContain(`/approvals/${id}/reply`);
  expect((await press(`/approvals/${id}/reply`, { text: "let me" }, `/approvals/${id}`)).status).toBe(403);
});

test("what somebody could not do instead of answering is not called an answer", async () => {
  const id = await asked();
  const { call } = (await on.ask("GET", `/v1/approvals/${id}`, { cookie: ana })).body;
  expect((await act(id, "handover", { to: "nobody", note: "hello" })).status).toBe(403);
  const { text } = await on.ask("GET", `/calls/${call}`, { cookie: ana, headers: { accept: "text/html" } });
  const history = text.replaceAll(/<[^>]*>/g, "");
  expect([
    history.includes(`ana could not hand the question over: nobody may not review ${id}`),
    history.includes("was not counted"),
  ]).toEqual([true, false]);
});
