import { expect, test } from "vitest";
import { addPerson } from "../../src/gate/people/people.ts";
import { opened, refusalFrom, type TestGate } from "./gates.ts";

/** A gate whose policy requires a person, with ana, who was the first, and ben, whom she added at a terminal. */
async function strict(): Promise<TestGate> {
  const made = await opened({ approvals: {} });
  const ben = await addPerson(made.deps, { name: "ben", by: "ana", assurance: "tty" });
  if (!ben.ok) throw new Error(ben.reason.say);
  return made;
}

test("a program that only names a person cannot give more power to anybody", async () => {
  const { gate } = await strict();
  const { approvalId = "" } = await gate.submit({ agent: "shop", tool: "pay" });
  const pause = await gate.pause({ of: "agent", name: "other" }, { by: "ana", because: "lunch" });
  const { executionId = "" } = await gate.submit({ agent: "shop", tool: "look" });
  const cover = { tool: { name: "pay" }, targets: [], level: "write" as const };
  const before = (await gate.ledger.head()).index;
  const refusals = await Promise.all([
    refusalFrom(gate.people.add({ name: "eve", admin: true, passphrase: "correct horse", by: "ana" })),
    refusalFrom(gate.people.change("ben", { admin: true, by: "ana" })),
    refusalFrom(gate.people.remove("ben", { by: "ana" })),
    refusalFrom(gate.policy.accept("/project/leeway.yaml", { by: "ana", version: "sha256:seen" })),
    refusalFrom(gate.grants.add({ subject: { agent: "shop" }, covers: cover, because: "the till is open", by: "ana" })),
    refusalFrom(gate.agents.promote({ agent: "shop", tier: "auto", because: "good", by: "ana" })),
    refusalFrom(gate.resume(pause.id, { by: "ana" })),
    refusalFrom(gate.cancel(approvalId, { by: "ana" })),
    refusalFrom(gate.reconcile(executionId, { by: "ana", ok: true, note: "looked" })),
  ]);
  expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => "LEEWAY_ASSURANCE"));
  expect((await gate.ledger.head()).index).toBe(before);
});

test("a program can reduce power in a person's name, and an agent can withdraw its own question", async () => {
  const { gate } = await strict();
  const { approvalId = "" } = await gate.submit({ agent: "shop", tool: "pay" });
  expect((await gate.cancel(approvalId, { by: "shop" })).state).toBe("cancelled");
  await gate.agents.demote({ agent: "shop", tier: "suggest", because: "too eager", by: "ana" });
  await gate.pause({ of: "everything" }, { by: "ben", because: "stop" });
  expect((await gate.submit({ agent: "shop", tool: "look" })).code).toBe("LEEWAY_PAUSED");
});

test("a policy scope in the program's own code does not let it act as a person", async () => {
  const { gate } = await strict();
  const adding = gate.withPolicy({ approvals: { assurance: "any" } }, () =>
    refusalFrom(gate.people.add({ name: "eve", by: "ana" })),
  );
  expect((await adding).code).toBe("LEEWAY_ASSURANCE");
});
