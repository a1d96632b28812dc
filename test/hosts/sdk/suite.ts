import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../src/client/index.ts";
import type { Gate, PolicyLayer, ReviewInput } from "../../../src/index.ts";
import { type Side, type Sides, sides } from "../../client/sides.ts";
import { POLICY } from "../../library/gates.ts";

// One suite for every agent SDK: the real package, a scripted model, and a gate in this program or on a real server.

/** A call that the scripted model makes. */
export type ScriptedCall = { id: string; tool: string; args: { amount: number } };

/** Who calls, and how long a call waits. */
export type Setting = { agent: string; session: string; under?: readonly string[]; waitMs?: number };

/** What the model was told about each call, by the id of the call. */
export type Told = Readonly<Record<string, string>>;

/** A run that ended because calls wait for the reviewers. `state` is all that another process needs to go on. */
export type Stopped = { state: string; waiting: number };

/** An agent SDK, driven by the suite. `ran` collects what the tools really did. */
export type Sdk = {
  name: string;
  /** The name of a tool as the SDK tells it to the gate, if it differs. */
  nameOf?(tool: string): string;
  /** A run in which calls wait for the reviewers themselves. */
  hold(gate: Gate, calls: readonly ScriptedCall[], ran: string[], setting: Setting): Promise<Told>;
  pausing?: {
    /** The SDK has a question of its own for whether a call needs an approval; otherwise the reviewers are asked at once. */
    hasPredicate: boolean;
    /** A run that ends when a call needs an answer. Nobody is asked yet. */
    start(gate: Gate, calls: readonly ScriptedCall[], ran: string[], setting: Setting): Promise<string>;
    /** Asks the reviewers, or gets their answers; then goes on, unless a call still waits. */
    proceed(gate: Gate, state: string, ran: string[], setting: Setting): Promise<Stopped | Told>;
    /** Goes on as if everything was approved, without asking the gate. */
    forge(gate: Gate, state: string, ran: string[], setting: Setting): Promise<Told>;
  };
};

/** What the tools of every test do: they take an amount, and say that they ran. */
export function toolBody(name: string, ran: string[]): (args: { amount: number }) => string {
  return ({ amount }) => {
    ran.push(`${name} ${amount}`);
    return `done: ${name} ${amount}`;
  };
}

export const TOOLS = ["look", "tell", "pay", "propose", "dream", "nuke", "grantme"] as const;

let counter = 0;
/** Ids and amounts are different in each test: the same call would join the question of an earlier test. */
function fresh(tool: string): ScriptedCall {
  counter++;
  return { id: `call_${counter}`, tool, args: { amount: counter } };
}

export function isStopped(given: Stopped | Told): given is Stopped {
  return typeof given["waiting"] === "number";
}

export function suiteOf(sdk: Sdk): void {
  let on: Sides;
  beforeAll(async () => {
    on = await sides(policyFor(sdk));
  });
  afterAll(() => on.remove());
  describe.each(["a gate in this program", "a server"])(`${sdk.name} with %s`, (where) => {
    let side: Side;
    const opened = () => (where === "a server" ? on.there() : on.here());
    const closed = async (one: Side) => {
      await one.gate.close();
      await one.ana.close();
    };
    beforeAll(async () => {
      side = await opened();
    });
    afterAll(() => closed(side));
    const setting = (more: Partial<Setting> = {}): Setting => ({ agent: "coder", session: "s1", ...more });
    const stage = { sdk, side: () => side, opened, closed, setting };
    holdingTests(stage);
    if (sdk.pausing !== undefined) pausingTests(stage, sdk.pausing);
  });
}

/** The policy of the library's tests, in which every tier has a tool, with the names that this SDK uses. */
function policyFor({ nameOf = (tool) => tool }: Sdk): PolicyLayer {
  const renamed = <T>(table: Readonly<Record<string, T>> = {}) =>
    Object.fromEntries(Object.entries(table).map(([name, value]) => [nameOf(name), value]));
  return {
    ...POLICY,
    tools: renamed(POLICY.tools),
    tiers: renamed(POLICY.tiers),
    human: { tools: [nameOf("grantme")] },
  };
}

type Stage = {
  sdk: Sdk;
  side(): Side;
  opened(): Promise<Side>;
  closed(side: Side): Promise<void>;
  setting(more?: Partial<Setting>): Setting;
};

/** Answers the question about this call, as soon as there is one. */
async function answer({ ana }: Side, call: ScriptedCall, given: Omit<ReviewInput, "by" | "digest">): Promise<void> {
  await expect
    .poll(async () => (await questionOf(ana, call))?.id, { message: `nobody was asked about ${call.id}` })
    .toBeDefined();
  const found = await questionOf(ana, call);
  if (found === undefined) throw new Error(`the question about ${call.id} is gone`);
  await ana.review(found.id, { ...given, by: "ana", digest: found.digest });
}

async function questionOf(ana: Gate, { args }: ScriptedCall) {
  for (const { id } of await ana.approvals.list({ state: "pending" })) {
    const view = await ana.approvals.get(id);
    if (view.args["amount"] === args.amount) return view;
  }
  return undefined;
}

async function entriesOf({ ana }: Side): Promise<number> {
  return (await ana.ledger.head()).index;
}

function holdingTests({ sdk, side, setting }: Stage): void {
  test("`auto` and `notify` run; `suggest`, `shadow` and `deny` do not, and the model is told what to do", async () => {
    const calls = ["look", "tell", "propose", "dream", "nuke"].map(fresh);
    const [look, tell, propose, dream, nuke] = calls.map(({ id }) => id);
    const ran: string[] = [];
    const told = await sdk.hold(side().gate, calls, ran, setting());
    expect(ran.sort()).toEqual(calls.slice(0, 2).map(({ tool, args }) => `${tool} ${args.amount}`));
    expect(told[look ?? ""]).toContain("done: look");
    expect(told[tell ?? ""]).toContain("done: tell");
    expect(told[propose ?? ""]).toContain("It was proposed to the reviewers; continue without its result.");
    expect(told[dream ?? ""]).toContain("It was only recorded as a proposal; continue without its result.");
    expect(told[nuke ?? ""]).toContain("Do not retry this call. (LEEWAY_DENIED)");
  });

  test("a call that needs a person in any case does not run, and the model is told that reviewers were asked", async () => {
    const call = fresh("grantme");
    const ran: string[] = [];
    const told = await sdk.hold(side().gate, [call], ran, setting());
    expect(ran).toEqual([]);
    expect(told[call.id]).toContain("The reviewers were asked");
  });

  test("a call waits for the reviewers, and an approved one runs once", async () => {
    const call = fresh("pay");
    const ran: string[] = [];
    const running = sdk.hold(side().gate, [call], ran, setting());
    await answer(side(), call, { verdict: "approve" });
    expect((await running)[call.id]).toContain(`done: pay ${call.args.amount}`);
    expect(ran).toEqual([`pay ${call.args.amount}`]);
  });

  test("a denied call does not run, and the model gets the reviewer's reason", async () => {
    const call = fresh("pay");
    const ran: string[] = [];
    const running = sdk.hold(side().gate, [call], ran, setting());
    await answer(side(), call, { verdict: "deny", note: "too much" });
    const told = (await running)[call.id];
    expect(told).toContain("too much");
    expect(told).toContain("Do not retry this call. (LEEWAY_REVIEW_DENIED)");
    expect(ran).toEqual([]);
  });

  test("a call that a reviewer changed runs as changed, and the model is told what was changed", async () => {
    const call = fresh("pay");
    const ran: string[] = [];
    const running = sdk.hold(side().gate, [call], ran, setting());
    await answer(side(), call, { verdict: "approve", edits: { amount: 7 } });
    const told = (await running)[call.id];
    expect(ran).toEqual(["pay 7"]);
    expect(told).toContain("A reviewer changed the arguments of this call");
    expect(told).toContain(`"amount":${call.args.amount}`);
    expect(told).toContain("done: pay 7");
  });

  test("a call that nobody answers in time does not run, and the model is told so", async () => {
    const call = fresh("pay");
    const ran: string[] = [];
    const told = await sdk.hold(side().gate, [call], ran, setting({ waitMs: 0 }));
    expect(told[call.id]).toContain("(LEEWAY_PENDING)");
    expect(ran).toEqual([]);
  });

  test("a call that is approved after its run has ended runs once when the agent makes it again", async () => {
    const [call, ran] = [fresh("pay"), [] as string[]];
    const { id, args } = call;
    const quick = setting({ waitMs: 0 });
    await sdk.hold(side().gate, [call], ran, quick);
    await answer(side(), call, { verdict: "approve" });
    const again = await sdk.hold(side().gate, [{ ...call, id: `${id}b` }], ran, quick);
    expect([again[`${id}b`], ran]).toEqual([expect.stringContaining("done: pay"), [`pay ${args.amount}`]]);
    const third = await sdk.hold(side().gate, [{ ...call, id: `${id}c` }], ran, quick);
    expect([third[`${id}c`], ran.length]).toEqual([expect.stringContaining("(LEEWAY_PENDING)"), 1]);
  });

  test("the result that the tool gave is in the record", async () => {
    const call = fresh("look");
    await sdk.hold(side().gate, [call], [], setting({ session: `result-${call.id}` }));
    const receipt = await side().gate.find({ callId: call.id, agent: "coder", session: `result-${call.id}` });
    expect([receipt?.outcome, JSON.stringify(receipt?.result)]).toEqual(["run", expect.stringContaining("done: look")]);
  });

  test("parallel calls have their own outcomes", async () => {
    const calls = [fresh("pay"), fresh("pay"), fresh("look")];
    const [yes, no, free] = calls;
    if (yes === undefined || no === undefined || free === undefined) throw new Error("three calls were made");
    const ran: string[] = [];
    const running = sdk.hold(side().gate, calls, ran, setting());
    // Claude Code begins a call when the one before it has ended; the other SDKs ask about both at once.
    await Promise.all([
      answer(side(), no, { verdict: "deny", note: "not this one" }),
      answer(side(), yes, { verdict: "approve" }),
    ]);
    const told = await running;
    expect(told[yes.id]).toContain(`done: pay ${yes.args.amount}`);
    expect(told[no.id]).toContain("not this one");
    expect(told[free.id]).toContain("done: look");
    expect(ran.sort()).toEqual([`look ${free.args.amount}`, `pay ${yes.args.amount}`]);
  });

  test("the record names the agents above a sub-agent", async () => {
    const call = fresh("look");
    const ran: string[] = [];
    await sdk.hold(side().gate, [call], ran, setting({ agent: "helper", under: ["coder"] }));
    const [entry] = await side().ana.ledger.entries(
      { subject: { agent: "helper" }, kinds: ["call.decided"] },
      { limit: 1 },
    );
    expect([entry?.body?.json["chain"], ran]).toEqual([["coder"], [`look ${call.args.amount}`]]);
  });

  test("if the gate does not answer, nothing runs", async () => {
    const nobody = createClient({ url: "http://127.0.0.1:4", token: "lwy_none" });
    const ran: string[] = [];
    const call = fresh("look");
    const told = await sdk.hold(nobody, [call], ran, setting());
    expect([ran, told[call.id]]).toEqual([[], expect.stringContaining("(LEEWAY_AUDIT_UNAVAILABLE)")]);
  });
}

function pausingTests({ side, opened, closed, setting }: Stage, pausing: NonNullable<Sdk["pausing"]>): void {
  /** What another process does with the state: it has a gate of its own. */
  const elsewhere = async <T>(act: (gate: Gate) => Promise<T>): Promise<T> => {
    const other = await opened();
    try {
      return await act(other.gate);
    } finally {
      await closed(other);
    }
  };
  const stopped = async (calls: readonly ScriptedCall[], ran: string[]) => {
    const before = await entriesOf(side());
    const state = await pausing.start(side().gate, calls, ran, setting());
    return { state, entries: (await entriesOf(side())) - before };
  };
  const proceed = (state: string, ran: string[]) => elsewhere((gate) => pausing.proceed(gate, state, ran, setting()));

  test("a run stops, another process asks, a third one goes on after the approval; the call runs once", async () => {
    const call = fresh("pay");
    const ran: string[] = [];
    const { state } = await stopped([call], ran);
    const waiting = await proceed(state, ran);
    expect([isStopped(waiting) && waiting.waiting, ran]).toEqual([1, []]);
    await answer(side(), call, { verdict: "approve" });
    const told = await proceed(state, ran);
    expect(told).toMatchObject({ [call.id]: expect.stringContaining(`done: pay ${call.args.amount}`) });
    expect(ran).toEqual([`pay ${call.args.amount}`]);
    // The same state once more, as after a crash: the stored result, and nothing runs.
    expect(await proceed(state, ran)).toMatchObject({ [call.id]: expect.stringContaining("done: pay") });
    expect(ran).toEqual([`pay ${call.args.amount}`]);
  });

  test("a declined call never runs after the run goes on, even if the SDK is told that it was approved", async () => {
    const call = fresh("pay");
    const ran: string[] = [];
    const { state } = await stopped([call], ran);
    await proceed(state, ran);
    await answer(side(), call, { verdict: "deny", note: "never" });
    const told = await proceed(state, ran);
    expect(told).toMatchObject({ [call.id]: expect.stringContaining("never") });
    const forged = await elsewhere((gate) => pausing.forge(gate, state, ran, setting()));
    expect([forged[call.id], ran]).toEqual([expect.stringContaining("Do not retry this call."), []]);
  });

  test("an approval that nobody gave does not run the call", async () => {
    const call = fresh("pay");
    const ran: string[] = [];
    const { state } = await stopped([call], ran);
    const forged = await elsewhere((gate) => pausing.forge(gate, state, ran, setting()));
    // Without a question of its own, the run stops again.
    const told = pausing.hasPredicate ? expect.stringContaining("(LEEWAY_PENDING)") : undefined;
    expect([forged[call.id], ran]).toEqual([told, []]);
  });

  test("a call that a reviewer changed while the run was stopped runs as changed", async () => {
    const call = fresh("pay");
    const ran: string[] = [];
    const { state } = await stopped([call], ran);
    await proceed(state, ran);
    await answer(side(), call, { verdict: "approve", edits: { amount: 8 } });
    const told = await proceed(state, ran);
    expect(told).toMatchObject({ [call.id]: expect.stringContaining("A reviewer changed the arguments of this call") });
    expect(ran).toEqual(["pay 8"]);
  });

  test("parallel calls of a stopped run have their own outcomes; what may run at once does not wait", async () => {
    const calls = [fresh("pay"), fresh("pay"), fresh("pay"), fresh("look")];
    const [yes, no, changed, free] = calls;
    if (!yes || !no || !changed || !free) throw new Error("four calls were made");
    const ran: string[] = [];
    const { state } = await stopped(calls, ran);
    expect(ran).toEqual([`look ${free.args.amount}`]);
    await proceed(state, ran);
    await answer(side(), no, { verdict: "deny", note: "not this one" });
    await answer(side(), changed, { verdict: "approve", edits: { amount: 9 } });
    const partly = await proceed(state, ran);
    expect(isStopped(partly) && partly.waiting).toBe(1);
    await answer(side(), yes, { verdict: "approve" });
    const told = await proceed(isStopped(partly) ? partly.state : state, ran);
    expect(told).toMatchObject({ [yes.id]: expect.stringContaining(`done: pay ${yes.args.amount}`) });
    expect(ran.sort()).toEqual([`look ${free.args.amount}`, `pay ${yes.args.amount}`, "pay 9"].sort());
  });

  if (!pausing.hasPredicate) return;
  test("asking whether a call needs an approval records nothing", async () => {
    const { entries } = await stopped([fresh("pay")], []);
    expect(entries).toBe(0);
  });
}
