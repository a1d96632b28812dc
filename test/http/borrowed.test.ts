import { afterAll, expect, test } from "vitest";
import { POLICY, served } from "./served.ts";

// An agent's token says who it is. Whatever other name its call has, it never reaches anything of another agent.

const on = await served({ policy: `${POLICY}tiers: { memo: ask }\n` });
const mallory = await on.token({ agent: "mallory" });
const bot = await on.token({ agent: "release-bot" });
const ana = { cookie: await on.signIn("ana") };
afterAll(() => on.remove());

type Receipt = {
  id: string;
  outcome: string;
  approvalId: string;
  digest: string;
  code?: string;
  error?: { code: string; message: string };
};

async function submitted(token: string, body: object): Promise<Receipt> {
  return (await on.ask("POST", "/v1/calls", { token, body: { tool: "memo", args: { text: "x" }, ...body, wait: 0 } }))
    .body;
}

async function approved({ approvalId, digest }: Receipt): Promise<void> {
  const body = { verdict: "approve", digest };
  const answer = await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { ...ana, body });
  expect(answer.status).toBe(200);
}

test("the name of a person, or of an agent with its own token, cannot be used for a sub-agent", async () => {
  const own = await submitted(mallory, { agent: "release-bot", callId: "b1" });
  const person = await submitted(mallory, { agent: "ana", callId: "b2" });
  const between = await submitted(mallory, { agent: "helper", chain: ["ben"], callId: "b3" });
  expect([own, person, between].map(({ error }) => [error?.code, error?.message])).toEqual([
    ["LEEWAY_BAD_INPUT", "agent: release-bot is an agent with a token of its own"],
    ["LEEWAY_BAD_INPUT", "agent: ana is a person"],
    ["LEEWAY_BAD_INPUT", "agent: ben is a person"],
  ]);
});

test("two agents may each have a sub-agent with the same name, and approvals for one are not valid for the other", async () => {
  const asked = await submitted(bot, { agent: "helper", callId: "h1", session: "s" });
  await approved(asked);
  const same = await submitted(mallory, { agent: "helper", callId: "h1", session: "s" });
  expect([asked.outcome, same.outcome, same.id === asked.id]).toEqual(["pending", "pending", false]);
  const again = await submitted(bot, { agent: "helper", callId: "h1", session: "s" });
  expect([again.outcome, again.id]).toEqual(["run", asked.id]);
  const seen = await on.ask("GET", `/v1/approvals/${same.approvalId}`, ana);
  expect([seen.body.agent, seen.body.root]).toEqual(["helper", "mallory"]);
});

test("invented sub-agent names do not raise the limit of open questions", async () => {
  const outcomes: (string | undefined)[] = [];
  for (let i = 0; i < 24; i++) {
    const { outcome, code } = await submitted(mallory, { agent: `name-${i}`, callId: `n${i}`, args: { text: `${i}` } });
    outcomes.push(code ?? outcome);
  }
  // One question of mallory's is still open.
  expect(outcomes).toEqual([
    ...Array.from({ length: 19 }, () => "pending"),
    ...Array.from({ length: 5 }, () => "LEEWAY_BACKPRESSURE"),
  ]);
});
