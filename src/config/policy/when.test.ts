import { describe, expect, test } from "vitest";
import { cpuMsOf } from "../../../test/cpu.ts";
import { textOf } from "../../core/messages/text.ts";
import { type JsonObject, toJson } from "../../core/values/json.ts";
import { compileWhen } from "./when.ts";

function compile(text: string) {
  const made = compileWhen(text);
  if (!made.ok) throw new Error(textOf(made.message, "en"));
  return made.when;
}

function holds(text: string, args: JsonObject, claims: JsonObject = {}) {
  return compile(text).holds({
    call: {
      agent: "coder",
      tool: "refund",
      args,
      cwd: "",
      session: "",
      run: "",
      chain: ["boss"],
      claims,
      requestedBy: "",
    },
    effect: {
      class: "payments.move",
      capability: "payments.move",
      level: "admin",
      reversible: false,
      reach: "outside",
      understood: "fully",
      method: "POST",
      path: "",
      command: ["git", "push"],
      domain: "api.example.com",
    },
    context: { workspace: "default", nowMs: 0 },
  });
}

test("an expression can read the call, the part being judged and the context", () => {
  expect(holds('call.args.amount > 100 && effect.class == "payments.move"', { amount: 150 })).toBe(true);
  expect(holds('call.args.amount > 100 && context.workspace == "default"', { amount: 50 })).toBe(false);
  expect(holds('"boss" in call.chain && !effect.reversible', {})).toBe(true);
  expect(holds('effect.command.exists(word, word == "push") && effect.domain.endsWith(".com")', {})).toBe(true);
  expect(holds('re2(call.args.to, "^[a-z]+@example\\\\.com$")', { to: "ana@example.com" })).toBe(true);
});

test("an expression can read the call's own arguments, but not what JavaScript objects inherit", () => {
  const copied = toJson({ amount: 150, deep: { list: [{ k: "v" }] } });
  if (!copied.ok) throw new Error(copied.why);
  const args = copied.value as JsonObject;
  expect(holds('call.args.amount == 150.0 && call.args.deep.list[0].k == "v"', args)).toBe(true);
  expect(
    ["constructor", "__proto__", "toString", "hasOwnProperty"].map((name) => holds(`has(call.args.${name})`, args)),
  ).toEqual([false, false, false, false]);
  expect(holds("has(call.args.constructor)", { amount: 1 })).toBe(false);
});

test("an expression that fails has no result", () => {
  expect(holds("call.args.amount > 100", {})).toBeUndefined();
  expect(holds("call.args.amount > 100", { amount: "much" })).toBeUndefined();
  expect(holds("has(call.args.amount)", {})).toBe(false);
  expect(holds('re2(call.args.to, "x")', { to: 5 })).toBeUndefined();
});

test("a macro over too much data stops immediately and has no result", () => {
  const many = Array.from({ length: 1001 }, () => 1);
  expect(holds("call.args.list.exists(x, x == 2)", { list: many })).toBeUndefined();
  expect(holds("call.args.list.exists(x, x == 2)", { list: many.slice(1) })).toBe(false);
  const big = "a".repeat(100_000);
  expect(
    holds("call.args.list.exists(x, call.args.big.contains(string(x)))", { list: many.slice(1), big }),
  ).toBeUndefined();
  expect(holds('call.args.big.contains("b")', { list: many, big })).toBe(false);
});

test("a regular expression searches only a limited amount of text", () => {
  const found = (length: number) => holds('re2(call.args.text, "[a-z]*[0-9]$")', { text: "a".repeat(length) });
  expect([found(50_000), found(50_001)]).toEqual([false, undefined]);
  const twice = 're2(call.args.text, "b[0-9]") || re2(call.args.text, "c[0-9]")';
  expect(holds(twice, { text: "a".repeat(30_000) })).toBeUndefined();
});

test("a compiled expression says whether it reads the caller's own claims, however they are read", () => {
  const reading = [
    'call.claims.role == "admin"',
    'call["claims"].role == "admin"',
    "has(call.claims.role)",
    "dyn(call) == dyn(call)",
    "size(dyn(call)) > 0",
  ];
  const not = ["call.args.claims == 1", 'call.agent == "claims"', "has(call.session)"];
  expect(reading.map((text) => compile(text).readsClaims)).toEqual(reading.map(() => true));
  expect(not.map((text) => compile(text).readsClaims)).toEqual(not.map(() => false));
});

describe("expressions that are refused when they are loaded", () => {
  const cases: [text: string, message: RegExp, hint: RegExp][] = [
    ['call.agnet == "a"', /wrong: no such key: agnet/, /did you mean `agent`/],
    ["cal.agent == 1", /unknown variable: cal/, /did you mean `call`/],
    ["call.agent == 1", /wrong: no such overload/, /you can use: call/],
    ["call.agent", /gives string, not true or false/, /compare it/],
    ["call.agent ==", /cannot be parsed/, /docs\/policy\.md/],
    ['call.agent.matches("(a+)+$")', /`matches` cannot be used/, /use re2/],
    ['call.agent.startWith("a")', /unknown function `startWith`/, /did you mean `startsWith`/],
    ["cel.bind(x, 1, x == 1)", /unknown function `bind`/, /use one of/],
    ["[1].exists(x, [2].all(y, x == y))", /`all` stands inside another macro/, /one macro after the other/],
    ['re2(call.agent, "(?=a)")', /pattern of re2\(\) is wrong/, /look-ahead/],
    ['re2(call.agent, "(a{1,100}){1,10}b")', /is wrong: it repeats too much/, /look-ahead/],
    ["re2(call.agent, call.tool)", /must be text in quotes/, /look-ahead/],
    [`call.agent == "${"a".repeat(2000)}"`, /longer than 2000/, /split/],
  ];
  test.each(cases)("%s", (text, message, hint) => {
    const made = compileWhen(text);
    expect(!made.ok && [textOf(made.message, "en"), textOf(made.hint, "en")]).toEqual([
      expect.stringMatching(message),
      expect.stringMatching(hint),
    ]);
  });
});

test("several macros, one after the other, are allowed", () => {
  expect(holds("call.args.list.filter(x, x > 1).exists(x, x > 2)", { list: [1, 2, 3] })).toBe(true);
});

test("an expression that only uses the call is evaluated once for all its parts", () => {
  const when = compile("call.args.list.exists(x, call.args.text.contains(string(x)))");
  const args = { list: Array.from({ length: 900 }, (_, i) => i), text: "a".repeat(2_000) };
  const input = (command: string) => ({
    call: { agent: "a", tool: "t", args },
    effect: { command: [command] },
    context: { workspace: "w", nowMs: 1 },
  });
  const tookMs = cpuMsOf(() => {
    for (let i = 0; i < 2_000; i++) expect(when.holds(input(`c${i}`))).toBe(false);
  });
  expect(tookMs).toBeLessThan(6_000);
});

test("an expression that reads the parts is evaluated up to the limit for one call; after that it has no result", () => {
  const when = compile('effect.class == "x" || call.args.list.exists(x, call.args.text.contains(string(x)))');
  const args = { list: Array.from({ length: 900 }, (_, i) => i), text: "a".repeat(2_000) };
  const input = (nowMs: number) => ({
    call: { agent: "a", tool: "t", args },
    effect: { class: "y" },
    context: { workspace: "w", nowMs },
  });
  const said = Array.from({ length: 30 }, () => when.holds(input(2)));
  expect([said[0], said.at(-1)]).toEqual([false, undefined]);
  // Another call has its own limit.
  expect(when.holds(input(3))).toBe(false);
});
