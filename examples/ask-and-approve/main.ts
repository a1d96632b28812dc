// Refunds wait for a person. The first is approved, the second is changed to a smaller amount, the third is denied.
import assert from "node:assert/strict";
import { type Gate, LeewayRefusal, openGate } from "leeway";

const gate = await openGate({
  db: ":memory:",
  policy: {
    tools: { refund: { class: "db.write" } },
    tiers: { refund: "ask" },
    // This program vouches for ana; without this line her answer would have to come from the terminal or the inbox.
    approvals: { assurance: "any" },
  },
});
await gate.people.add({ name: "ana", admin: true });

const paid: number[] = [];
const refund = gate.guard("refund", async ({ amount }: { amount: number }) => {
  paid.push(amount);
  return `refunded ${amount}`;
});

await gate.as({ agent: "shop" }, async () => {
  const first = refund({ amount: 5 });
  const question = await nextQuestion(gate);
  assert.deepEqual(question.args, { amount: 5 });
  await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest });
  assert.equal(await first, "refunded 5");

  const second = refund({ amount: 500 });
  const tooMuch = await nextQuestion(gate);
  await gate.review(tooMuch.id, { by: "ana", verdict: "approve", digest: tooMuch.digest, edits: { amount: 50 } });
  assert.equal(await second, "refunded 50");

  const third = refund({ amount: 9 });
  const again = await nextQuestion(gate);
  await Promise.all([
    assert.rejects(third, (error) => error instanceof LeewayRefusal && error.code === "LEEWAY_REVIEW_DENIED"),
    gate.review(again.id, { by: "ana", verdict: "deny", digest: again.digest, note: "one refund a day" }),
  ]);
});

assert.deepEqual(paid, [5, 50]);
await gate.close();

/** Stands for an inbox: waits until there is a question. */
async function nextQuestion(from: Gate) {
  for (let looks = 0; looks < 1000; looks++) {
    const [open] = await from.approvals.list({ state: "pending" });
    if (open !== undefined) return from.approvals.get(open.id);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error("nothing was asked");
}
