import { expect, test, vi } from "vitest";
import {
  autoApprove,
  denyAll,
  interactive,
  isNotExecuted,
  type PolicyCallback,
  type PolicyLayer,
} from "../../src/index.ts";
import { CALLBACK_MS } from "../../src/library/bounded-callback.ts";
import { systemClock } from "../../src/system.ts";
import { createTestGate, entriesOf, opened, PATIENT, refusalFrom } from "./gates.ts";

const callback = (
  decide: NonNullable<PolicyCallback["decide"]>,
  over: Partial<PolicyCallback> = {},
): PolicyCallback => ({
  name: "house-rules",
  supportsInteraction: true,
  decide,
  ...over,
});

test("auto-approve answers a plain question, but no call that is denied, shadowed or needs a person", async () => {
  const { gate } = createTestGate({}, { callback: autoApprove });
  const tools = ["look", "pay", "propose", "dream", "nuke", "grantme"];
  const receipts = await gate.submitAll(tools.map((tool) => ({ tool })));
  expect(receipts.map(({ outcome, code }) => [outcome, code])).toEqual([
    ["run", undefined],
    ["run", undefined],
    ["not_executed", "LEEWAY_SUGGESTED"],
    ["not_executed", "LEEWAY_SHADOWED"],
    ["denied", "LEEWAY_DENIED"],
    ["denied", "LEEWAY_NEEDS_HUMAN"],
  ]);
});

test("deny-all denies calls that would have run, with its own text or the default text", async () => {
  for (const [all, text] of [
    [denyAll(), "Permission denied by policy"],
    [denyAll("Sandbox mode"), "Sandbox mode"],
  ] as const) {
    const { gate } = createTestGate({}, { callback: all });
    const fn = vi.fn();
    const refusal = await refusalFrom(gate.guard("look", fn)({}));
    expect([refusal.code, refusal.forModel.includes(text), fn.mock.calls.length]).toEqual(["LEEWAY_DENIED", true, 0]);
  }
});

test("the answer and the name of a callback are in the record of the decision", async () => {
  const { gate } = createTestGate({}, { callback: denyAll("Sandbox mode") });
  await gate.submit({ tool: "look" });
  const [decided] = await gate.ledger.entries({ kinds: ["call.decided"] });
  const causes = [{ by: "callback", name: "deny-all", tier: "deny", because: "Sandbox mode" }];
  expect(decided?.body?.json).toMatchObject({ decision: { causes } });
});

test("a callback that throws or gives an invalid answer leads to a denial that says so", async () => {
  const broken = [
    () => {
      throw new Error("no network");
    },
    async () => Promise.reject(new Error("no network")),
    () => ({ answer: "sure" }) as never,
    () => "allow" as never,
    () => ({ answer: "allow", grnat: {} }) as never,
    () => ({ answer: "allow", grant: { covers: { targets: [], level: "admin" }, because: "all" } }) as never,
    () =>
      ({
        answer: "allow",
        grant: { covers: { class: "db.read", targets: [{ kind: "toString" }], level: "read" }, because: "x" },
      }) as never,
  ];
  const reasons = [];
  for (const decide of broken) {
    const { gate } = createTestGate({}, { callback: callback(decide) });
    const receipt = await gate.submit({ tool: "look" });
    reasons.push([receipt.outcome, receipt.decision.because.join().replace(/^.*failed/, "failed")]);
  }
  expect(reasons).toEqual([
    ["denied", "failed: no network"],
    ["denied", "failed: no network"],
    ["denied", "failed: its answer/answer: sure is not an allowed value; use one of: allow, deny, ask"],
    ["denied", "failed: its answer: expected an object; it can have these keys: answer, grant, reason"],
    ["denied", "failed: its answer/grnat: unknown key; did you mean grant?"],
    ["denied", "failed: its answer/grant/covers: a grant must cover something; name a class, a tool or targets"],
    [
      "denied",
      "failed: its answer/grant/covers/targets/0/kind: toString is not an allowed value; use one of: path, domain, command, tool",
    ],
  ]);
});

test("a callback that does not answer in time leads to a denial", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { gate } = createTestGate({}, { callback: callback(() => new Promise(() => {})) });
    const asked = gate.submit({ tool: "look" });
    await vi.advanceTimersByTimeAsync(CALLBACK_MS);
    expect((await asked).outcome).toBe("denied");
  } finally {
    vi.useRealTimers();
  }
});

test("a callback gets a copy, and changing it affects neither the decision nor the call", async () => {
  const meddling = callback(({ call, effect }) => {
    Object.assign(call, { tool: "look", args: { amount: 1 } });
    Object.assign(effect, { parts: [] });
    return undefined;
  });
  const { gate } = createTestGate({}, { callback: meddling });
  const receipt = await gate.submit({ tool: "pay", args: { amount: 5 } });
  expect([receipt.outcome, (await gate.approvals.get(receipt.approvalId ?? "")).args]).toEqual([
    "pending",
    { amount: 5 },
  ]);
});

test("an answer that allows with a grant creates the grant in the callback's name, and it covers later calls", async () => {
  const once = vi.fn().mockReturnValueOnce({
    answer: "allow",
    grant: { covers: { tool: { name: "pay" }, targets: [], level: "write" }, because: "small sums", uses: 2 },
  });
  const { gate, deps } = createTestGate({}, { callback: callback(once) });
  const outcomes = [];
  for (const amount of [1, 2, 3, 4])
    outcomes.push((await gate.submit({ agent: "shop", tool: "pay", args: { amount } })).outcome);
  const [held] = await gate.grants.list();
  expect([held?.grant.grantedBy, held?.grant.because, held?.grant.subject]).toEqual([
    { callback: "house-rules" },
    "small sums",
    { agent: "shop" },
  ]);
  expect([outcomes, (await entriesOf(deps)).includes("grant.created")]).toEqual([
    ["run", "run", "run", "pending"],
    true,
  ]);
});

test("a grant that the callback gave covers a call for which it answers ask later, and not one that it denies", async () => {
  const granted = {
    answer: "allow",
    grant: { covers: { tool: { name: "pay" }, targets: [], level: "write" }, because: "small sums" },
  };
  const decide = vi.fn().mockReturnValueOnce(granted).mockReturnValueOnce({ answer: "ask" });
  decide.mockReturnValueOnce({ answer: "deny" }).mockReturnValueOnce({ answer: "ask" });
  const { gate } = createTestGate({}, { callback: callback(decide) });
  const outcomes = [];
  for (const tool of ["pay", "pay", "pay", "look"])
    outcomes.push((await gate.submit({ agent: "shop", tool, args: {} })).outcome);
  expect(outcomes).toEqual(["run", "run", "denied", "pending"]);
});

test("if a live grant of a person covers the call, the callback is not asked", async () => {
  const decide = vi.fn(() => ({ answer: "deny" as const, reason: "Sandbox mode" }));
  const { gate } = await opened({}, { callback: callback(decide) });
  const submit = async (tool: string) => (await gate.submit({ agent: "shop", tool, args: {} })).outcome;
  const covers = (name: string) => ({ tool: { name }, targets: [], level: "admin" as const });
  const give = (name: string) =>
    gate.grants.add({ by: "ana", subject: { agent: "shop" }, covers: covers(name), because: "fine", uses: 1 });
  expect([await submit("pay"), await submit("look")]).toEqual(["denied", "denied"]);
  for (const name of ["pay", "look", "nuke", "grantme"]) await give(name);
  decide.mockClear();
  expect([await submit("pay"), await submit("look")]).toEqual(["run", "run"]);
  expect((await gate.check({ agent: "shop", tool: "look", args: {} })).decision.tier).toBe("auto");
  expect(decide).not.toHaveBeenCalled();
  // A grant cannot lift what the policy denies or requires a person for, and a used-up grant covers nothing.
  expect([await submit("nuke"), await submit("grantme"), await submit("pay")]).toEqual(["denied", "denied", "denied"]);
});

test("grants that a callback names are checked when the gate is opened", async () => {
  const covers = { tool: { name: "pay" }, targets: [], level: "write" as const };
  const open = (over: object) => () => createTestGate({}, { callback: { ...callback(() => undefined), ...over } });
  expect(open({ grants: { small: { covers: { targets: [], level: "write" }, because: "x" } } })).toThrow(
    "callback/grants/small/covers: a grant must cover something",
  );
  expect(open({ grants: { small: { covers, becuase: "x" } } })).toThrow("callback/grants/small/becuase");
  expect(open({ grants: { small: { covers, because: "x", untilMs: 1 } } })).toThrow(
    "callback/grants/small/untilMs: the end is in the past",
  );
  expect(open({ decied: () => undefined })).toThrow("callback/decied: unknown key; did you mean decide?");
  expect(open({ decide: "allow" })).toThrow("callback/decide");

  const grants = { "small sums": { covers, because: "small sums", uses: 1 } };
  const named = vi.fn().mockReturnValueOnce({ answer: "allow", grant: "small sums" });
  const { gate } = createTestGate({}, { callback: { ...callback(named), grants } });
  const outcomes = [];
  for (const amount of [1, 2, 3]) outcomes.push((await gate.submit({ tool: "pay", args: { amount } })).outcome);
  expect(outcomes).toEqual(["run", "run", "pending"]);
  const odd = createTestGate(
    {},
    { callback: { ...callback(() => ({ answer: "allow", grant: "smal sums" })), grants } },
  );
  const receipt = await odd.gate.submit({ tool: "pay" });
  expect([receipt.outcome, receipt.decision.because.join()]).toEqual([
    "denied",
    expect.stringContaining("its answer/grant: smal sums is not an allowed value"),
  ]);
});

test("if the callback cannot ask anybody, a question is declined immediately", async () => {
  const { gate } = await opened({}, { callback: callback(() => undefined, { supportsInteraction: false }) });
  const out = await gate.guard("pay", () => "never")({ amount: 5 });
  expect(isNotExecuted(out) && [out.code, out.forModel.includes("declined to answer")]).toEqual([
    "LEEWAY_HEADLESS",
    true,
  ]);

  const strict = await opened(
    { headless: "deny" },
    { callback: callback(() => undefined, { supportsInteraction: false }) },
  );
  expect((await refusalFrom(strict.gate.guard("pay", () => "never")({ amount: 5 }))).code).toBe("LEEWAY_HEADLESS");
});

test("the interactive callback shows a question to the person once, and what they approve runs", async () => {
  const ask = vi.fn(() => ({ by: "ana", verdict: "approve" as const, note: "fine" }));
  const { gate } = await opened({}, { callback: interactive(ask) }, { clock: systemClock });
  const pay = gate.guard("pay", ({ amount }: { amount: number }) => `paid ${amount}`);
  const look = gate.guard("look", () => "found");
  expect([await look({}), await gate.as({ agent: "shop" }, () => pay({ amount: 5 }))]).toEqual(["found", "paid 5"]);
  expect(ask.mock.calls).toMatchObject([[{ agent: "shop", tool: "pay", args: { amount: 5 }, state: "pending" }]]);
  const [entry] = await gate.ledger.entries({ kinds: ["approval.reviewed"] });
  expect(entry?.body?.json).toMatchObject({ assurance: "process", note: "fine" });
});

test("the interactive callback tells the caller what the person denied, or that they could not be asked", async () => {
  const denying = await opened(
    {},
    { callback: interactive(() => ({ by: "ana", verdict: "deny", note: "not today" })) },
    { clock: systemClock },
  );
  const denied = await refusalFrom(denying.gate.guard("pay", () => "never")({}));
  expect([denied.code, denied.reason]).toEqual(["LEEWAY_REVIEW_DENIED", "ana denied this call: not today"]);

  const broken = interactive(() => {
    throw new Error("no terminal");
  });
  const asking = await opened({}, { callback: broken }, { clock: systemClock });
  const unasked = await refusalFrom(asking.gate.guard("pay", () => "never")({}));
  expect([unasked.code, unasked.reason]).toEqual(["LEEWAY_CANCELLED", "the person could not be asked: no terminal"]);
  expect(await asking.gate.approvals.list({ state: "pending" })).toHaveLength(1);
});

test("the interactive callback leaves the question open for others if the person does not answer", async () => {
  const { gate } = await opened({}, { callback: interactive(() => undefined) });
  const refusal = await refusalFrom(gate.guard("pay", () => "never", { waitMs: 1000 })({}));
  expect([refusal.code, (await gate.approvals.list({ state: "pending" })).length]).toEqual(["LEEWAY_PENDING", 1]);
});

test("an answer through a program is not enough if the policy requires proof of the person", async () => {
  const person: PolicyLayer = { approvals: { assurance: "person" } };
  const callback = interactive(() => ({ by: "ana", verdict: "approve" }));
  const { gate } = await opened(person, { callback }, { clock: systemClock });
  const fn = vi.fn();
  const refusal = await refusalFrom(gate.guard("pay", fn)({}));
  expect([refusal.code, fn.mock.calls.length]).toEqual(["LEEWAY_ASSURANCE", 0]);
});

test("an answer given elsewhere ends the wait while the person here has not answered", async () => {
  const { gate } = await opened({}, { callback: interactive(() => new Promise(() => {})) }, { clock: systemClock });
  const paying = gate.guard("pay", () => "paid")({});
  const question = await vi.waitFor(async () => {
    const [one] = await gate.approvals.list({ state: "pending" });
    if (one === undefined) throw new Error("nothing is asked yet");
    return one;
  }, PATIENT);
  await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest });
  expect(await paying).toBe("paid");
});
