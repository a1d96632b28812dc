// An agent of the AI SDK asks for a refund. The run stops, a person approves a smaller amount, and the run goes on.
import assert from "node:assert/strict";
import { generateText, type ModelMessage, stepCountIs, tool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { openGate } from "leeway";
import { aiSdk } from "leeway/ai-sdk";
import { z } from "zod";

const gate = await openGate({
  db: ":memory:",
  policy: {
    tools: { lookup_order: { class: "db.read" }, refund: { class: "db.write" } },
    tiers: { lookup_order: "auto", refund: "ask" },
    approvals: { assurance: "any" },
  },
});
await gate.people.add({ name: "ana", admin: true });

// A model that follows a script: first it looks an order up and asks for a refund, then it says that it is done.
const usage = { inputTokens: count(1), outputTokens: { total: 1, text: 1, reasoning: 0 } };
let turn = 0;
const model = new MockLanguageModelV3({
  doGenerate: async () => {
    const calls = turn++ === 0 ? [call("c1", "lookup_order", { id: 7 }), call("c2", "refund", { amount: 500 })] : [];
    const finish = { unified: calls.length > 0 ? ("tool-calls" as const) : ("stop" as const), raw: undefined };
    const content = calls.length > 0 ? calls : [{ type: "text" as const, text: "The refund is on its way." }];
    return { content, finishReason: finish, usage, warnings: [] };
  },
});

const refunded: number[] = [];
const leeway = aiSdk(gate, { agent: "shop", session: "chat-1", pause: true });
const tools = leeway.tools({
  lookup_order: tool({ inputSchema: z.object({ id: z.number() }), execute: async ({ id }) => ({ id, total: 12 }) }),
  refund: tool({
    inputSchema: z.object({ amount: z.number() }),
    execute: async ({ amount }) => {
      refunded.push(amount);
      return `refunded ${amount}`;
    },
  }),
});
const messages: ModelMessage[] = [{ role: "user", content: "Refund order 7, please." }];

// The first run: the order is looked up, and the SDK stops for the refund.
const first = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
messages.push(...first.response.messages);
assert.deepEqual(refunded, []);

// Nobody has answered yet. The messages can be stored now, and everything below can happen in another process.
const asked = await leeway.respond(messages);
assert.equal(asked.waiting.length, 1);

// A person approves, with a smaller amount. People usually do this in the inbox.
const question = await gate.approvals.get(asked.waiting[0]?.approvalId ?? "");
await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest, edits: { amount: 12 } });

const { message } = await leeway.respond(messages);
assert(message);
messages.push(message);
const second = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
assert.deepEqual(refunded, [12]);
assert.equal(second.text, "The refund is on its way.");

assert.equal((await gate.ledger.verify()).ok, true);
await gate.close();

function call(toolCallId: string, toolName: string, input: object) {
  return { type: "tool-call" as const, toolCallId, toolName, input: JSON.stringify(input) };
}

function count(total: number) {
  return { total, noCache: total, cacheRead: 0, cacheWrite: 0 };
}
