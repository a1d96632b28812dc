import { type Message, say } from "../messages/message.ts";
import type { LimitRule, Match, Position, Rule, When } from "../policy.ts";
import { isStricter, type Tier } from "../tier.ts";
import type { RawLimit, RawRule } from "./document.ts";
import type { RawMatch } from "./match-shape.ts";
import { type KnownNames, toolName } from "./names.ts";
import { type Faults, type Positioned, whole } from "./shape.ts";

export type CompileWhen = (text: string) => { ok: true; when: When } | { ok: false; message: Message; hint: Message };

export function ruleOf(
  { value: raw, at }: Positioned<RawRule>,
  known: KnownNames,
  compileWhen: CompileWhen,
  faults: Faults,
): Rule | undefined {
  const match = matchOf(raw.match, known, compileWhen, faults);
  if (match === undefined || loosenedByClaims(match, raw, faults)) return undefined;
  return {
    name: raw.name.value,
    match,
    tier: raw.tier,
    because: raw.because,
    examples: raw.examples === undefined ? NO_EXAMPLES : examplesOf(raw.examples),
    human: raw.human ?? false,
    firm: raw.firm ?? false,
    reviewers: raw.reviewers ?? NOBODY,
    ...(raw.quorum === undefined ? {} : { quorum: raw.quorum.value }),
    ...(raw.expires === undefined ? {} : { expiresMs: raw.expires }),
    at,
  };
}

/** `first: ask` of a tool: its calls ask until a person remembers the host, path or tool. */
export function firstCallOf(tool: string, at: Position): Rule {
  const because = "nobody has allowed this tool to use this target yet";
  const nothing = { examples: NO_EXAMPLES, human: false, firm: false, reviewers: NOBODY };
  return { name: `first call of ${tool}`, match: { tool: [tool] }, tier: "ask", because, ...nothing, at };
}

/** Shared by all rules without these settings, because there may be thousands. */
const NO_EXAMPLES: Rule["examples"] = { match: [], miss: [] };
const NOBODY: Rule["reviewers"] = [];

function examplesOf({ match = [], miss = [] }: NonNullable<RawRule["examples"]>): Rule["examples"] {
  return { match: match.map(({ value }) => value), miss: miss.map(({ value }) => value) };
}

export function limitOf(
  { value: raw, at }: Positioned<RawLimit>,
  known: KnownNames,
  compileWhen: CompileWhen,
  faults: Faults,
): LimitRule | undefined {
  const match = matchOf(raw.match, known, compileWhen, faults);
  if (match === undefined) return undefined;
  if (raw.sum === undefined && !Number.isInteger(raw.max)) {
    faults.add(at, say("policy.limit_not_whole", { max: raw.max }), say("policy.write_limit"));
    return undefined;
  }
  return {
    name: raw.name.value,
    match,
    ...(raw.sum === undefined ? {} : { sum: raw.sum }),
    max: raw.max,
    perMs: raw.per,
    by: raw.by,
    // biome-ignore lint/suspicious/noThenProperty: a limit's own word, in a value that nobody awaits
    then: raw.then,
    at,
  };
}

export function matchOf(raw: RawMatch, known: KnownNames, compileWhen: CompileWhen, faults: Faults): Match | undefined {
  const { tree: _tree, tool, when, ...rest } = raw;
  const tools = tool === undefined ? [] : whole(tool.map((name) => toolName(name, known, faults)));
  const compiled = when === undefined ? undefined : compiledWhen(when, compileWhen, faults);
  if (tools === undefined || compiled === "faulty") return undefined;
  return {
    ...rest,
    ...(tool === undefined ? {} : { tool: tools }),
    ...(compiled === undefined ? {} : { when: compiled }),
  };
}

function compiledWhen(text: Positioned<string>, compileWhen: CompileWhen, faults: Faults): When | "faulty" {
  const compiled = compileWhen(text.value);
  if (compiled.ok) return compiled.when;
  faults.add(text.at, compiled.message, compiled.hint);
  return "faulty";
}

/** A caller's claims are not evidence: they can make a rule stricter, but must never allow anything. */
function loosenedByClaims(match: Match, raw: { tier: Tier; match: RawMatch }, faults: Faults): boolean {
  if (match.when?.readsClaims !== true || !isStricter("ask", raw.tier)) return false;
  faults.add(
    raw.match.when?.at ?? raw.match.tree.at,
    say("policy.loosened_by_claims", { tier: raw.tier }),
    say("policy.claims_only_tighten"),
  );
  return true;
}
