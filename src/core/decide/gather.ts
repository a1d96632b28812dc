import type { ToolCall } from "../call.ts";
import type { Effect, Target } from "../effect.ts";
import { isWildName, mayMatchBelow, mayMeet, segmentsMatch } from "../values/glob.ts";
import { commandMatches } from "./command-patterns.ts";
import type { CompiledRule, Ground } from "./compiled.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { NO_GROUNDS, withGround } from "./grounds.ts";
import type { RuleSlot } from "./indexes/slot.ts";
import { type FoundSlots, slotsBelow } from "./indexes/walk.ts";
import { checksHold } from "./match.ts";
import { segmentsOf } from "./pattern-path.ts";
import { SILENT, type Tally } from "./tally.ts";
import type { ToolView } from "./tool-view.ts";
import type { Unit } from "./when-input.ts";

/**
 * What the rules of one layer say about one target, collected while the indexes are searched. Reused for each target.
 */
export type Gathering = Unit &
  Tally & {
    classAt: number;
    classBit: number;
    path: string;
    words: readonly string[];
    segments: readonly string[] | undefined;
    /** The target is recursive and its own path did not match: rules found now may be about something below it. */
    below: boolean;
    /** The path has wildcards, and rules found now may be about what they stand for. */
    wild: boolean;
    /** The strictest rule that names the agent, and the strictest rule for all agents. */
    byName: number;
    forAll: number;
    /**
     * The strictest of the rules that can only make the decision stricter: the expression failed or reads claims, or
     * the rule may be about something below.
     */
    tighten: number;
    /** The tool's row, if the agent's general row was found first: it prevents a stricter pattern from being used. */
    passedOver: Ground | undefined;
    /** The rules that matched; nearly always at most one. */
    hit: CompiledRule | undefined;
    moreHits: CompiledRule[] | undefined;
    /** Over all targets and layers. */
    human: readonly Ground[];
    firm: Ground | undefined;
  };

export function newGathering(call: ToolCall, effect: Effect, nowMs: number, classAt: number): Gathering {
  return {
    call,
    effect,
    nowMs,
    canonicalTool: "",
    actor: call.agent,
    part: effect.parts[0],
    target: undefined,
    classAt,
    classBit: 1 << classAt,
    path: "",
    words: NO_WORDS,
    segments: undefined,
    below: false,
    wild: false,
    byName: SILENT,
    forAll: SILENT,
    tighten: SILENT,
    passedOver: undefined,
    hit: undefined,
    moreHits: undefined,
    rank: SILENT,
    deciding: NO_GROUNDS,
    outweighed: NO_GROUNDS,
    human: NO_GROUNDS,
    firm: undefined,
  };
}

export function aim(g: Gathering, target: Target | undefined): void {
  g.segments = undefined;
  g.target = target;
  if (target?.kind === "path") g.path = target.path;
  else if (target?.kind === "command") g.words = target.words;
}

/** Every rule of a layer that applies to the target: `here` are the index slots for the target itself. */
export function gatherAll(
  g: Gathering,
  { rules }: CompiledPolicy,
  view: ToolView,
  target: Target | undefined,
  here: FoundSlots,
): void {
  g.canonicalTool = view.canonical;
  if (view.slots.length > 0) gatherEach(g, view.slots);
  const ofClass = rules.classes[g.classAt];
  if (ofClass !== undefined) gather(g, ofClass);
  if (rules.anything !== undefined) gather(g, rules.anything);
  if (here !== undefined) gatherEach(g, here);
  const below = target === undefined ? undefined : slotsBelow(rules, target, g.classBit);
  if (below === undefined) return;
  g.below = true;
  g.wild = isWildName(g.path);
  gatherEach(g, below);
  g.below = false;
  g.wild = false;
}

function gatherEach(g: Gathering, slots: readonly RuleSlot[]): void {
  for (let i = 0; i < slots.length; i++) gather(g, slots[i] as RuleSlot);
}

function gather(g: Gathering, slot: RuleSlot): void {
  const { all, own } = slot;
  for (let i = 0; i < all.length; i++) consider(g, all[i] as CompiledRule, false);
  if (own === undefined) return;
  const named = own.get(g.actor);
  if (named !== undefined) for (let i = 0; i < named.length; i++) consider(g, named[i] as CompiledRule, true);
}

function consider(g: Gathering, rule: CompiledRule, named: boolean): void {
  if ((rule.classes & g.classBit) === 0) return;
  if (!pathHolds(g, rule)) return;
  if (rule.command !== undefined && !commandMatches(rule.command, g.words)) return;
  const holds = rule.checks === undefined ? true : checksHold(rule.checks, g);
  if (holds === false) return;
  if (rule.human !== undefined) g.human = withGround(g.human, rule.human);
  if (rule.firm) g.firm ??= rule.ground;
  if (g.hit === undefined) g.hit = rule;
  else if (g.moreHits === undefined) g.moreHits = [rule];
  else g.moreHits.push(rule);
  const { rank } = rule;
  if (holds === undefined || rule.tightensOnly || g.below) {
    if (rank < g.tighten) g.tighten = rank;
  } else if (named || rule.checks?.agent?.includes(g.actor)) {
    if (rank < g.byName) g.byName = rank;
  } else if (rank < g.forAll) g.forAll = rank;
}

function pathHolds(g: Gathering, { segments, sure }: CompiledRule): boolean {
  if (segments === undefined || (sure && !g.wild)) return true;
  g.segments ??= segmentsOf(g.path);
  if (!g.below) return segmentsMatch(segments, g.segments);
  if (!g.wild) return mayMatchBelow(segments, g.segments);
  return mayMeet(segments, g.segments, g.target?.kind === "path" && g.target.recursive);
}

const NO_WORDS: readonly string[] = [];
