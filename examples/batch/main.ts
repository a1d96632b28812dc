// Five calls in one batch. Each has its own row and its own outcome; the denial of one does not affect the others.
import assert from "node:assert/strict";
import { openGate } from "leeway";

const gate = await openGate({
  db: ":memory:",
  policy: {
    tools: { read_row: { class: "db.read" }, write_row: { class: "db.write" }, drop_table: { class: "db.write" } },
    tiers: { read_row: "auto", write_row: "ask", drop_table: "deny" },
  },
});

const receipts = await gate.submitAll(
  [
    { tool: "read_row", args: { id: 1 } },
    { tool: "read_row", args: { id: 2 } },
    { tool: "write_row", args: { id: 3 } },
    { tool: "drop_table", args: { table: "orders" } },
    { tool: "read_row", args: { id: 4 } },
  ],
  { callId: "turn-1" },
);

assert.deepEqual(
  receipts.map(({ callId, outcome }) => [callId, outcome]),
  [
    ["turn-1-0", "run"],
    ["turn-1-1", "run"],
    ["turn-1-2", "pending"],
    ["turn-1-3", "denied"],
    ["turn-1-4", "run"],
  ],
);

// A call that may run is already claimed by this program: run it, then report how it ended.
for (const { executionId, attempt } of receipts) {
  if (executionId === undefined || attempt === undefined) continue;
  const settled = await gate.settle(executionId, { attempt, ok: true, result: { rows: 1 } });
  assert.equal(settled.state, "succeeded");
}
await gate.close();
