import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, browserOf } from "./forms.ts";
import { type Served, served } from "./served.ts";

// The card of an unknown tool asks what it does, once; the Agents page shows the answer and can remove it.

let on: Served;
let ana: Browser;
let token: string;

beforeAll(async () => {
  on = await served({ policy: "version: 1\npreset: standard\napprovals: { selfReview: true }\n" });
  ana = await browserOf(on, "ana");
  token = await on.token({ agent: "coder" });
});
afterAll(() => on.remove());

const call = (city: string) =>
  on.ask("POST", "/v1/calls", { token, body: { tool: "get_weather", args: { city }, callId: city } });

test("an unknown tool is declared on its card, runs from then on, and is asked about again when the declaration is removed", async () => {
  const { body: asked } = await call("Rome");
  const card = await ana.look(`/approvals/${asked.approvalId}`);
  expect(card.html).toContain("What is this tool?");
  expect(card.html).toContain('<option value="looks" selected>');
  const said = await ana.press(`/approvals/${asked.approvalId}/tool`, { does: "looks", everybody: "yes" });
  expect(said.location).toContain("told=declaredTool");
  expect((await ana.look(`/approvals/${asked.approvalId}`)).html).not.toContain("What is this tool?");
  expect((await call("Oslo")).body.outcome).toBe("run");
  const id = /\/tools\/(dec_\w+)\/forget/.exec((await ana.look("/agents")).html)?.[1] ?? "";
  await ana.press(`/tools/${id}/forget`);
  expect((await call("Bern")).body.outcome).toBe("pending");
});

test("the question about a tool shows a suggestion with its reason, keeps the list it was opened from, and says whom to ask", async () => {
  const { body: asked } = await on.ask("POST", "/v1/calls", {
    token,
    body: { tool: "send_newsletter", args: { to: "everybody" } },
  });
  const at = `/approvals/${asked.approvalId}`;
  const { html } = await ana.look(`${at}?agent=coder&q=newsletter`);
  expect(html).toContain("Suggested: sends messages to others (its name says so)");
  expect(html).toContain(`action="${at}/tool?agent=coder&amp;q=newsletter"`);
  const ben = await browserOf(on, "ben");
  await on.ask("PUT", "/v1/agents/coder/owner", { cookie: ana.cookie, body: { owner: "ana" } });
  expect((await ben.look(at)).html).not.toContain(`action="${at}/tool`);
  const said = await ana.press(`${at}/tool?agent=coder&q=newsletter`, { does: "sends", everybody: "yes" });
  expect(said.location).toBe(`${at}?agent=coder&q=newsletter&told=declaredTool`);
});
