// An agent of the OpenAI Agents SDK asks for two refunds. The run is stored; one is approved, one is denied; it goes on.
import assert from "node:assert/strict";
import { Agent, type AgentOutputItem, type Model, Runner, RunState, tool, Usage } from "@openai/agents";
import { openGate } from "leeway";
import { openaiAgents } from "leeway/openai-agents";

const gate = await openGate({
  db: ":memory:",
  policy: {
    tools: { refund: { class: "db.write" } },
    tiers: { refund: "ask" },
    approvals: { assurance: "any" },
  },
});
await gate.people.add({ name: "ana", admin: true });

// A model that follows a script: two refunds in one turn, then a last word.
let turn = 0;
const model: Model = {
  getResponse: async () => {
    const output: AgentOutputItem[] = turn++ === 0 ? [refundCall("c1", 5), refundCall("c2", 500)] : [lastWord()];
    return { usage: new Usage(), output };
  },
  getStreamedResponse: () => {
    throw new Error("this example does not stream");
  },
};

const refunded: number[] = [];
const refund = tool({
  name: "refund",
  description: "pays money back",
  parameters: {
    type: "object",
    properties: { amount: { type: "number" } },
    required: ["amount"],
    additionalProperties: false,
  },
  strict: true,
  execute: async (input) => {
    const { amount } = input as { amount: number };
    refunded.push(amount);
    return `refunded ${amount}`;
  },
});

const leeway = openaiAgents(gate, { agent: "shop", session: "chat-1", pause: true });
const agent = new Agent({ name: "shop", model, tools: leeway.tools([refund]) });
const runner = new Runner({ tracingDisabled: true });

// The run stops before the refunds. Its state is a text that can be stored.
const stopped = await runner.run(agent, "Refund orders 7 and 8, please.");
const stored = stopped.state.toString();
assert.deepEqual(refunded, []);

// The reviewers are asked once, however often this is called, and in whatever process.
const state = await RunState.fromString(agent, stored);
const { waiting } = await leeway.respond(state);
assert.equal(waiting.length, 2);

for (const [at, verdict] of (["approve", "deny"] as const).entries()) {
  const question = await gate.approvals.get(waiting[at]?.approvalId ?? "");
  await gate.review(question.id, { by: "ana", verdict, digest: question.digest, note: "one refund is enough" });
}

// Each call has its own answer: one runs, the other one is refused with a text for the model.
assert.deepEqual(await leeway.respond(state), { waiting: [] });
const finished = await runner.run(agent, state);
assert.deepEqual(refunded, [5]);
assert.match(JSON.stringify(finished.history), /one refund is enough.*Do not retry this call/);

assert.equal((await gate.ledger.verify()).ok, true);
await gate.close();

function refundCall(callId: string, amount: number): AgentOutputItem {
  return { type: "function_call", callId, name: "refund", arguments: JSON.stringify({ amount }), status: "completed" };
}

function lastWord(): AgentOutputItem {
  const content = [{ type: "output_text" as const, text: "Done." }];
  return { type: "message", role: "assistant", status: "completed", content };
}
