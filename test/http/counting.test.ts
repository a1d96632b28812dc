import { afterAll, beforeAll, expect, test } from "vitest";
import { submit } from "../../src/gate/calls/submit.ts";
import { inboxReader } from "../../src/service/views/inbox.ts";
import { type Browser, browserOf } from "./forms.ts";
import { PASSPHRASE, type Served, served } from "./served.ts";

let on: Served;
let ana: Browser;
let ben: Browser;
let dora: Browser;
beforeAll(async () => {
  on = await served({
    policy: `version: 1
preset: standard
approvals: { quorum: 3, selfReview: true }
rules:
  - name: pushes
    match: { command: "git push" }
    tier: ask
    reviewers: [ana, ben, "group:ops"]
    because: three look
`,
  });
  [ana, ben] = [await browserOf(on, "ana"), await browserOf(on, "ben")];
  await ana.press("/people", { name: "dora", role: "reviewer", groups: "ops", passphrase: PASSPHRASE });
  dora = await browserOf(on, "dora");
  // With a passphrase that ana made, their approval would count as ana's: each chooses their own through an invitation.
  for (const name of ["ben", "dora"]) {
    const made = await on.ask("POST", `/v1/people/${name}/invitation`, { cookie: ana.cookie, body: {} });
    await ana.press(new URL(made.body.link).pathname, { passphrase: PASSPHRASE });
  }
  [ben, dora] = [await browserOf(on, "ben"), await browserOf(on, "dora")];
});
afterAll(() => on.remove());

test("every view shows the same count, without approvals of people who may no longer answer", async () => {
  const { workspace } = on.deps;
  const { approvalId = "", digest } = await submit(on.deps, {
    workspace,
    agent: "coder",
    tool: "shell",
    args: { command: "git push" },
    cwd: on.project,
    callId: "c1",
    traceId: "t",
    chain: [],
    claims: {},
  });
  const said = async () => {
    const [{ html: list }, { html: one }] = [await ana.look("/"), await ana.look(`/approvals/${approvalId}`)];
    const { body } = await on.ask("GET", `/v1/approvals/${approvalId}`, { cookie: ana.cookie });
    const { questions } = await inboxReader(on.deps)();
    return [
      /<span>(\d)\/3<\/span>/.exec(list)?.[1],
      /<span>(\d) \/ 3 approvals<\/span>/.exec(one)?.[1],
      /(\d) of 3 approvals so far/.exec(one)?.[1],
      String(body.approved),
      String(questions[0]?.have),
    ].join(" ");
  };
  expect(await said()).toBe("0 0 0 0 0");
  for (const who of [ben, dora]) await who.answer(approvalId, { verdict: "approve", digest });
  expect(await said()).toBe("2 2 2 2 2");
  expect((await ana.look(`/approvals/${approvalId}`)).html).toContain(
    "The agent is no longer waiting. If you approve, the call runs once, when the agent retries it.",
  );
  await ana.press("/people/dora/change", { role: "reviewer", groups: "" });
  expect(await said()).toBe("1 1 1 1 1");
  expect((await ana.look(`/approvals/${approvalId}`)).html).toMatch(/data-key="a"[^>]*>Approve</);
});
