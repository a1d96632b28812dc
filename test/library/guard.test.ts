import { expect, expectTypeOf, test, vi } from "vitest";
import { LEASE_MS } from "../../src/core/execution.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { type Carrying, isNotExecuted, LeewayRefusal, type NotExecuted } from "../../src/index.ts";
import { StoreUnavailable } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { systemClock } from "../../src/system.ts";
import { createTestGate, entriesOf, opened, PATIENT, refusalFrom } from "./gates.ts";

test("an automatic call runs once, with its own arguments, and is recorded before and after it", async () => {
  const { gate, deps } = createTestGate();
  const fn = vi.fn(({ id }: { id: number }) => ({ id, total: 12 }));
  const look = gate.guard("look", fn);
  expect(await gate.as({ agent: "shop" }, () => look({ id: 7 }))).toEqual({ id: 7, total: 12 });
  expect(fn.mock.calls.map(([args]) => args)).toEqual([{ id: 7 }]);
  expect(await entriesOf(deps)).toEqual(["agent.registered", "policy.loaded", "call.decided", "execution.succeeded"]);
});

test("a guarded tool returns its result or a NotExecuted, unless proposals are set to throw", () => {
  const { gate } = createTestGate();
  const look = gate.guard("look", async (_: { id: number }) => "found");
  const propose = gate.guard("propose", async (_: { id: number }) => "done", { notExecuted: "throw" });
  expectTypeOf(look).returns.resolves.toEqualTypeOf<string | NotExecuted>();
  expectTypeOf(propose).returns.resolves.toEqualTypeOf<string>();
});

test("a tool that fails is settled as failed, and its caller gets the tool's own error", async () => {
  const { gate, deps } = createTestGate();
  const broken = new RangeError("no such order");
  const look = gate.guard("look", () => {
    throw broken;
  });
  await expect(look({ id: 7 })).rejects.toBe(broken);
  expect((await entriesOf(deps)).at(-1)).toBe("execution.failed");
});

test("a result that is not JSON is returned unchanged and settled with a note", async () => {
  const { gate } = createTestGate();
  const result = new Map([["a", 1]]);
  const look = gate.guard("look", () => result);
  expect(await look({}, { callId: "c1" })).toBe(result);
  const again = await refusalFrom(look({}, { callId: "c1" }));
  expect([again.code, again.reason]).toEqual([
    "LEEWAY_ALREADY_RESOLVED",
    "this call already ran; the result was not stored: at /, Map is not plain JSON",
  ]);
});

test("a second call with the same call id gets the first result, without running again", async () => {
  const { gate } = createTestGate();
  const fn = vi.fn(() => ({ total: 12 }));
  const look = gate.guard("look", fn);
  const results = [await look({}, { callId: "c1" }), await look({}, { callId: "c1" })];
  expect([results, fn.mock.calls.length]).toEqual([[{ total: 12 }, { total: 12 }], 1]);
});

test("the submitted arguments are used, even if the caller changes its object meanwhile", async () => {
  const { gate } = createTestGate();
  const look = gate.guard("look", (args: { path: string[] }) => args.path);
  const args = { path: ["a"] };
  const running = look(args);
  args.path.push("b");
  expect(await running).toEqual(["a"]);
});

test("a call that needs an answer waits, and runs once when a reviewer approves it", async () => {
  const { gate, deps } = await opened({}, {}, { clock: systemClock });
  const pay = gate.guard("pay", ({ amount }: { amount: number }) => `paid ${amount}`);
  const paying = gate.as({ agent: "shop" }, () => pay({ amount: 5 }));
  const question = await theQuestion(gate);
  await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest });
  expect(await paying).toBe("paid 5");
  expect((await entriesOf(deps)).slice(-4)).toEqual([
    "approval.reviewed",
    "approval.approved",
    "execution.claimed",
    "execution.succeeded",
  ]);
});

test("a denied call throws an error with the reviewer's reason and does not run", async () => {
  const { gate } = await opened({}, {}, { clock: systemClock });
  const fn = vi.fn();
  const pay = gate.guard("pay", fn);
  const paying = refusalFrom(pay({ amount: 5 }));
  const question = await theQuestion(gate);
  await gate.review(question.id, { by: "ana", verdict: "deny", digest: question.digest, note: "too much" });
  const refusal = await paying;
  expect([refusal.code, refusal.retryable, fn.mock.calls.length]).toEqual(["LEEWAY_REVIEW_DENIED", false, 0]);
  // The question is answered: the model must not wait for it.
  expect(refusal.forModel).not.toContain("were asked");
  expect(refusal.forModel).toContain("too much");
});

test("the arguments that a reviewer edited are used", async () => {
  const { gate } = await opened({}, {}, { clock: systemClock });
  const fn = vi.fn(({ amount }: { amount: number }, { askedFor }: Carrying) =>
    askedFor === undefined ? `paid ${amount}` : `paid ${amount} instead of ${askedFor["amount"]}`,
  );
  const pay = gate.guard("pay", fn);
  const paying = pay({ amount: 500 });
  const question = await theQuestion(gate);
  await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest, edits: { amount: 5 } });
  expect(await paying).toBe("paid 5 instead of 500");
  expect(fn.mock.calls.map(([args]) => args)).toEqual([{ amount: 5 }]);
});

test("a caller that comes back after an edit runs the call as the reviewer edited it", async () => {
  const { gate } = await opened();
  const pay = gate.guard("pay", ({ amount }: { amount: number }) => `paid ${amount}`, { waitMs: 0 });
  const call = () => pay({ amount: 500 }, { callId: "c1" });
  expect((await refusalFrom(call())).code).toBe("LEEWAY_PENDING");
  const question = await theQuestion(gate);
  await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest, edits: { amount: 5 } });
  expect([await call(), await call()]).toEqual(["paid 5", "paid 5"]);
});

test("a running call is not started a second time", async () => {
  const { gate } = createTestGate();
  let finish = () => {};
  const fn = vi.fn(
    () =>
      new Promise<string>((resolve) => {
        finish = () => resolve("found");
      }),
  );
  const look = gate.guard("look", fn);
  const first = look({}, { callId: "c1" });
  await vi.waitFor(() => expect(fn).toHaveBeenCalledTimes(1), PATIENT);
  const second = await refusalFrom(look({}, { callId: "c1" }));
  finish();
  expect([second.code, second.reason, await first, fn.mock.calls.length]).toEqual([
    "LEEWAY_CALL_RUNNING",
    "this call of look is already running",
    "found",
    1,
  ]);
});

test("a hundred calls at once each run once, and the ledger verifies", async () => {
  const { gate } = createTestGate();
  const ran: number[] = [];
  const look = gate.guard("look", async ({ n }: { n: number }) => ran.push(n));
  await look({ n: 0 });
  const rest = Array.from({ length: 99 }, (_, n) => n + 1);
  await Promise.all(rest.map((n) => look({ n })));
  expect(ran.sort((a, b) => a - b)).toEqual([0, ...rest]);
  expect((await gate.ledger.verify()).ok).toBe(true);
});

test("a caller that stopped waiting is told so, and the same call later uses its permit once", async () => {
  const { gate } = await opened();
  const fn = vi.fn(({ amount }: { amount: number }) => `paid ${amount}`);
  const pay = gate.guard("pay", fn, { waitMs: 0 });
  const refusal = await refusalFrom(pay({ amount: 5 }));
  const question = await theQuestion(gate);
  expect([refusal.code, refusal.retryable, refusal.approvalId]).toEqual(["LEEWAY_PENDING", true, question.id]);
  await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest });
  expect([await pay({ amount: 5 }), fn.mock.calls.length]).toEqual(["paid 5", 1]);
  expect((await refusalFrom(pay({ amount: 5 }))).code).toBe("LEEWAY_PENDING");
});

test("a suggested call returns a NotExecuted immediately, and runs in this program when it is approved later", async () => {
  const { gate, deps } = await opened();
  const fn = vi.fn((_: object) => gate.current());
  const propose = gate.guard("propose", fn);
  const out = await gate.as({ agent: "shop", session: "s1" }, () => propose({ at: "noon" }));
  if (!isNotExecuted(out)) throw new Error("it ran");
  const question = await theQuestion(gate);
  expect([out.reason, out.code, out.approvalId, fn.mock.calls.length]).toEqual([
    "suggested",
    "LEEWAY_SUGGESTED",
    question.id,
    0,
  ]);
  await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest });
  await tick(deps);
  expect(fn.mock.calls.map(([args]) => args)).toEqual([{ at: "noon" }]);
  expect(fn.mock.results[0]?.value).toMatchObject({ agent: "shop", session: "s1" });
});

test("a shadowed call returns a NotExecuted without a question", async () => {
  const { gate } = createTestGate();
  const out = await gate.guard("dream", () => "never")({});
  expect(isNotExecuted(out) && [out.reason, out.code, out.approvalId]).toEqual([
    "shadowed",
    "LEEWAY_SHADOWED",
    undefined,
  ]);
});

test("with `notExecuted: throw`, a proposal is thrown as a refusal with its own code", async () => {
  const { gate } = createTestGate();
  const propose = gate.guard("propose", () => "never", { notExecuted: "throw" });
  const dream = gate.guard("dream", () => "never", { notExecuted: "throw" });
  expect([(await refusalFrom(propose({}))).code, (await refusalFrom(dream({}))).code]).toEqual([
    "LEEWAY_SUGGESTED",
    "LEEWAY_SHADOWED",
  ]);
});

test("a denied tool never runs, and the refusal has a text for the model, the program and the person", async () => {
  const { gate } = createTestGate();
  const fn = vi.fn();
  const refusal = await refusalFrom(gate.guard("nuke", fn)({}));
  expect([refusal.code, refusal.retryable, refusal.decision?.tier, fn.mock.calls.length]).toEqual([
    "LEEWAY_DENIED",
    false,
    "deny",
    0,
  ]);
  expect(refusal.forProgram).toBe("code=LEEWAY_DENIED retryable=false tier=deny");
  expect(refusal.forModel).toMatch(/Do not retry this call\. \(LEEWAY_DENIED\)$/);
  expect(refusal.forPerson).toContain("ask the owner of the policy");
});

test("a needs-human tool is refused with its own code and the id of an approval", async () => {
  const { gate } = await opened();
  const grantme = gate.guard("grantme", () => "never");
  const refusal = await refusalFrom(gate.as({ agent: "shop" }, () => grantme({})));
  const question = await theQuestion(gate);
  expect([refusal.approvalId, question.action]).toEqual([question.id, "permissions.change#needs-human"]);
  expect(refusal.forModel).toBe(
    "One person has to review exactly this call of grantme by agent shop (permissions.change, otherwise auto). " +
      "Continue without it; after a person has approved it, the same call runs once. " +
      `The reviewers were asked; the question is ${question.id}. ` +
      "Do not retry this call before it is approved. (LEEWAY_NEEDS_HUMAN)",
  );
});

test("a claim is renewed while the tool runs, and the tool is told if the claim was lost", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { gate, deps, clock } = createTestGate();
    const heard: boolean[] = [];
    const look = gate.guard("look", async (_: object, { signal, idempotencyKey }) => {
      const lease = async () => {
        const held = await deps.store.read({
          ask: "row",
          workspace: "default",
          table: "executions",
          id: idempotencyKey,
        });
        return held?.row.state === "claimed" ? held.row.leaseUntilMs - clock.nowMs() : undefined;
      };
      clock.advance(LEASE_MS / 3);
      await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
      heard.push(signal.aborted, (await lease()) === LEASE_MS);
      clock.advance(2 * LEASE_MS);
      await tick(deps);
      await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
      heard.push(signal.aborted);
      return "late";
    });
    expect(await look({})).toBe("late");
    expect(heard).toEqual([false, true, true]);
  } finally {
    vi.useRealTimers();
  }
});

test("an outcome that cannot be recorded is unknown, and not treated as if nothing had run", async () => {
  const store = memoryStore();
  let full = false;
  const commit: typeof store.commit = async (change) => {
    if (full) throw new StoreUnavailable("the disk is full");
    return store.commit(change);
  };
  const { gate } = createTestGate({}, {}, { store: { ...store, commit } });
  const look = gate.guard("look", () => {
    full = true;
    return "found";
  });
  const refusal = await refusalFrom(look({}));
  expect([refusal.code, refusal.retryable, refusal.reason]).toEqual([
    "LEEWAY_OUTCOME_UNKNOWN",
    false,
    "the call ran, but that could not be recorded: the disk is full",
  ]);
});

test("a call whose decision cannot be recorded does not run", async () => {
  const store = memoryStore();
  const down = async () => {
    throw new StoreUnavailable("the disk is full");
  };
  const { gate } = createTestGate({}, {}, { store: { ...store, commit: down } });
  const fn = vi.fn();
  const refusal = await refusalFrom(gate.guard("look", fn)({}));
  expect([refusal.code, refusal.retryable, fn.mock.calls.length]).toEqual(["LEEWAY_AUDIT_UNAVAILABLE", true, 0]);
});

test("a guard with wrong options fails immediately", () => {
  const { gate } = createTestGate();
  gate.guard("look", () => 1);
  const reasons = [
    () => gate.guard("look", () => 2),
    () => gate.guard("", () => 2),
    () => gate.guard("x", "not a function" as never),
    () => gate.guard("x", () => 2, { class: "fs.wrote" as never }),
    () => gate.guard("x", () => 2, { waitMs: -1 }),
  ].map((wrong) => {
    try {
      return wrong() && "accepted";
    } catch (error) {
      return error instanceof LeewayRefusal && error.code === "LEEWAY_BAD_INPUT" ? error.reason : error;
    }
  });
  expect(reasons).toEqual([
    "name: look is already guarded",
    "name: the text is empty",
    "fn: expected a function, found string",
    "class: fs.wrote is not an allowed value",
    "waitMs: expected a whole number of at least 0, found -1",
  ]);
});

test("arguments that JSON would change are refused with their path", async () => {
  const { gate } = createTestGate();
  const fn = vi.fn();
  const look = gate.guard("look", fn as (args: object) => void);
  const wrong = [{ when: new Date(0) }, { list: [1, undefined] }, { deep: { n: Number.NaN } }, ["a"]];
  const reasons = await Promise.all(wrong.map(async (args) => (await refusalFrom(look(args))).reason));
  expect(reasons).toEqual([
    "args/when: Date is not plain JSON",
    "args/list/1: undefined is not JSON",
    "args/deep/n: NaN is not a JSON number",
    "args: expected an object, found a list",
  ]);
  expect(fn).not.toHaveBeenCalled();
});

async function theQuestion(gate: Awaited<ReturnType<typeof opened>>["gate"]) {
  return vi.waitFor(async () => {
    const [question] = await gate.approvals.list({ state: "pending" });
    if (question === undefined) throw new Error("nothing is asked yet");
    return question;
  }, PATIENT);
}
