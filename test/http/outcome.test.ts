import { afterAll, beforeAll, expect, test } from "vitest";
import { say } from "../../src/core/messages/message.ts";
import { listNotices } from "../../src/gate/notices/notices.ts";
import { type Browser, browserOf } from "./forms.ts";
import { type Served, served } from "./served.ts";

// After an approval people see the result: on the card, in the explanation, and in their notices.

let on: Served;
let ana: Browser;
let token: string;
beforeAll(async () => {
  on = await served();
  ana = await browserOf(on, "ana");
  token = await on.token({ agent: "coder" });
});
afterAll(() => on.remove());

const secret = "gh" + "p_" + "a1B2".repeat(9);
let calls = 0;

/** A call that was approved, run by its caller, and settled with this result. */
async function carriedOut(ending: object): Promise<{ id: string; approvalId: string }> {
  const body = { tool: "shell", args: { command: `git push origin o-${calls++}` }, cwd: on.project };
  const { id, approvalId, digest } = (await on.ask("POST", "/v1/calls", { token, body })).body;
  await ana.answer(approvalId, { verdict: "approve", digest });
  const claim = (await on.ask("POST", `/v1/calls/${id}/claim`, { token, body: {} })).body;
  const settled = await on.ask("POST", `/v1/calls/${id}/settle`, {
    token,
    body: { attempt: claim.attempt, ...ending },
  });
  expect([claim.attempt !== undefined, settled.status]).toEqual([true, 200]);
  return { id, approvalId };
}

test("the card and the explanation show outcome, exit code, duration and output, with secrets masked", async () => {
  const result = { code: 0, stdout: `pushed with ${secret}\n`, stderr: "remote: no\n" };
  const { id, approvalId } = await carriedOut({ ok: true, result });
  for (const path of [`/approvals/${approvalId}`, `/calls/${id}`]) {
    const { html } = await ana.look(path);
    const [, outcome = ""] = /<div class="outcome succeeded">(.*?)<\/div>/s.exec(html) ?? [];
    expect(outcome).toContain("The call ran and succeeded");
    expect(outcome).toContain("exit code <code>0</code>");
    expect(outcome).toMatch(/took \d+ (ms|s)/);
    expect(outcome).toContain("remote: no");
    expect([outcome.includes("pushed with"), html.includes(secret)]).toEqual([true, false]);
  }
  const why = await on.ask("GET", `/v1/calls/${id}/why`, { cookie: ana.cookie });
  expect(why.body.came).toMatchObject({ state: "succeeded", exitCode: 0, tookMs: expect.any(Number) });
  expect([why.body.came.output.includes("remote: no"), why.text.includes(secret)]).toEqual([true, false]);
});

test("a person who may not review a call sees its result, but not its output", async () => {
  const { id } = await carriedOut({ ok: true, result: { code: 0, stdout: "the private part", stderr: "" } });
  const cleo = await browserOf(on, "cleo");
  const { html } = await cleo.look(`/calls/${id}`);
  expect([html.includes("The call ran and succeeded"), html.includes("the private part")]).toEqual([true, false]);
  const why = await on.ask("GET", `/v1/calls/${id}/why`, { cookie: cleo.cookie });
  expect([why.body.came.state, why.body.came.output]).toEqual(["succeeded", undefined]);
});

test("the owner is told how an approved call ended, also if its caller ran it, with a description of the call", async () => {
  await carriedOut({ ok: true, result: { code: 0 } });
  const [told] = await listNotices(on.deps, { to: "ana", kinds: ["ran"] });
  expect(told?.title).toEqual(say("notice.ran_well", { agent: "coder", call: `git push origin o-${calls - 1}` }));
  expect((await ana.look("/")).html).toContain(
    `<b>coder ran &#96;git push origin o-${calls - 1}&#96;: succeeded</b>  <time`,
  );
  // The stored notice only refers to the call and contains nothing of it.
  const held = await on.deps.store.read({
    ask: "row",
    workspace: on.deps.workspace,
    table: "notices",
    id: told?.id ?? "",
  });
  expect(JSON.stringify(held)).not.toContain("git push");
});

test("activity has one row for each call, which says what ran and opens its whole history", async () => {
  const { id } = await carriedOut({ ok: true, result: { code: 0 } });
  const lead = `git push origin o-${calls - 1}`;
  const { html } = await ana.look("/activity");
  expect(html.split(`<code>${lead}</code>`)).toHaveLength(2);
  const [, row = ""] =
    new RegExp(`<li class="call"><details><summary>[^]*?<code>${lead}</code>([^]*?)</details></li>`).exec(html) ?? [];
  expect([row.includes(`/calls/${id}`), row.includes("succeeded"), row.match(/<tr>/g)?.length]).toEqual([
    true,
    true,
    7,
  ]);
});

test("activity can be searched by words and by time", async () => {
  await carriedOut({ ok: true, result: { code: 0 } });
  const lead = `git push origin o-${calls - 1}`;
  const rows = async (query: string) =>
    (await ana.look(`/activity?${query}`)).html.match(/<li class="(call|event)">/g)?.length ?? 0;
  expect(await rows(`q=${encodeURIComponent(lead)}`)).toBe(1);
  expect(await rows("q=no-such-thing-anywhere")).toBe(0);
  const year = new Date().getUTCFullYear();
  expect([await rows(`from=${year + 1}-01-01T00:00`), await rows(`to=${year - 1}-01-01T00:00`)]).toEqual([0, 0]);
  expect(await rows(`q=${encodeURIComponent(lead)}&from=${year - 1}-01-01T00:00&to=${year + 1}-01-01T00:00`)).toBe(1);
  expect((await ana.look("/activity?from=yesterday")).status).toBe(400);
});

test("a grant made with a form covers exactly what the form says, and lets the call run", async () => {
  const fields = { agent: "coder", command: "npm run lint", lasts: "5x", because: "linting is fine" };
  const none = await ana.press("/grants", { ...fields, command: "" }, "/grants");
  expect([none.status, none.html.includes("a grant must cover something")]).toEqual([400, true]);
  const shell = await ana.press("/grants", { ...fields, command: "npm run lint; rm -rf x" }, "/grants");
  expect([shell.status, shell.html.includes("only commands made of plain words")]).toEqual([400, true]);
  expect((await ana.press("/grants", fields, "/grants")).location).toBe("/grants?told=granted");
  expect((await ana.look("/grants")).html).toContain("npm run lint");
  const ask = (command: string) =>
    on.ask("POST", "/v1/calls", { token, body: { tool: "shell", args: { command }, cwd: on.project } });
  expect((await ask("npm run lint")).body.outcome).toBe("run");
  expect((await ask("npm run other")).body.outcome).toBe("pending");
});

test("a grant for the project's own code, only in a box, is made with the same form", async () => {
  const fields = { agent: "coder", lasts: "7d", because: "its tests", projectCode: "true", inBox: "true" };
  expect((await ana.press("/grants", fields, "/grants")).location).toBe("/grants?told=granted");
  const { grants } = (await on.ask("GET", "/v1/grants", { cookie: await on.signIn("ana") })).body;
  expect(grants.map(({ grant }: { grant: { covers: unknown } }) => grant.covers)).toContainEqual({
    projectCode: on.project,
    inBox: true,
    targets: [],
    level: "execute",
  });
});

test("while everything is paused, every page says who paused it, why, and where to resume, and a card says that nothing runs", async () => {
  const body = { tool: "shell", args: { command: "git push origin paused" }, cwd: on.project };
  const card = `/approvals/${(await on.ask("POST", "/v1/calls", { token, body })).body.approvalId}`;
  await ana.press("/settings/pause", { because: "a fire drill" });
  for (const path of ["/", "/activity", "/grants", "/people"]) {
    const { html } = await ana.look(path);
    const [, said = ""] =
      /<p class="warning" role="alert"><strong>Everything is paused\.<\/strong>(.*?)<\/p>/s.exec(html) ?? [];
    expect([said.includes("ana"), said.includes("a fire drill"), said.includes('href="/settings"')]).toEqual([
      true,
      true,
      true,
    ]);
  }
  const follows = async () => /id="follows"><span class="then">([^<]+?) </.exec((await ana.look(card)).html)?.[1];
  expect(await follows()).toBe("Paused by ana · Nothing runs until the pause is lifted.");
  const lift = /action="(\/settings\/pauses\/pau_\w+\/lift)"/.exec((await ana.look("/settings")).html)?.[1] ?? "";
  expect((await ana.press(lift)).location).toBe("/settings?told=resumed");
  expect(await follows()).toBe(
    "The agent is no longer waiting. If you approve, the call runs once, when the agent retries it.",
  );
  await ana.press("/agents/coder/pause", { because: "only this one" });
  expect(await follows()).toBe("Paused by ana · Nothing runs until the pause is lifted.");
});
