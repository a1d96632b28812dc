import { afterAll, expect, test } from "vitest";
import { browserOf } from "./forms.ts";
import { POLICY, served, turnedClock } from "./served.ts";

// What the person who answers must prove, for every way to answer.

const clock = turnedClock();
const on = await served({ clock, policy: `${POLICY}reviewers: [ben, ana]\nhuman: { classes: [secrets.read] }\n` });
const coder = await on.token({ agent: "coder" });
const approving = await on.token({ person: "ana", can: "approve" });
afterAll(() => on.remove());

let calls = 0;

async function asked(tool: string, args: object) {
  calls += 1;
  const { body } = await on.ask("POST", "/v1/calls", {
    token: coder,
    body: { tool, args, callId: `c${calls}`, wait: 0 },
  });
  return body as { id: string; approvalId: string; digest: string; outcome: string };
}

async function stateOf(id: string): Promise<string> {
  return (await on.ask("GET", `/v1/approvals/${id}`, { token: approving })).body.state;
}

const refund = () => asked("refund", { amount: calls, to: "x" });

test("a needs-human call cannot be approved with an old sign-in, in any form of the answer", async () => {
  const stale = { cookie: await on.signIn("ana") };
  clock.advance(6 * 60_000);
  for (const who of [{ token: approving }, stale]) {
    const alone = await refund();
    const review = { verdict: "approve", digest: alone.digest };
    const one = await on.ask("POST", `/v1/approvals/${alone.approvalId}/reviews`, { ...who, body: review });
    const list = { verdict: "approve", items: [{ id: alone.approvalId, digest: alone.digest }] };
    const several = await on.ask("POST", "/v1/reviews", { ...who, body: list });
    expect([one.body.error.code, several.body.outcomes[0].error.code, await stateOf(alone.approvalId)]).toEqual([
      "LEEWAY_STALE_SIGN_IN",
      "LEEWAY_STALE_SIGN_IN",
      "pending",
    ]);
  }
});

test("an edit that makes a call need a human needs a fresh sign-in too", async () => {
  const stale = { cookie: await on.signIn("ana") };
  clock.advance(6 * 60_000);
  const push = await asked("shell", { command: "git push origin main" });
  const edit = { verdict: "approve", digest: push.digest, edits: { command: "cat ~/.ssh/id_rsa" } };
  for (const who of [{ token: approving }, stale]) {
    const answer = await on.ask("POST", `/v1/approvals/${push.approvalId}/reviews`, { ...who, body: edit });
    expect([answer.body.error?.code, await stateOf(push.approvalId)]).toEqual(["LEEWAY_STALE_SIGN_IN", "pending"]);
  }
});

test("the page for several questions sends a person with an old sign-in to sign in again, and answers nothing", async () => {
  const page = await browserOf(on, "ana");
  clock.advance(6 * 60_000);
  const { approvalId, digest } = await refund();
  await page.press("/together/approve", { item: `${approvalId} ${digest}` });
  expect(await stateOf(approvalId)).toBe("pending");
});

test("a reviewer can remember a grant that was offered, and nothing wider", async () => {
  const ben = { cookie: await on.signIn("ben") };
  const push = await asked("shell", { command: "git push origin dev" });
  const path = `/v1/approvals/${push.approvalId}/reviews`;
  const remembering = (covers: object) => ({ verdict: "approve", digest: push.digest, remember: { covers, uses: 3 } });
  for (const covers of [
    { targets: [{ kind: "command", words: ["*"] }], level: "admin" },
    { class: "process.exec", targets: [], level: "write" },
    { tool: { name: "shell" }, targets: [], level: "write" },
  ]) {
    const wide = await on.ask("POST", path, { ...ben, body: remembering(covers) });
    expect([wide.body.error?.code, await stateOf(push.approvalId)]).toEqual(["LEEWAY_FORBIDDEN", "pending"]);
  }
  const offered = (await on.ask("GET", `/v1/approvals/${push.approvalId}`, ben)).body.remember[0].covers;
  const taken = await on.ask("POST", path, { ...ben, body: remembering(offered) });
  const [{ grant }] = (await on.ask("GET", "/v1/grants", ben)).body.grants;
  expect([taken.status, grant.covers, grant.usesMax, grant.untilMs - grant.createdMs]).toEqual([
    200,
    offered,
    3,
    24 * 60 * 60 * 1000,
  ]);
});

test("a grant that would not have covered the call cannot be remembered", async () => {
  const ana = { cookie: await on.signIn("ana") };
  const push = await asked("shell", { command: "git push origin topic" });
  const remember = { covers: { class: "payments.move", targets: [], level: "write" } };
  const body = { verdict: "approve", digest: push.digest, remember };
  const answer = await on.ask("POST", `/v1/approvals/${push.approvalId}/reviews`, { ...ana, body });
  expect([answer.body.error?.code, await stateOf(push.approvalId)]).toEqual(["LEEWAY_BAD_INPUT", "pending"]);
});
