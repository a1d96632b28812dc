import { actorsOf, type ToolCall } from "../call.ts";
import type { LimitUse } from "../decision.ts";
import { classBit, classesOf, type Effect, type Part, readingsFor, readingsOf, type Target } from "../effect.ts";
import { say } from "../messages/message.ts";
import type { LimitRule } from "../policy.ts";
import { rankOf } from "../tier.ts";
import { canonicalTool } from "../tool-name.ts";
import { mayMatchBelow, segmentsMatch } from "../values/glob.ts";
import { atPointer } from "../values/json.ts";
import { isUsage, type UsageWord } from "../values/usage.ts";
import type { CompiledLimit, CompiledPolicy } from "./compile.ts";
import { type Ground, groundOf, SILENT, type Tally } from "./ground.ts";
import { checksHold, type Unit } from "./match.ts";
import { commandMatches, domainMatches, isEveryCommand, segmentsOf } from "./patterns.ts";
import { demotions } from "./promotion.ts";
import type { Standing } from "./standing.ts";
import { givesCommands } from "./tool-view.ts";

/** What limits the tier even after a grant or promotion, and the policy's limits that the call counts for. */
export type Caps = { grounds: readonly Ground[]; limits: readonly LimitUse[] };

const ASK = rankOf("ask");

export const NO_CAPS: Caps = { grounds: Object.freeze([]), limits: Object.freeze([]) };

const MICROS = 1_000_000;

export function capsOf(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Caps {
  if (standing.promotions.length === 0 && standing.callback === undefined && !anyLimits(standing)) return NO_CAPS;
  const grounds: Ground[] = [];
  for (const actor of standing.promotions.length === 0 ? [] : actorsOf(call)) {
    pushDemotions(grounds, effect, standing, actor, nowMs);
  }
  const limits = pushLimits(grounds, call, effect, standing, nowMs);
  const { callback } = standing;
  if (callback?.answer === "ask") {
    const because = say("reason.program_asks");
    grounds.push(groundOf(ASK, { by: "callback", name: callback.name, tier: "ask", because }));
  }
  if (callback?.answer === "deny") {
    const { name, reason } = callback;
    grounds.push(groundOf(rankOf("deny"), { by: "callback", name, tier: "deny", because: reason }));
  }
  return { grounds, limits };
}

/**
 * A call that is only partly understood asks. A row or rule that would have allowed it is listed with the reason why
 * it has no effect.
 */
export function understandingCap(effect: Effect, { rank, deciding }: Tally): Ground | undefined {
  const { understood, notes, parts } = effect;
  if (understood === "fully") return undefined;
  const isNamed =
    rank > ASK && rank < SILENT && parts.some((part) => part.class === "unknown") && deciding.some(namesTool);
  const said = isNamed ? [...notes, say("note.policy_counts_once_declared")] : notes;
  return groundOf(ASK, { by: "understanding", understood, notes: said });
}

function namesTool({ cause }: Ground): boolean {
  return cause.by === "rule" || (cause.by === "baseline" && cause.row.of.endsWith("tool"));
}

function pushDemotions(into: Ground[], effect: Effect, standing: Standing, actor: string, nowMs: number): void {
  const present = classesOf(readingsOf(effect).flatMap(({ parts }) => parts));
  for (const { id, tier, because, class: only } of demotions(standing.promotions, actor, nowMs)) {
    if (only !== undefined && (classBit(only) & present) === 0) continue;
    into.push(groundOf(rankOf(tier), { by: "demotion", id, tier, because }));
  }
}

function pushLimits(into: Ground[], call: ToolCall, effect: Effect, standing: Standing, nowMs: number) {
  const { layers, scopes } = standing;
  return limitReadings(call, effect, [...layers, ...scopes], nowMs).map(({ use, limit }) => {
    const usedMicros = standing.used(use.counters);
    if (usedMicros + use.addMicros <= use.maxMicros) return use;
    const { name, then, max, at } = limit;
    into.push(groundOf(rankOf(then), { by: "limit", name, tier: then, used: usedMicros / MICROS, max, at }));
    return { ...use, reached: true };
  });
}

function anyLimits({ layers, scopes }: Standing): boolean {
  for (let i = 0; i < layers.length; i++) if (layers[i]?.limits.length !== 0) return true;
  for (let i = 0; i < scopes.length; i++) if (scopes[i]?.limits.length !== 0) return true;
  return false;
}

/**
 * The time window is divided into twelve buckets, and the current one has only begun; twelve more cover any span of
 * the window.
 */
const BUCKETS = 12;

const LOOKED_AT = BUCKETS + 1;

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

function limitReadings(
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
        if (!readingsFor(effect, policy).some((reading) => concerns(compiled, call, reading, actor, nowMs))) continue;
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
      // Only `command: "*"` matches a command without a program.
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
    ...(isUsage(limit.sum) ? { spent: true as const } : {}),
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
  if (isUsage(limit.sum)) return usageMicros(call, limit.sum) ?? maxMicros + 1;
  const value = atPointer(call.args, limit.sum);
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return decimalMicros(text) ?? maxMicros + 1;
}

/** The amount in the call's claims, rounded up; 0 if the host reports nothing, undefined if it is no amount. */
function usageMicros({ claims }: ToolCall, of: UsageWord): number | undefined {
  const value = atPointer(claims, `/usage/${of}`);
  if (value === undefined) return 0;
  const micros = typeof value === "number" && value >= 0 ? Math.ceil(value * MICROS) : Number.NaN;
  return Number.isSafeInteger(micros) ? micros : undefined;
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
