import { afterAll, beforeAll, expect, test } from "vitest";
import { browserOf } from "./forms.ts";
import { type Served, served } from "./served.ts";

let on: Served;
beforeAll(async () => {
  on = await served();
  const token = await on.token({ agent: "coder" });
  const call = (session: string, command: string) =>
    on.ask("POST", "/v1/calls", { token, body: { tool: "shell", args: { command }, cwd: on.project, session } });
  await call("s-over", "ls -la over");
  await on.ask("POST", "/v1/sessions/s-over/end", { token, body: {} });
  await call("s-active", "ls -la src");
  await call("s-waits", "rm -rf build");
  await call("s-also", "rm -rf dist");
});
afterAll(() => on.remove());

/** The text of each cell of each row, with the address of its link. */
function rowsIn(html: string): string[][] {
  const body = html.split("<tbody>")[1]?.split("</tbody>")[0] ?? "";
  return body
    .split("</tr>")
    .slice(0, -1)
    .map((row) => [...row.matchAll(/<td.*?<\/td>/gs)].map(([cell]) => cell.replaceAll(/<[^>]*>/g, "").trim()));
}

test("the sessions page says what each session did last, and only a session that waits is a link to its questions", async () => {
  const { html } = await (await browserOf(on, "ana")).look("/sessions");
  const ago = expect.any(String);
  expect(
    rowsIn(html).map(([state, agent, last, folder, session]) => [state, agent, last?.split("  ")[0], folder, session]),
  ).toEqual([
    ["waits for you (1)", "coder", ago, on.project, "s-also"],
    ["waits for you (1)", "coder", ago, on.project, "s-waits"],
    ["active", "coder", ago, on.project, "s-active"],
    ["finished", "coder", ago, on.project, "s-over"],
  ]);
  expect(rowsIn(html).map(([, , last]) => last?.replace(/ (in|now|\d).*$/, ""))).toEqual([
    "rm -rf dist",
    "rm -rf build",
    "ls -la src",
    "ls -la over",
  ]);
  expect([...html.matchAll(/class="badge([^"]*)"(?: href="([^"]*)")?/g)].map(([, kind, to]) => [kind, to])).toEqual([
    ["", "/?session=s-also"],
    ["", "/?session=s-waits"],
    [" quiet", undefined],
    [" quiet", undefined],
  ]);
});

test("the link of a waiting session leads to the questions of that session only", async () => {
  const { html } = await (await browserOf(on, "ana")).look("/?session=s-waits");
  expect([html.includes("rm -rf build"), html.includes("rm -rf dist")]).toEqual([true, false]);
});

test("a question that was closed by the end of its session says so on its page", async () => {
  const token = await on.token({ agent: "coder" });
  const call = { tool: "shell", args: { command: "rm -rf old" }, cwd: on.project, session: "s-gone" };
  const { body } = await on.ask("POST", "/v1/calls", { token, body: call });
  await on.ask("POST", "/v1/sessions/s-gone/end", { token, body: {} });
  const { html } = await (await browserOf(on, "ana")).look(`/approvals/${body.approvalId}`);
  expect(/<p class="closed">(.*?)<\/p>/.exec(html)?.[1]).toBe(
    "Nobody answered this question: the session of the agent ended, and the question was closed with it.",
  );
  expect(html).not.toContain('id="follows"');
});

test("the link of a session leads to its record, and the filter stays in the form", async () => {
  const ana = await browserOf(on, "ana");
  expect((await ana.look("/sessions")).html).toContain('href="/activity?session=s-active"');
  const { html } = await ana.look("/activity?session=s-active");
  expect([html.includes("ls -la src"), html.includes("rm -rf build")]).toEqual([true, false]);
  expect(html).toContain('name="session" value="s-active"');
});
