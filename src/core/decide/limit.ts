import type { ToolCall } from "../call.ts";
import type { LimitUse } from "../decision.ts";
import { type Effect, type Part, readingsOf, type Target } from "../effect.ts";
import type { LimitRule, Policy } from "../policy.ts";
import { canonicalTool } from "../tool-name.ts";
import { mayMatchBelow, segmentsMatch } from "../values/glob.ts";
import { atPointer } from "../values/json.ts";
import { actorsOf } from "./actors.ts";
import { ALL_CLASSES, classBit, classBits } from "./class-bits.ts";
import { commandMatches, commandPattern, isEveryCommand } from "./command-patterns.ts";
import type { CompiledLimit, CompiledPolicy } from "./compiled-policy.ts";
import { checksHold } from "./match.ts";
import { domainMatches, domainPattern } from "./pattern-domain.ts";
import { pathPatterns, segmentsOf } from "./pattern-path.ts";
import { givesCommands } from "./tool-view.ts";
import type { Unit } from "./when-input.ts";

/**
 * The time window is divided into twelve buckets, and the current one has only begun; twelve more cover any span of
 * the window.
 */
const BUCKETS = 12;
const LOOKED_AT = BUCKETS + 1;
const MICROS = 1_000_000;

export function compileLimits(policy: Policy): readonly CompiledLimit[] {
  const times = new Map<string, number>();
  return policy.limits.map((limit) => {
    const { match, name } = limit;
    const nth = (times.get(name) ?? 0) + 1;
    times.set(name, nth);
    return {
      limit,
      key: `${policy.source}#${name}${nth === 1 ? "" : `#${nth}`}`,
      classes: match.class === undefined ? ALL_CLASSES : classBits(match.class),
      paths: match.path?.flatMap((pattern) => pathPatterns(pattern, policy)),
      commands: match.command?.map(commandPattern),
      domains: match.domain?.map(domainPattern),
    };
  });
}

/** One limit that a call counts for. */
type LimitReading = { use: LimitUse; limit: LimitRule };

/**
 * Every limit of every layer (files, then code) that the call counts for, once for each agent of its chain that the
 * limit is about. Used before deciding, to know which counters to read, and again by the decision.
 */
export function limitUses(
  call: ToolCall,
  effect: Effect,
  layers: readonly CompiledPolicy[],
  nowMs: number,
): readonly LimitUse[] {
  return limitReadings(call, effect, layers, nowMs).map(({ use }) => use);
}

export function limitReadings(
  call: ToolCall,
  effect: Effect,
  layers: readonly CompiledPolicy[],
  nowMs: number,
): readonly LimitReading[] {
  if (layers.every((layer) => layer.limits.length === 0)) return [];
  const readings = new Map<string, LimitReading>();
  const sources = new Map<string, number>();
  for (const { limits, policy } of layers) {
    // A changed file has the same path as the accepted one; each counts separately.
    const nth = (sources.get(policy.source) ?? 0) + 1;
    sources.set(policy.source, nth);
    for (const compiled of limits) {
      for (const actor of actorsOf(call)) {
        if (!readingsOf(effect).some((reading) => concerns(compiled, call, reading, actor, nowMs))) continue;
        const use = useOf(compiled, call, actor, nth, nowMs);
        readings.set(use.current, { use, limit: compiled.limit });
      }
    }
  }
  return [...readings.values()];
}

/** True if any part and target matches; a failed expression counts as a match. */
function concerns(compiled: CompiledLimit, call: ToolCall, effect: Effect, actor: string, nowMs: number): boolean {
  const canonical = canonicalTool(call.tool);
  return effect.parts.some((part) => {
    if ((compiled.classes & classBit(part.class)) === 0) return false;
    return targetsAimedAt(compiled, part, call.tool).some((target) => {
      const unit: Unit = { call, effect, nowMs, canonicalTool: canonical, actor, part, target };
      return checksHold(compiled.limit.match, unit) !== false;
    });
  });
}

function targetsAimedAt(compiled: CompiledLimit, part: Part, tool: string): readonly (Target | undefined)[] {
  const { paths, commands, domains } = compiled;
  const any = paths === undefined && commands === undefined && domains === undefined;
  if (any) return part.targets.length === 0 ? [undefined] : part.targets;
  return part.targets.filter((target) => targetMatches(compiled, target, tool));
}

function targetMatches({ paths, commands, domains }: CompiledLimit, target: Target, tool: string): boolean {
  switch (target.kind) {
    case "path": {
      const segments = segmentsOf(target.path);
      return (paths ?? []).some(
        (pattern) => segmentsMatch(pattern, segments) || (target.recursive && mayMatchBelow(pattern, segments)),
      );
    }
    case "command":
      return (commands ?? []).some((pattern) => commandMatches(pattern, target.words));
    case "domain":
      return (domains ?? []).some((pattern) => domainMatches(pattern, target.domain));
    case "tool":
      // A command without a program: `command: "*"` alone is about it.
      return (commands ?? []).some(isEveryCommand) && (target.tool === "" || givesCommands(tool));
  }
}

function useOf(compiled: CompiledLimit, call: ToolCall, actor: string, nth: number, nowMs: number): LimitUse {
  const { limit } = compiled;
  const whom = { agent: actor, session: call.session ?? "", tool: canonicalTool(call.tool), workspace: "" }[limit.by];
  const { untilMs, counters } = limitWindow(compiled, whom, nth, nowMs);
  const maxMicros = Math.min(Math.round(limit.max * MICROS), Number.MAX_SAFE_INTEGER - 1);
  return {
    name: limit.name,
    counters,
    current: counters[0] ?? "",
    addMicros: amountMicros(limit, call, maxMicros),
    maxMicros,
    untilMs,
    // biome-ignore lint/suspicious/noThenProperty: the word of the policy file; a limit is never awaited
    then: limit.then,
    reached: false,
  };
}

/** The counters that add up to a limit's window for one agent, session or tool; the current one first. */
export function limitWindow({ limit, key }: CompiledLimit, whom: string, nth: number, nowMs: number) {
  const bucketMs = Math.max(1, Math.ceil(limit.perMs / BUCKETS));
  const now = Math.floor(nowMs / bucketMs);
  const name = (bucket: number) => `limit:${JSON.stringify([key, nth, limit.by, whom, bucketMs])}:${bucket}`;
  const counters = Array.from({ length: LOOKED_AT }, (_, i) => name(now - i));
  return { counters, untilMs: (now + LOOKED_AT) * bucketMs };
}

/** A call counts one; with `sum` it counts the argument. Anything except a non-negative decimal counts as too much. */
function amountMicros(limit: LimitRule, call: ToolCall, maxMicros: number): number {
  if (limit.sum === undefined) return MICROS;
  const value = atPointer(call.args, limit.sum);
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return decimalMicros(text) ?? maxMicros + 1;
}

/** Computed exactly from the text, rounded up after six places: `0.1` thirty times is three. */
export function decimalMicros(text: string): number | undefined {
  const parsed = /^(\d{1,16})(?:\.(\d{1,40}))?$/.exec(text);
  if (parsed === null) return undefined;
  const [, whole = "", fraction = ""] = parsed;
  const micros =
    BigInt(whole) * 1_000_000n +
    BigInt(fraction.slice(0, 6).padEnd(6, "0")) +
    (/[1-9]/.test(fraction.slice(6)) ? 1n : 0n);
  return micros <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(micros) : undefined;
}
