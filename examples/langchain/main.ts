// A LangChain agent asks for a refund. The graph is interrupted, a person approves, and the graph goes on.
import assert from "node:assert/strict";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, FakeToolCallingModel, tool } from "langchain";
import { openGate } from "leeway";
import { leewayMiddleware } from "leeway/langchain";

const gate = await openGate({
  db: ":memory:",
  policy: {
    tools: { lookup_order: { class: "db.read" }, refund: { class: "db.write" } },
    tiers: { lookup_order: "auto", refund: "ask" },
    approvals: { assurance: "any" },
  },
});
await gate.people.add({ name: "ana", admin: true });

const refunded: number[] = [];
const lookupOrder = tool(async ({ id }: { id: number }) => `order ${id}: 12`, {
  name: "lookup_order",
  description: "finds an order",
  schema: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
});
const refund = tool(
  async ({ amount }: { amount: number }) => {
    refunded.push(amount);
    return `refunded ${amount}`;
  },
  {
    name: "refund",
    description: "pays money back",
    schema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  },
);

// A model that follows a script: two calls in one turn, then none.
const calls = [
  { name: "lookup_order", args: { id: 7 }, id: "c1" },
  { name: "refund", args: { amount: 12 }, id: "c2" },
];
const model = new FakeToolCallingModel({ toolCalls: [calls, []] });
const leeway = leewayMiddleware(gate, { agent: "shop", session: "thread-1", interrupt });
const agent = createAgent({
  model,
  tools: [lookupOrder, refund],
  middleware: [leeway],
  checkpointer: new MemorySaver(), // with a database, another process can go on
});
const config = { configurable: { thread_id: "thread-1" } };

// The order is looked up; the refund interrupts the graph, and the reviewers are asked.
await agent.invoke({ messages: [{ role: "user", content: "Refund order 7, please." }] }, config);
const interrupts = async () => (await agent.graph.getState(config)).tasks.flatMap((task) => task.interrupts);
const { waiting } = await leeway.answers(await interrupts());
assert.equal(waiting.length, 1);
assert.deepEqual(refunded, []);

const question = await gate.approvals.get(waiting[0]?.approvalId ?? "");
await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest });

// `resume` names the interrupts that are answered; the others stay.
const { resume } = await leeway.answers(await interrupts());
await agent.invoke(new Command({ resume }), config);
assert.deepEqual(refunded, [12]);

assert.equal((await gate.ledger.verify()).ok, true);
await gate.close();
