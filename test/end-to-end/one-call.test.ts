import { expect, test } from "vitest";
import { createGate } from "../../src/index.ts";
import { testDeps, testPolicy } from "../../src/testing.ts";

const at = { file: "leeway.yaml", line: 3, column: 5 };
const policy = testPolicy({
  tiers: [
    { for: "class", name: "db.read", tier: "auto", at },
    { for: "class", name: "payments.move", tier: "ask", at },
  ],
  tools: [
    { name: "lookup_order", class: "db.read", at },
    { name: "refund", class: "payments.move", at },
  ],
  approvals: { assurance: "any" },
});

test("an automatic call is recorded, runs and settles", async () => {
  const deps = testDeps({ policy });
  const gate = createGate(deps);
  const receipt = await gate.submit({ agent: "shop", tool: "lookup_order", args: { id: 7 } });
  expect(receipt.outcome).toBe("run");
  const settled = await gate.settle(receipt.executionId ?? "", {
    attempt: receipt.attempt ?? "att_",
    ok: true,
    result: { total: 12 },
  });
  expect(settled.state).toBe("succeeded");
  const entries = await deps.store.read({
    ask: "entries",
    workspace: "default",
    where: {},
    limit: 10,
    order: "oldest",
  });
  expect(entries.map((entry) => entry.kind)).toEqual([
    "agent.registered",
    "policy.loaded",
    "call.decided",
    "execution.succeeded",
  ]);
});

test("a call that needs an answer stays pending however often it is sent, and causes one notice", async () => {
  const deps = testDeps({ policy });
  const gate = createGate(deps);
  const first = await gate.submit({ agent: "shop", tool: "refund", args: { amount: 5 }, callId: "c1" });
  const again = await gate.submit({ agent: "shop", tool: "refund", args: { amount: 5 }, callId: "c1" });
  expect([first.outcome, again.outcome, again.approvalId]).toEqual(["pending", "pending", first.approvalId]);
  expect(await deps.store.read({ ask: "count", workspace: "default", table: "notices", where: {} })).toBe(1);
});
