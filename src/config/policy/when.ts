import type { Environment, ParseResult } from "@marcbachmann/cel-js";
import type { RE2JS } from "re2js";
import { type Message, say } from "../../core/messages/message.ts";
import type { CompileWhen } from "../../core/policy/rule.ts";
import { didYouMean } from "../../core/policy/shape.ts";
import { WHEN_FIELDS } from "../../core/policy/when-fields.ts";
import type { WhenInput } from "../../core/policy.ts";
import type { Json } from "../../core/values/json.ts";
import { nearest } from "../../core/values/nearest.ts";
import { once } from "../../core/values/once.ts";
import { celLibrary, re2Library } from "../parse/libraries.ts";
import { type Ast, callsIn, nestedMacro, patternsOf, readsClaims, readsEffect, usesMacro } from "./when-ast.ts";

const TEXT_MAX = 2000;
const PATTERN_MAX = 500;
/** Limit for an expression with a macro: items times characters. About a hundredth of a second. */
const WORK_MAX = 2_000_000;
const LIST_MAX = 1000;
/** Limits for the patterns of one expression: characters searched, and steps per character. */
const PATTERN_WORK = { characters: 50_000, steps: 300 };

/**
 * The functions that an expression may call. `matches` is not among them, because it backtracks and an agent chooses
 * the text.
 */
const FUNCTIONS = [
  ..."has size contains startsWith endsWith lowerAscii upperAscii trim indexOf lastIndexOf substring".split(" "),
  ..."int double string bool dyn re2 exists exists_one all filter map".split(" "),
];

const environment = once(newEnvironment);

/**
 * Compiles a CEL expression, checks its types, and refuses expressions that could take long or have no certain
 * result.
 */
export const compileWhen: CompileWhen = (text) => {
  if (text.length > TEXT_MAX) return refuse(say("when.too_long", { max: TEXT_MAX }), say("when.split_rule"));
  const parsed = parse(text);
  if ("why" in parsed) return refuse(say("when.not_parsed", { why: parsed.why }), say("when.see_docs"));
  const ast = parsed.program.ast as unknown as Ast;
  const refused = forbidden(ast);
  if (refused !== undefined) return refused;
  const patterns = compilePatterns(ast);
  if ("why" in patterns) return refuse(say("when.pattern_wrong", { why: patterns.why }), say("when.no_look_around"));
  // Read before the type check, which rewrites macros in place.
  const claims = readsClaims(ast);
  const macro = usesMacro(ast);
  const aboutCall = !readsEffect(ast);
  const checked = parsed.program.check();
  if (!checked.valid) return refuse(say("when.wrong", { why: firstLine(checked.error) }), fieldsHint(checked.error));
  if (checked.type !== "bool")
    return refuse(say("when.not_boolean", { type: checked.type ?? "" }), say("when.compare"));
  const { program } = parsed;
  const answer = (input: WhenInput) => holds(program, input, { macro });
  return { ok: true, when: { text, readsClaims: claims, holds: aboutCall ? oncePerCall(answer) : answer } };
};

/** If an expression fails, the result is `undefined`; then both results are considered. */
function holds(program: ParseResult, input: WhenInput, o: { macro: boolean }): boolean | undefined {
  if (spent.args !== input.call.args || spent.nowMs !== input.context.nowMs)
    spent = { args: input.call.args, nowMs: input.context.nowMs, macros: 0, characters: 0 };
  if (o.macro && !affordable(input)) return undefined;
  patternCharacters = 0;
  try {
    const value: unknown = program(input as unknown as Record<string, unknown>);
    return typeof value === "boolean" ? value : undefined;
  } catch {
    return undefined;
  }
}

function newEnvironment(): Environment {
  const made = new (celLibrary().Environment)({
    limits: { maxAstNodes: 400, maxDepth: 24, maxListElements: 200, maxMapEntries: 50, maxCallArguments: 4 },
  });
  for (const [name, schema] of Object.entries(WHEN_FIELDS)) made.registerVariable({ name, schema: { ...schema } });
  return made.registerFunction("re2(string, string): bool", matchesPattern);
}

/** Reset for every evaluation. Evaluation is synchronous, so there is only one at a time. */
let patternCharacters = 0;

/** What the expressions of all rules have used for one call, which is judged part by part. */
let spent: { args: unknown; nowMs: unknown; macros: number; characters: number } = {
  args: undefined,
  nowMs: 0,
  macros: 0,
  characters: 0,
};
/** The limit for one call, as a number of the most expensive expressions. */
const PER_CALL = 20;

function matchesPattern(text: string, pattern: string): boolean {
  patternCharacters += text.length;
  if (patternCharacters > PATTERN_WORK.characters) throw new RangeError("the text is too long for re2()");
  const before = lastTried.get(pattern);
  if (before?.text === text) return before.found;
  spent.characters += text.length;
  if (spent.characters > PER_CALL * PATTERN_WORK.characters)
    throw new RangeError("re2() has searched as much text as one call allows");
  const found = compiled(pattern).test(text);
  lastTried.set(pattern, { text, found });
  return found;
}

/** The same text is searched for each part of a call, so the last result is kept. */
const lastTried = new Map<string, { text: string; found: boolean }>();

const patternCache = new Map<string, RE2JS>();

/** Patterns are constants in the loaded policies, so this cache cannot grow without bound. */
function compiled(pattern: string): RE2JS {
  const known = patternCache.get(pattern);
  if (known !== undefined) return known;
  const made = re2Library().RE2JS.compile(pattern);
  patternCache.set(pattern, made);
  return made;
}

function parse(text: string): { program: ParseResult } | { why: string } {
  try {
    return { program: environment().parse(text) };
  } catch (error) {
    return { why: firstLine(error) };
  }
}

function forbidden(ast: Ast): ReturnType<CompileWhen> | undefined {
  const unknown = callsIn(ast).find((name) => !FUNCTIONS.includes(name));
  if (unknown === "matches") return refuse(say("when.matches"), say("when.use_re2"));
  if (unknown !== undefined) {
    const hint = didYouMean(nearest(unknown, FUNCTIONS), say("policy.use_one_of", { words: FUNCTIONS }));
    return refuse(say("when.unknown_function", { name: unknown }), hint);
  }
  const nested = nestedMacro(ast);
  if (nested === undefined) return undefined;
  return refuse(say("when.nested_macro", { name: nested }), say("when.one_macro"));
}

function compilePatterns(ast: Ast): { ok: true } | { why: Message } {
  for (const pattern of patternsOf(ast)) {
    if (pattern === undefined) return { why: say("when.pattern_not_literal") };
    if (pattern.length > PATTERN_MAX) return { why: say("when.pattern_too_long", { max: PATTERN_MAX }) };
    try {
      if (compiled(pattern).programSize() > PATTERN_WORK.steps) return { why: say("when.pattern_too_large") };
    } catch (error) {
      return { why: say("text.as_given", { text: firstLine(error) }) };
    }
  }
  return { ok: true };
}

/** The longest list that a macro could loop over, times all the text it could read. */
function affordable(input: WhenInput): boolean {
  let longest = 1;
  let characters = 0;
  const visit = (value: Json): void => {
    if (typeof value === "string") characters += value.length;
    if (typeof value !== "object" || value === null) return;
    const items = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value);
    longest = Math.max(longest, items.length);
    for (const item of items) visit(item);
  };
  visit([input.call, input.effect, input.context]);
  spent.macros += longest * characters;
  return longest <= LIST_MAX && longest * characters <= WORK_MAX && spent.macros <= PER_CALL * WORK_MAX;
}

function refuse(message: Message, hint: Message): ReturnType<CompileWhen> {
  return { ok: false, message, hint };
}

function firstLine(error: unknown): string {
  const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return `${first.charAt(0).toLowerCase()}${first.slice(1)}`;
}

function fieldsHint(error: unknown): Message {
  const wrong = /(?:No such key|Unknown variable): (\w+)/.exec(error instanceof Error ? error.message : "")?.[1];
  const names = [...Object.keys(WHEN_FIELDS), ...Object.values(WHEN_FIELDS).flatMap((fields) => Object.keys(fields))];
  const near = wrong === undefined ? undefined : nearest(wrong, names);
  const all = Object.entries(WHEN_FIELDS).map(([name, fields]) => `${name}.{${Object.keys(fields).join(", ")}}`);
  return didYouMean(near, say("when.fields", { fields: all }));
}

type Holds = (input: WhenInput) => boolean | undefined;

/**
 * A call is judged part by part. An expression that only uses the call gives the same result for each part, so it is
 * computed once.
 */
function oncePerCall(holds: Holds): Holds {
  let last: { input: WhenInput; held: boolean | undefined } | undefined;
  return (input) => {
    if (last !== undefined && isSame(last.input, input)) return last.held;
    last = { input, held: holds(input) };
    return last.held;
  };
}

/** While a call is judged, its arguments are one unchanged object. */
function isSame(a: WhenInput, b: WhenInput): boolean {
  const [one, other] = [a.call as Record<string, unknown>, b.call as Record<string, unknown>];
  return (
    Object.keys(other).every((key) => one[key] === other[key]) &&
    a.context.nowMs === b.context.nowMs &&
    a.context.workspace === b.context.workspace
  );
}
