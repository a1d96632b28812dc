// A bookkeeper plans three payments. One approval allows each payment once; everything else stays as it is.
import assert from "node:assert/strict";
import { openGate } from "leeway";

const gate = await openGate({
  db: ":memory:",
  policy: {
    tools: { balance: { class: "db.read" }, pay: { class: "db.write" }, close_account: { class: "db.write" } },
    tiers: { balance: "auto", pay: "ask", close_account: "deny" },
    // This program vouches for ana; without this line her answer would have to come from the terminal or the inbox.
    approvals: { assurance: "any" },
  },
});
await gate.people.add({ name: "ana", admin: true });

const bills = [
  { to: "ben", amount: 5 },
  { to: "cleo", amount: 7 },
  { to: "dan", amount: 9 },
];
const { steps, receipt } = await gate.submitPlan({
  agent: "bookkeeper",
  title: "Pay the bills of March",
  calls: [
    { tool: "balance" },
    ...bills.map((args) => ({ tool: "pay", args })),
    { tool: "close_account", args: { of: "ben" } },
  ],
});
assert.deepEqual(
  steps.map(({ is, decision }) => [is, decision.tier]),
  [
    ["runs", "auto"],
    ["covered", "ask"],
    ["covered", "ask"],
    ["covered", "ask"],
    ["denied", "deny"],
  ],
);

// Ana sees all five calls on one card, and answers once.
const { approvalId = "", digest = "" } = receipt ?? {};
await gate.review(approvalId, { by: "ana", verdict: "approve", digest });
assert.equal((await gate.wait(approvalId)).outcome, "run");

const paid: string[] = [];
const pay = gate.guard(
  "pay",
  async ({ to }: { to: string; amount: number }) => {
    paid.push(to);
  },
  { waitMs: 0 },
);
await gate.as({ agent: "bookkeeper" }, async () => {
  for (const bill of bills.toReversed()) await pay(bill);
  assert.deepEqual(paid, ["dan", "cleo", "ben"]);
  // The plan is used up, so the same payment asks again; and it never covered a larger one.
  await assert.rejects(pay({ to: "ben", amount: 5 }), { code: "LEEWAY_PENDING" });
  await assert.rejects(pay({ to: "ben", amount: 500 }), { code: "LEEWAY_PENDING" });
  assert.equal((await gate.submit({ tool: "close_account", args: { of: "ben" } })).outcome, "denied");
});
assert.equal((await gate.ledger.verify()).ok, true);
await gate.close();
