import { expect, test } from "vitest";
import { createGate } from "../../src/index.ts";
import { addReviewer, approve, deny, policyFrom, testDeps } from "../../src/testing.ts";

test("a test can answer for a person: an approval lets the call run once, and a denial is told to the caller", async () => {
  const deps = testDeps({ policy: policyFrom("tier: ask\ntools: { deploy: { class: deploy.write } }") });
  await addReviewer(deps);
  const gate = createGate(deps, { agent: "coder" });
  const first = await gate.submit({ tool: "deploy", args: { to: "production" } });
  expect(first.outcome).toBe("pending");
  await approve(deps, first.approvalId, { note: "go" });
  expect((await gate.submit({ tool: "deploy", args: { to: "production" } })).outcome).toBe("run");

  const second = await gate.submit({ tool: "deploy", args: { to: "moon" } });
  await deny(deps, second.approvalId, { by: "ana", note: "not the moon" });
  expect(await gate.wait(second.approvalId ?? "")).toMatchObject({
    outcome: "denied",
    code: "LEEWAY_REVIEW_DENIED",
    reason: "ana denied this call: not the moon",
  });
  await expect(approve(deps, undefined)).rejects.toThrow("nothing was asked");
  await expect(deny(deps, second.approvalId)).rejects.toThrow("was already denied by ana");
});
