import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { effectForAgent } from "../../src/http/shown-to-agents.ts";
import { type CallInput, type Carrying, isNotExecuted, LeewayRefusal } from "../../src/index.ts";
import { bare, question, type Side, type Sides, sides } from "./sides.ts";

// One suite for both: what is true for the gate of a program is true for the gate of a server.

let on: Sides;
beforeAll(async () => {
  on = await sides();
});
afterAll(() => on.remove());

/** Runs the same on both sides, and returns what both saw. */
async function alike<T>(play: (side: Side) => Promise<T>): Promise<T> {
  const here = bare(await played(await on.here(), play));
  expect(bare(await played(await on.there(), play))).toEqual(here);
  return here;
}

async function played<T>(side: Side, play: (side: Side) => Promise<T>): Promise<T> {
  try {
    return await play(side);
  } finally {
    for (const { id } of await side.ana.approvals.list({ state: "pending" })) await side.ana.cancel(id, { by: "ana" });
    await side.gate.close();
    await side.ana.close();
  }
}

/** A refusal with all its texts. */
async function refusal(refused: Promise<unknown>) {
  const { name: _, ...said } = await refused.then(
    (value) => {
      throw new Error(`it was not refused: ${JSON.stringify(value)}`);
    },
    (error: unknown) => {
      if (!(error instanceof LeewayRefusal)) throw error;
      const { forModel, forProgram, forPerson } = error;
      return { ...error, forModel, forProgram, forPerson };
    },
  );
  return said;
}

test("every tier gives the same receipt", async () => {
  const names = ["look", "tell", "pay", "propose", "dream", "nuke", "grantme", "never_heard_of"];
  const receipts = await alike(async ({ gate }) => {
    const all = [];
    for (const tool of names) all.push(await gate.submit({ tool, args: { n: 1 }, callId: tool, session: "tiers" }));
    return all;
  });
  expect(receipts.map(({ outcome }) => outcome)).toEqual([
    "run",
    "run",
    "pending",
    "not_executed",
    "not_executed",
    "denied",
    "denied",
    "pending",
  ]);
});

test("a call is checked from the folder in which the gate was opened, and a server tells an agent nothing about files", async () => {
  const [write] = await alike(async ({ gate }) => {
    const checked = [
      await gate.check({ tool: "write_file", args: { path: "src/a.ts", text: "x" } }),
      await gate.check({ tool: "shell", args: { command: "git push --force" }, says: "please" }),
    ];
    const paid = await gate.classify({ tool: "pay", args: { amount: 5 } });
    return [...checked.map((one) => ({ ...one, effect: effectForAgent(one.effect) })), effectForAgent(paid)];
  });
  expect(write).toMatchObject({ effect: { parts: [{ class: "fs.write", reach: "project", targets: [] }] } });
});

test("malformed input is refused with the same words, and nothing is recorded", async () => {
  const wrong: unknown[] = [
    { args: {} },
    { tool: "" },
    { tool: "look", agent: 7 },
    { tool: "look", agnet: "coder" },
    { tool: "look", args: { a: [() => 1] } },
    { tool: "look", definition: "v2" },
    { tool: "look", runBy: "me" },
    ["look"],
  ];
  const refusals = await alike(async ({ gate, ana }) => {
    const before = (await ana.ledger.head()).index;
    const all = [];
    for (const input of wrong) all.push(await refusal(gate.submit(input as CallInput)));
    all.push(await refusal(gate.submitAll([{ tool: "look" }, { tool: "look", args: { when: new Date(0) } }])));
    expect((await ana.ledger.head()).index).toBe(before);
    return all;
  });
  expect(refusals.map(({ reason }) => reason).at(-1)).toBe("inputs/1/args/when: Date is not plain JSON");
});

test("an allowed tool runs once, the same call again gets its result, and the tool's own error is passed on", async () => {
  const seen = await alike(async ({ gate }) => {
    const fn = vi.fn(({ id }: { id: number }) => {
      if (id === 13) throw new RangeError("no such order");
      return { id, total: 12 };
    });
    const look = gate.guard("look", fn);
    const given = { callId: "guarded" };
    const results = [await look({ id: 7 }, given), await look({ id: 7 }, given)];
    await expect(look({ id: 13 })).rejects.toThrow(RangeError);
    return [results, fn.mock.calls.map(([args]) => args)];
  });
  expect(seen).toEqual([
    [
      { id: 7, total: 12 },
      { id: 7, total: 12 },
    ],
    [{ id: 7 }, { id: 13 }],
  ]);
});

test("a call that needs an answer waits, and after an approval runs once with the arguments that the reviewer edited", async () => {
  const seen = await alike(async (side) => {
    const pay = side.gate.guard("pay", ({ amount }: { amount: number }, { askedFor }: Carrying) => ({
      amount,
      askedFor,
    }));
    const plain = pay({ amount: 5 });
    await side.answer(await question(side), { verdict: "approve" });
    const first = await plain;
    const edited = pay({ amount: 500 });
    await side.answer(await question(side), { verdict: "approve", edits: { amount: 6 } });
    return [first, await edited];
  });
  expect(seen).toEqual([{ amount: 5 }, { amount: 6, askedFor: { amount: 500 } }]);
});

test("a caller that comes back after an edit runs the call as the reviewer edited it", async () => {
  const seen = await alike(async (side) => {
    const pay = side.gate.guard("pay", ({ amount }: { amount: number }) => `paid ${amount}`, { waitMs: 0 });
    const call = () => pay({ amount: 600 }, { callId: "edited" });
    const first = await refusal(call());
    await side.answer(await question(side), { verdict: "approve", edits: { amount: 6 } });
    return [first, await call(), await call()];
  });
  expect(seen.slice(1)).toEqual(["paid 6", "paid 6"]);
});

test("a denial throws an error with the reviewer's reason, and nothing runs", async () => {
  const said = await alike(async (side) => {
    const fn = vi.fn();
    const paying = refusal(side.gate.guard("pay", fn)({ amount: 7 }));
    await side.answer(await question(side), { verdict: "deny", note: "too much" });
    return { ...(await paying), ran: fn.mock.calls.length };
  });
  expect(said).toMatchObject({ code: "LEEWAY_REVIEW_DENIED", reason: "ana denied this call: too much", ran: 0 });
});

test("a caller that stops waiting is told so, and after an approval the same call runs once", async () => {
  const seen = await alike(async (side) => {
    const pay = side.gate.guard("pay", ({ amount }: { amount: number }) => `paid ${amount}`, { waitMs: 0 });
    const first = await refusal(pay({ amount: 8 }));
    await side.answer(await question(side), { verdict: "approve" });
    return [first, await pay({ amount: 8 }), (await refusal(pay({ amount: 8 }))).code];
  });
  expect(seen).toMatchObject([{ code: "LEEWAY_PENDING" }, "paid 8", "LEEWAY_PENDING"]);
});

test("a proposal, a denial and a needs-human refusal have the same texts for model, program and person", async () => {
  const seen = await alike(async ({ gate }) => {
    const out = [await gate.guard("propose", () => 1)({ n: 2 }), await gate.guard("dream", () => 1)({})];
    const refused = [await refusal(gate.guard("nuke", () => 1)({})), await refusal(gate.guard("grantme", () => 1)({}))];
    return [...out.map((value) => isNotExecuted(value) && { ...value }), ...refused];
  });
  expect(seen).toMatchObject([
    { code: "LEEWAY_SUGGESTED" },
    { code: "LEEWAY_SHADOWED" },
    { code: "LEEWAY_DENIED" },
    { code: "LEEWAY_NEEDS_HUMAN", reason: expect.stringContaining("(permissions.change, otherwise auto)") },
  ]);
});

test("a program can wait, claim, renew and settle by itself, and every way to ask gives the same outcome", async () => {
  const seen = await alike(async (side) => {
    const { gate } = side;
    const { approvalId = "" } = await gate.submit({ tool: "pay", args: { amount: 9 } });
    const waiting = await gate.wait(approvalId, { timeoutMs: 0 });
    await side.answer(approvalId, { verdict: "approve" });
    const answered = await gate.wait(approvalId);
    const { executionId, attempt, tool, args } = await gate.claim(answered.executionId ?? "");
    const again = await refusal(gate.claim(executionId));
    const { state: renewed } = await gate.renew(executionId, { attempt });
    const { state: settled } = await gate.settle(executionId, { attempt, ok: true, result: { paid: 9 } });
    const wrong = await refusal(gate.settle(executionId, { attempt, ok: false, error: "no" }));
    return [waiting, answered, tool, args, again.code, renewed, settled, wrong.code, await gate.wait(approvalId)];
  });
  expect(seen.at(-1)).toMatchObject({ outcome: "run", result: { paid: 9 } });
});

test("an unknown call, question or execution is refused with the same code", async () => {
  const codes = await alike(async ({ gate, ana }) => {
    const refused = [
      gate.wait("apr_none"),
      gate.claim("exe_none"),
      gate.settle("exe_none", { attempt: "att_none", ok: true }),
      ana.approvals.get("apr_none"),
      ana.cancel("apr_none", { by: "ana" }),
      ana.agents.get("nobody"),
      ana.review("apr_none", { by: "ana", verdict: "approve", digest: "sha256:0" }),
    ];
    return (await Promise.all(refused.map(refusal))).map(({ code }) => code);
  });
  expect(new Set(codes)).toEqual(new Set(["LEEWAY_NOT_FOUND"]));
});

test("a batch gives one receipt for each call, with an id derived from the batch", async () => {
  const receipts = await alike(({ gate }) => gate.submitAll([{ tool: "look" }, { tool: "nuke" }], { callId: "batch" }));
  expect(receipts.map(({ callId, outcome }) => [callId, outcome])).toEqual([
    ["batch-0", "run"],
    ["batch-1", "denied"],
  ]);
});

test("a plan is decided as a whole, and after its approval each of its calls runs once", async () => {
  const seen = await alike(async ({ gate, ana }) => {
    const calls = [{ tool: "look" }, { tool: "pay", args: { amount: 3 } }, { tool: "nuke" }];
    const { steps, receipt } = await gate.submitPlan({ title: "All of it", callId: "plan", calls });
    const { approvalId = "", digest = "" } = receipt ?? {};
    await ana.review(approvalId, { by: "ana", verdict: "approve", digest });
    const { outcome, result } = await gate.wait(approvalId, { timeoutMs: 20_000 });
    const made = await gate.submitAll([...calls, ...calls], { callId: "made" });
    return { steps, outcome, result, made: made.map((one) => one.outcome) };
  });
  expect({ ...seen, steps: seen.steps.map(({ is }) => is) }).toEqual({
    steps: ["runs", "covered", "denied"],
    outcome: "run",
    result: { approved: true },
    made: ["run", "run", "denied", "run", "pending", "denied"],
  });
});

test("an agent inside the scope of another is its sub-agent, at any depth, and the record names all agents above it", async () => {
  const chains = await alike(async ({ gate, ana }) => {
    const inner = () => gate.as({ agent: "helper" }, () => gate.submit({ tool: "look", args: { deep: true } }));
    const { id } = await gate.as({ agent: "coder" }, () => gate.as({ agent: "tester", session: "s2" }, inner));
    const [entry] = await ana.ledger.entries({ subject: { call: id }, kinds: ["call.decided"] });
    return [gate.current(), entry?.subject.agent, entry?.body?.json["chain"]];
  });
  expect(chains).toEqual([{ agent: "coder", chain: [] }, "helper", ["coder", "tester"]]);
});

test("the end of a session withdraws its questions", async () => {
  const ended = await alike(async ({ gate }) => {
    const { approvalId = "" } = await gate.submit({ tool: "pay", args: { amount: 10 }, session: "over" });
    const over = await gate.endSession("over");
    return [over, await gate.wait(approvalId, { timeoutMs: 0 })];
  });
  expect(ended).toMatchObject([{ approvals: 1 }, { outcome: "denied", code: "LEEWAY_CANCELLED" }]);
});

test("an agent can withdraw its own question, and no other", async () => {
  const seen = await alike(async ({ gate, ana }) => {
    const { approvalId = "" } = await gate.submit({ tool: "pay", args: { amount: 12 } });
    const { state } = await gate.cancel(approvalId, { by: "coder" });
    return [state, (await ana.approvals.get(approvalId)).state, await gate.wait(approvalId, { timeoutMs: 0 })];
  });
  expect(seen).toMatchObject(["cancelled", "cancelled", { outcome: "denied", code: "LEEWAY_CANCELLED" }]);
});

test("the record, the trust summary and the policy in force are the same", async () => {
  const seen = await alike(async ({ gate, ana }) => {
    const look = gate.guard("look", () => ({ found: true }));
    await look({ record: 1 });
    const { total, classes } = await ana.trust.of("coder");
    const { ok } = await ana.ledger.verify();
    const kinds = (await ana.ledger.entries({ subject: { tool: "look" } }, { limit: 5 })).map(({ kind }) => kind);
    const layers = (await ana.policy.inForce()).layers.map(({ source, from }) => [source, from]);
    return [total.outcomes, classes.map((one) => one.class), ok, kinds, layers];
  });
  expect(seen[2]).toBe(true);
});

test("a call that a program gets from elsewhere runs once, without a guard", async () => {
  const seen = await alike(async (side) => {
    const fn = vi.fn(({ amount }: { amount?: unknown }) => `paid ${amount}`);
    const call = { tool: "pay", args: { amount: 21 }, callId: "run-1" };
    const running = side.gate.run(call, fn);
    await side.answer(await question(side), { verdict: "approve", edits: { amount: 20 } });
    const results = [await running, await side.gate.run(call, fn)];
    const proposed = await side.gate.run({ tool: "propose", args: { amount: 22 } }, fn);
    const late = await refusal(side.gate.run({ tool: "pay", args: { amount: 23 } }, fn, { waitMs: 0 }));
    return [results, isNotExecuted(proposed) && proposed.reason, late.code, fn.mock.calls.map(([args]) => args)];
  });
  expect(seen).toEqual([["paid 20", "paid 20"], "suggested", "LEEWAY_PENDING", [{ amount: 20 }]]);
});

test("a call is found by the id that its caller gave it, also one of a sub-agent; finding it records nothing", async () => {
  const seen = await alike(async (side) => {
    const { gate, ana } = side;
    const { approvalId = "" } = await gate.submit({
      tool: "pay",
      args: { amount: 24 },
      callId: "find-1",
      session: "f",
    });
    const helper = { agent: "helper", session: "f" };
    await gate.as(helper, () => gate.submit({ tool: "look", args: { amount: 25 }, callId: "find-2" }));
    const before = (await ana.ledger.head()).index;
    const found = [
      await gate.find({ callId: "find-1", session: "f" }),
      await gate.as(helper, () => gate.find({ callId: "find-2" })),
      await gate.find({ callId: "find-2", session: "f" }),
      await gate.find({ callId: "find-1" }),
    ];
    expect((await ana.ledger.head()).index).toBe(before);
    await side.answer(approvalId, { verdict: "deny", note: "no" });
    const denied = await gate.find({ callId: "find-1", session: "f" });
    return [...found.map((one) => one?.outcome ?? "none"), denied?.code, denied?.reason];
  });
  expect(seen).toEqual(["pending", "pending", "none", "none", "LEEWAY_REVIEW_DENIED", "ana denied this call: no"]);
});

test("a claim that is given back lets the same call run later, once", async () => {
  const seen = await alike(async ({ gate }) => {
    const call = { tool: "look", args: { amount: 26 }, callId: "back-1" };
    const { executionId = "", attempt = "" } = await gate.submit(call);
    const { state } = await gate.release(executionId, { attempt, why: "the program had to stop" });
    const lost = await refusal(gate.settle(executionId, { attempt, ok: true }));
    const look = vi.fn(() => "found");
    return [state, lost.code, await gate.run(call, look), await gate.run(call, look), look.mock.calls.length];
  });
  expect(seen).toEqual(["ready", "LEEWAY_LEASE_LOST", "found", "found", 1]);
});

test("a scoped policy can only make decisions stricter, and it ends with its scope", async () => {
  const seen = await alike(async ({ gate }) => {
    const submit = async (tool: string, n: number) => (await gate.submit({ tool, args: { n } })).decision.tier;
    const inner = () =>
      gate.withPolicy({ tiers: { tell: "deny" } }, () => Promise.all([submit("tell", 1), submit("look", 1)]));
    const scoped = await gate.withPolicy({ tiers: { look: "shadow", nuke: "auto" } }, async () => [
      await submit("look", 2),
      await submit("nuke", 2),
      ...(await inner()),
      (await gate.check({ tool: "look" })).decision.tier,
    ]);
    const wrong = { tiers: { look: "sometimes" as "ask" } };
    const refused = await refusal((async () => gate.withPolicy(wrong, () => gate.submit({ tool: "look" })))());
    return [scoped, await submit("look", 3), refused.code];
  });
  expect(seen).toEqual([["shadow", "deny", "deny", "shadow", "shadow"], "auto", "LEEWAY_POLICY_INVALID"]);
});

test("a person sees the same questions, agents, pauses and history, and can pause an agent through either", async () => {
  const seen = await alike(async (side) => {
    const { gate, ana } = side;
    const { approvalId = "" } = await gate.submit({ tool: "pay", args: { amount: 11, to: "ben" } });
    const { args, effect, because, digest, state } = await ana.approvals.get(approvalId);
    const pause = await ana.pause({ of: "agent", name: "coder" }, { by: "ana", because: "lunch" });
    const stopped = await gate.submit({ tool: "look", args: { stopped: true } });
    const entries = await ana.ledger.entries({ subject: { approval: approvalId } }, { order: "oldest" });
    return [
      { args, effect, because, digest, state },
      (await ana.approvals.list({ state: "pending", agent: "coder" })).map((one) => one.digest),
      (await ana.grants.suggest(approvalId)).map(({ covers }) => covers),
      pause.scope,
      (await ana.pauses()).length,
      { ...stopped, reason: "" },
      entries.map(({ kind, actor }) => [kind, actor]),
      (await ana.people.list()).map(({ name, admin }) => [name, admin]).slice(0, 2),
      (await ana.agents.get("coder")).name,
    ];
  });
  expect(seen[5]).toMatchObject({ outcome: "denied", code: "LEEWAY_PAUSED" });
});
