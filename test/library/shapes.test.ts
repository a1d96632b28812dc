import { expect, test } from "vitest";
import { createTestGate, opened, refusalFrom } from "./gates.ts";

const COVERS = { tool: { name: "pay" }, targets: [], level: "write" };
const GRANT = { subject: { agent: "shop" }, covers: COVERS, because: "the till is open", by: "ana" };
const MOVE = { agent: "shop", tier: "auto", because: "good", by: "ana" };

test("a mistyped key or value is refused with its path, and nothing is created", async () => {
  const { gate } = await opened();
  await gate.submit({ agent: "shop", tool: "look" });
  const before = (await gate.ledger.head()).index;
  const grant = (over: object) => gate.grants.add({ ...GRANT, ...over } as never);
  const promote = (over: object) => gate.agents.promote({ ...MOVE, ...over } as never);
  const pause = (scope: object) => gate.pause(scope as never, { by: "ana", because: "stop" });
  const tries: [Promise<unknown>, string][] = [
    [grant({ untill: "1h" }), "untill: unknown key"],
    [grant({ usesMax: 5 }), "usesMax: unknown key"],
    [grant({ until: "tomorrow" }), "until: tomorrow is not a time"],
    [grant({ subject: { agnet: "shop" } }), "subject/agnet: unknown key"],
    [grant({ tier: "auot" }), "tier: auot is not an allowed value"],
    [grant({ covers: { ...COVERS, level: "bogus" } }), "covers/level: bogus is not an allowed value"],
    [grant({ covers: { ...COVERS, clas: "db.write" } }), "covers/clas: unknown key"],
    [promote({ clas: "db.write" }), "clas: unknown key"],
    [promote({ until: "1h" }), "until: unknown key"],
    [promote({ tier: "atuo" }), "tier: atuo is not an allowed value"],
    [pause({ of: "agnet", name: "shop" }), "of: agnet is not an allowed value"],
    [pause({}), "of: undefined is not an allowed value"],
    [pause({ of: "agent" }), "name: expected text, found undefined"],
  ];
  for (const [tried, reason] of tries) {
    const refusal = await refusalFrom(tried);
    expect([refusal.code, refusal.reason]).toEqual(["LEEWAY_BAD_INPUT", reason]);
  }
  expect((await refusalFrom(grant({ tier: "auot" }))).hint).toBe("did you mean auto?");
  expect((await gate.ledger.head()).index).toBe(before);
});

test("a grant is valid for its stated time and number of uses", async () => {
  const { gate, clock } = await opened();
  const grant = (over: object) => gate.grants.add({ ...GRANT, ...over } as never);
  const nowMs = clock.nowMs();
  const [hour, exact, five] = [
    await grant({ until: "1h" }),
    await grant({ until: nowMs + 5 }),
    await grant({ uses: 5 }),
  ];
  expect([hour.untilMs, exact.untilMs, five.usesMax, five.untilMs]).toEqual([
    nowMs + 3_600_000,
    nowMs + 5,
    5,
    undefined,
  ]);
});

test("a guard with a mistyped option is refused", () => {
  const { gate } = createTestGate();
  const wrong = (options: object) => () => gate.guard("sell", () => 1, options as never);
  expect(wrong({ clas: "db.read" })).toThrow("clas: unknown key; did you mean class?");
  expect(wrong({ notExecuted: "thow" })).toThrow("notExecuted: thow is not an allowed value; did you mean throw?");
});

test("a callback without its required fields is refused when the gate is opened", () => {
  expect(() => createTestGate({}, { callback: {} as never })).toThrow("callback/name: expected text, found undefined");
  expect(() => createTestGate({}, { callback: { name: "mine" } as never })).toThrow("callback/supportsInteraction");
});

test("the class that a guard states can make the decision stricter, never looser", async () => {
  const { gate } = createTestGate();
  gate.guard("pay", () => 1, { class: "none" });
  gate.guard("write_file", () => 1, { class: "none" });
  gate.guard("look", () => 1, { class: "deploy.write" });
  gate.guard("sell", () => 1, { class: "db.write" });
  const classOf = async (tool: string) =>
    (await gate.classify({ tool, args: { path: "a", text: "x" } })).parts[0].class;
  expect([await classOf("pay"), await classOf("write_file"), await classOf("look"), await classOf("sell")]).toEqual([
    "db.write",
    "fs.write",
    "deploy.write",
    "db.write",
  ]);
});

test("a guarded tool accepts options for a single call, but no other tool and no mistyped option", async () => {
  const { gate } = createTestGate();
  const look = gate.guard("look", () => 1);
  expect((await refusalFrom(look({}, { tool: "nuke" } as never))).reason).toBe("tool: unknown key");
  const { reason, hint } = await refusalFrom(look({}, { callid: "c1" } as never));
  expect([reason, hint]).toEqual(["callid: unknown key", "did you mean callId?"]);
  expect((await gate.ledger.head()).index).toBe(0);
});

test("names that every JavaScript object has are ordinary names", async () => {
  const { gate } = await opened();
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const receipt = await gate.submit({ agent: name, tool: name, session: name, args: JSON.parse(`{"${name}": 1}`) });
    const asked = await gate.approvals.get(receipt.approvalId ?? "");
    expect([asked.agent, asked.tool, JSON.stringify(asked.args)]).toEqual([name, name, `{"${name}":1}`]);
    expect((await gate.agents.get(name)).name).toBe(name);
    expect(
      (await refusalFrom(gate.review(asked.id, { by: "ana", verdict: name as never, digest: asked.digest }))).code,
    ).toBe("LEEWAY_BAD_INPUT");
  }
});
