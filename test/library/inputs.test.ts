import { beforeAll, describe, expect, test } from "vitest";
import type { Gate } from "../../src/library/gate.ts";
import { LeewayRefusal } from "../../src/service/refusal.ts";
import { opened, type TestGate } from "./gates.ts";

// Every verb of the library is called with invalid input, at every place. A new verb must be added here.

type Verb = (...given: unknown[]) => unknown;

const nothing = () => 1;
const CALL = { tool: "pay", args: { amount: 1 } };
const COVERS = {
  class: "db.write",
  tool: { name: "pay" },
  targets: [{ kind: "domain", pattern: "a.b" }],
  level: "write",
};
const REMEMBER = { uses: 2, until: "1h", covers: COVERS, session: true };

/** The input of each verb with all its keys. */
const GOOD: Record<string, (approvalId: string, digest: string) => readonly unknown[]> = {
  guard: () => ["sell", nothing, { class: "db.write", idempotent: true, waitMs: 5, notExecuted: "throw" }],
  as: () => [{ agent: "a", session: "s", run: "r", traceId: "t", requestedBy: "ana", cwd: "/project" }, nothing],
  withPolicy: () => [{ tier: "ask" }, nothing],
  submit: () => [{ ...CALL, callId: "c", claims: {}, says: "please", replayOf: "c0", runBy: "leeway" }],
  submitAll: () => [[CALL], { callId: "b" }],
  submitPlan: () => [
    { title: "one", agent: "a", session: "s", callId: "c", says: "please", calls: [{ tool: "look", width: "near" }] },
  ],
  run: () => [{ ...CALL, callId: "c" }, nothing, { waitMs: 5, onReply: nothing, signal: new AbortController().signal }],
  find: () => [{ callId: "c", agent: "a", session: "s", run: "r" }],
  check: () => [CALL],
  classify: () => [CALL],
  wait: (id) => [id, { timeoutMs: 5, signal: new AbortController().signal }],
  review: (id, digest) => [id, { by: "ana", verdict: "approve", digest, note: "fine", remember: REMEMBER }],
  reply: (id) => [id, { by: "ana", text: "why?" }],
  handOver: (id) => [id, { by: "ana", to: "ben", note: "yours" }],
  snooze: (id) => [id, { by: "ana", until: "5m" }],
  claim: () => ["exe_1"],
  renew: () => ["exe_1", { attempt: "att_1" }],
  release: () => ["exe_1", { attempt: "att_1", why: "stopped" }],
  settle: () => ["exe_1", { attempt: "att_1", ok: true, result: 1 }],
  cancel: (id) => [id, { by: "ana" }],
  reconcile: () => ["exe_1", { by: "ana", ok: true, note: "I looked" }],
  endSession: () => ["s1", { by: "ana" }],
  pause: () => [
    { of: "tool", name: "pay", session: "s1" },
    { by: "ana", because: "stop" },
  ],
  resume: () => ["pau_1", { by: "ana" }],
  "approvals.list": () => [{ state: "pending", agent: "a", limit: 5, after: { id: "apr_1", openedMs: 5 } }],
  "approvals.get": (id) => [id],
  "grants.add": () => [
    { subject: { agent: "a" }, covers: COVERS, tier: "auto", because: "x", by: "ana", until: "1h", uses: 3 },
  ],
  "tools.declare": () => [{ tool: "get_weather", does: "looks", by: "ana" }],
  "tools.forget": () => ["dec_1", { by: "ana" }],
  "grants.revoke": () => ["grt_1", { by: "ana" }],
  "grants.suggest": (id) => [id],
  "notices.list": () => [{ to: "ana", unread: true, kinds: ["ran"], limit: 5 }],
  "notices.read": () => ["ntc_1"],
  "agents.get": () => ["a"],
  "agents.promote": () => [{ agent: "a", tier: "auto", class: "db.write", because: "x", by: "ana", untilMs: 5 }],
  "agents.demote": () => [{ agent: "a", tier: "ask", class: "db.write", because: "x", by: "ana", untilMs: 5 }],
  "people.add": () => [
    { name: "ben", admin: true, auditor: false, groups: ["leads"], passphrase: "long enough", by: "ana" },
  ],
  "people.change": () => ["ben", { admin: true, auditor: false, groups: ["leads"], by: "ana" }],
  "people.remove": () => ["ana", { by: "ana" }],
  "ledger.entries": () => [
    {
      afterIndex: 0,
      beforeIndex: 9,
      kinds: ["call.decided"],
      fromMs: 0,
      toMs: 9,
      actor: "leeway",
      subject: { tool: "x" },
    },
    { limit: 5, order: "newest" },
  ],
  "ledger.verify": () => [{ onProgress: nothing }],
  "ledger.export": () => [{ afterIndex: 0, kinds: ["call.decided"] }],
  "ledger.prove": () => [1],
  "trust.of": () => ["a"],
  "trust.export": () => [{ agent: "a" }],
  "policy.accept": () => ["/project/leeway.yaml", { by: "ana", version: "sha256:seen" }],
};

const TAKES_NOTHING = [
  "current",
  "close",
  "pauses",
  "grants.list",
  "tools.list",
  "agents.list",
  "people.list",
  "ledger.head",
  "ledger.checkpoint",
  "policy.inForce",
];

/** Invalid at every place. */
const WRONG: readonly [string, unknown][] = [
  ["NaN", Number.NaN],
  ["null", null],
  ["a symbol", Symbol("x")],
  ["nothing but a name of the prototype", JSON.parse('{"__proto__": 1}')],
  ["an unknown key", { nonsense: 1 }],
  ["a list of holes", [undefined]],
];

/** Free JSON, where a program may put anything: an unknown key is allowed there. */
const FREE = /(^|\/)(args|claims|edits|result)$/;

let made: TestGate;
let asked: { id: string; digest: string };
beforeAll(async () => {
  made = await opened();
  const { approvalId = "", digest } = await made.gate.submit({ agent: "shop", ...CALL });
  asked = { id: approvalId, digest };
});

describe("invalid input of a verb is refused with its path, and nothing is recorded", () => {
  test("the test covers every verb", () => {
    expect([...verbsOf(made.gate).keys()].sort()).toEqual([...Object.keys(GOOD), ...TAKES_NOTHING].sort());
  });

  test.each(Object.keys(GOOD))("%s", async (name) => {
    const verb = verbsOf(made.gate).get(name);
    const good = GOOD[name]?.(asked.id, asked.digest);
    if (verb === undefined || good === undefined) throw new Error(`${name} is no verb`);
    const before = await made.gate.ledger.head();
    for (const { path, given } of spoilt(good)) {
      const { code, reason, hint } = await refusalBy(verb, given, `${name} ${path}`);
      // A policy that is written as an object has lines and columns like any other.
      const named = code === "LEEWAY_POLICY_INVALID" ? /^withPolicy:\d+:\d+: /.test(reason) : isNamed(reason, path);
      expect([path, code, reason, named, hint === ""]).toEqual([
        path,
        name === "withPolicy" ? code : "LEEWAY_BAD_INPUT",
        reason,
        true,
        false,
      ]);
    }
    expect(await made.gate.ledger.head()).toEqual(before);
  });
});

function verbsOf(gate: Gate): Map<string, Verb> {
  const verbs = new Map<string, Verb>();
  for (const [name, value] of Object.entries(gate)) {
    if (typeof value === "function") verbs.set(name, value as Verb);
    else for (const [inner, verb] of Object.entries(value)) verbs.set(`${name}.${inner}`, verb as Verb);
  }
  return verbs;
}

type Spoilt = { path: string; given: readonly unknown[] };

/** The valid arguments with one mistake: each argument as a whole, then each key inside, at any depth. */
function spoilt(good: readonly unknown[]): Spoilt[] {
  return good.flatMap((argument, at) =>
    spoiltValues(argument, "").map(({ path, value }) => ({
      path,
      given: good.map((one, n) => (n === at ? value : one)),
    })),
  );
}

function spoiltValues(good: unknown, path: string): { path: string; value: unknown }[] {
  const wrong = WRONG.filter(
    ([what]) => !(FREE.test(path) && /key|prototype/.test(what)) && !(what === "null" && path === "result"),
  );
  const whole = wrong.map(([, value]) => ({ path, value }));
  const blank = typeof good === "string" && !/(^|\/)(note|says)$/.test(path) ? [{ path, value: "" }] : [];
  return [...whole, ...blank, ...(FREE.test(path) ? [] : inside(good, path))];
}

function inside(good: unknown, path: string): { path: string; value: unknown }[] {
  if (typeof good !== "object" || good === null || good instanceof AbortSignal) return [];
  return Object.entries(good).flatMap(([key, inner]) =>
    spoiltValues(inner, path === "" ? key : `${path}/${key}`).map((wrong) => ({
      path: wrong.path,
      value: Array.isArray(good)
        ? good.map((one, n) => (String(n) === key ? wrong.value : one))
        : { ...good, [key]: wrong.value },
    })),
  );
}

async function refusalBy(verb: Verb, given: readonly unknown[], what: string): Promise<LeewayRefusal> {
  try {
    const value = await verb(...given);
    if (isStream(value)) for await (const _ of value) break;
  } catch (error) {
    if (error instanceof LeewayRefusal) return error;
    throw new Error(`${what} was not refused but broke: ${error instanceof Error ? error.stack : String(error)}`);
  }
  throw new Error(`${what} was taken`);
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** The reason begins with the path, or with a path inside it. */
function isNamed(reason: string, path: string): boolean {
  return path === "" || reason.startsWith(path) || reason.includes(`/${path}`) || reason.includes(`${path}:`);
}
