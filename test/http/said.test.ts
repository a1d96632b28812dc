import { afterAll, beforeAll, expect, test } from "vitest";
import { claim } from "../../src/gate/calls/claim.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import { type Browser, browserOf } from "./forms.ts";
import { type Served, served, turnedClock } from "./served.ts";

// What the pages say about an answer, a deadline and a result must be true.

const POLICY = `version: 1
preset: standard
tools:
  refund: { class: payments.move, reversible: false }
  memo: { class: metadata.write }
tiers:
  git.push: suggest
  memo: notify
approvals: { selfReview: true }
`;

let on: Served;
let ana: Browser;
let calls = 0;
const clock = turnedClock();

beforeAll(async () => {
  on = await served({ policy: POLICY, clock });
  ana = await browserOf(on, "ana");
});
afterAll(() => on.remove());

function asked(tool: string, args: Record<string, string | number>) {
  calls += 1;
  const { workspace } = on.deps;
  const call = { workspace, agent: "coder", tool, args, cwd: on.project, callId: `c${calls}`, traceId: "t", chain: [] };
  return submit(on.deps, { ...call, claims: {} });
}

const toldOn = (html: string) =>
  /class="(?:told|done)" role="status"[^>]*>([^<].*?)<\/(?:p|span)>/.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, "");

async function answer({ approvalId = "", digest }: { approvalId?: string; digest: string }, verdict: string) {
  const { location } = await ana.answer(approvalId, { verdict, digest, note: "n" });
  return toldOn((await ana.look(location)).html);
}

test("the buttons keep their labels; the text below says what an approval does, depending on whether the agent still waits", async () => {
  const { approvalId = "" } = await asked("delete_file", { path: "data/customers.csv" });
  const labels = async () => {
    const { html } = await ana.look(`/approvals/${approvalId}`);
    return ["a", "d"]
      .map((key) => new RegExp(`data-key="${key}"[^>]*>([^<]+)<`).exec(html)?.[1])
      .concat(/id="follows"><span class="then">([^<]+?) </.exec(html)?.[1]);
  };
  const moved = "The agent is no longer waiting. If you approve, the call runs once, when the agent retries it.";
  expect(await labels()).toEqual(["Approve", "Deny", moved]);
  const over = new AbortController();
  const waited = wait(on.deps, approvalId, { timeoutMs: 60_000, signal: over.signal });
  await expect
    .poll(labels)
    .toEqual(["Approve", "Deny", "The agent is waiting. The call runs as soon as you approve it."]);
  over.abort();
  await waited;
  clock.advance(60_000);
  expect(await labels()).toEqual(["Approve", "Deny", moved]);
});

test("after an answer the page says which answer was given, and to which question", async () => {
  const path = "data/customers.csv";
  expect(await answer(await asked("delete_file", { path }), "deny")).toBe("Denied: delete_file data/customers.csv");
  expect(await answer(await asked("delete_file", { path: "data/old.csv" }), "approve")).toBe(
    "Approved: delete_file data/old.csv",
  );
});

test("the state shown after an answer comes from the database, not from the address", async () => {
  const { approvalId } = await asked("delete_file", { path: "data/open.csv" });
  for (const of of [approvalId, "apr_nothing", "<b>x</b>", ""])
    expect(toldOn((await ana.look(`/?told=answered&of=${of}`)).html)).toBe("Answered.");
});

test("while a needs-human call waits, its card says that a person is asked, not that the call was denied", async () => {
  const { approvalId } = await asked("refund", { amount: 40 });
  const { html } = await ana.look(`/approvals/${approvalId}`);
  expect(/payments\.move: [^<]*/.exec(html)?.[0]).toBe("payments.move: 1 asked, 0 succeeded");
  const record = (await ana.look("/agents/coder")).html;
  expect(record).toMatch(/payments\.move<\/th>.*?data-label="denied">0</s);
});

test("a deadline is shown with its time zone", async () => {
  const { approvalId } = await asked("delete_file", { path: "data/zone.csv" });
  const { card } = (await on.ask("GET", `/v1/approvals/${approvalId}`, { cookie: ana.cookie })).body;
  expect(card.deadline).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC([+-]\d\d:\d\d)? \(in /);
});

test("a notice about several calls has the time of the last one, not of the start of its window", async () => {
  const windowMs = 10 * 60_000;
  clock.advance(windowMs - (clock.nowMs() % windowMs) + 9 * 60_000);
  ana = await browserOf(on, "ana");
  await asked("memo", { text: "x" });
  const { html } = await ana.look("/");
  expect(/Ran without a question; you are only notified:.*?<time[^>]*>([^<]+)</s.exec(html)?.[1]).toMatch(
    /^(now|\d+ s ago)$/,
  );
});

test("everything can be paused from every page without a reason, and the record says who did it", async () => {
  for (const path of ["/", "/activity", "/agents", "/grants", "/policy", "/people", "/settings"]) {
    const { html } = await ana.look(path);
    expect([path, html.includes('<form method="post" action="/settings/pause"')]).toEqual([path, true]);
    const [form] = /<form method="post" action="\/settings\/pause".*?<\/form>/s.exec(html) ?? [""];
    expect(form).not.toMatch(/<input name="because" required/);
  }
  expect((await ana.press("/settings/pause")).location).toBe("/settings?told=pausedNow");
  const { html } = await ana.look("/settings");
  expect(html).toMatch(/no reason was given \(ana, /);
  expect((await ana.look("/agents")).html).not.toContain('action="/settings/pause"');
  const lift = /action="(\/settings\/pauses\/pau_\w+\/lift)"/.exec(html)?.[1] ?? "";
  expect((await ana.press(lift)).location).toBe("/settings?told=resumed");
});

test("text that is not JSON in the edit form is refused, and the page says where", async () => {
  const { approvalId, digest } = await asked("delete_file", { path: "data/edit.csv" });
  const { status, html } = await ana.press(`/approvals/${approvalId}/edit`, { digest, args: '{"path": }' });
  expect([status, html.includes("line 1, column 10")]).toEqual([400, true]);
});

/** A call that a person approved, and whose agent claimed it and never reported back. */
async function lostCall(): Promise<string> {
  const { approvalId = "", digest } = await asked("write_file", { path: "/srv/lost.txt", text: "x" });
  await ana.answer(approvalId, { verdict: "approve", digest });
  const { workspace, store } = on.deps;
  const held = await store.read({ ask: "row", workspace, table: "approvals", id: approvalId });
  const id = held?.row.state === "approved" ? held.row.executionId : "";
  expect(await claim(on.deps, id, "caller")).toMatchObject({ ok: true });
  return id;
}

test("recording a result needs a fresh sign-in, on a page and in the API", async () => {
  const executionId = await lostCall();
  const old = await browserOf(on, "ana");
  clock.advance(6 * 60_000);
  ana = await browserOf(on, "ana");
  await expect
    .poll(async () => (await ana.look("/")).html, { timeout: 5_000 })
    .toContain(`/executions/${executionId}/`);
  expect((await old.look("/")).html).not.toContain(`/executions/${executionId}/`);
  const page = await old.press(`/executions/${executionId}/reconcile`, { ended: "well", note: "I looked" });
  expect(page.location).toBe("/sign-in?next=%2F");
  const body = { ok: true, note: "I looked" };
  const api = await on.ask("POST", `/v1/executions/${executionId}/reconcile`, { cookie: old.cookie, body });
  expect([api.status, api.body.error.code]).toEqual([403, "LEEWAY_STALE_SIGN_IN"]);
  const said = await ana.press(`/executions/${executionId}/reconcile`, { ended: "well", note: "I looked" });
  expect(said.location).toBe("/?told=reconciled");
});
