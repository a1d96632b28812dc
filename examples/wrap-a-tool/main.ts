// Three tools of a shop's agent are guarded: one runs, one is only proposed, one is never allowed.
import assert from "node:assert/strict";
import { isNotExecuted, LeewayRefusal, openGate } from "leeway";

const gate = await openGate({
  db: ":memory:",
  policy: {
    tools: {
      lookup_order: { class: "db.read" },
      write_review: { class: "message.send" },
      drop_orders: { class: "db.write", reversible: false },
    },
    tiers: { lookup_order: "auto", write_review: "suggest", drop_orders: "deny" },
  },
});

const sent: string[] = [];
const lookupOrder = gate.guard("lookup_order", async ({ id }: { id: number }) => ({ id, total: 12 }));
const writeReview = gate.guard("write_review", async ({ text }: { text: string }) => sent.push(text));
const dropOrders = gate.guard("drop_orders", async () => "gone");

await gate.as({ agent: "shop", session: "monday" }, async () => {
  // This call runs at once. The decision is recorded before it runs, and the result after it.
  assert.deepEqual(await lookupOrder({ id: 7 }), { id: 7, total: 12 });

  // This call does not run now: the reviewers get a question, and the agent continues.
  const out = await writeReview({ text: "five stars" });
  assert(isNotExecuted(out));
  assert.equal(out.reason, "suggested");
  assert.deepEqual(sent, []);

  // This call is refused, with a text for the model that says what to do instead.
  await assert.rejects(dropOrders({}), (error) => {
    assert(error instanceof LeewayRefusal);
    assert.equal(error.code, "LEEWAY_DENIED");
    assert.match(error.forModel, /Do not retry/);
    return true;
  });
});

const verified = await gate.ledger.verify();
assert.equal(verified.ok, true);
await gate.close();
