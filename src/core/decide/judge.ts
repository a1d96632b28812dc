import { actorsOf, type ToolCall } from "../call.ts";
import { isUnder } from "../classify/path.ts";
import { classIndex, type Effect, type Part, type Target } from "../effect.ts";
import { presetTier } from "../tables/presets.ts";
import { rankOf } from "../tier.ts";
import { mayMatchBelow, mayMeet, segmentsMatch } from "../values/glob.ts";
import { type BoxOffer, isWalled, needsWalls } from "./box/fits.ts";
import type { CompiledPolicy } from "./compile.ts";
import {
  type CompiledRule,
  count,
  type Ground,
  groundOf,
  lower,
  NO_GROUNDS,
  note,
  SILENT,
  type Tally,
  withGround,
} from "./ground.ts";
import { checksHold, type Unit } from "./match.ts";
import { commandMatches, segmentsOf } from "./patterns.ts";
import { type Promoted, promotedRows } from "./promotion.ts";
import type { RuleSlot } from "./rule-index.ts";
import { type FoundSlots, isPattern, slotsAt, slotsBelow } from "./rule-search.ts";
import type { Standing } from "./standing.ts";
import { type ToolView, toolRow, viewOf } from "./tool-view.ts";
import { isOnlyRead, isWritten, namesPlaceBelow } from "./ways-of-writing.ts";

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
     * The strictest of the rules that can only make the decision stricter: the expression failed or reads claims, the rule may be
     * about something below, or it names another way of writing.
     */
    tighten: number;
    /** The tool's row, if the agent's general row was found first: it prevents a stricter pattern from being used. */
    passedOver: Ground | undefined;
    /** The rules that matched; nearly always at most one. */
    hit: CompiledRule | undefined;
    moreHits: CompiledRule[] | undefined;
    /** The needs-human marks, collected over all targets and layers. */
    human: readonly Ground[];
    firm: Ground | undefined;
    /** The call would run in a box: a preset judges what walls bound as a change of the project's files. */
    boxed: BoxOffer | undefined;
    /** The call would run without the walls that are possible here: a preset asks about parts that need them. */
    bare: BoxOffer | undefined;
    /** A person trusts the code that the call runs: presets ask nothing about it. */
    trusted: boolean;
    /** What is written below the target is decided about file by file, by the same rules, before it is applied. */
    seenLater: boolean;
  };

/** If no file covers a call, it asks. */
const NO_FILE_SPEAKS: Ground = groundOf(rankOf("ask"), { by: "silent" });

/** What the policy says about a call: the strictest result over all agents of its chain, parts, targets and layers. */
export function judge(call: ToolCall, effect: Effect, standing: Standing, nowMs: number, boxed?: BoxOffer): Gathering {
  const g = newGathering(call, effect, nowMs, 0);
  g.boxed = boxed;
  g.bare = boxed === undefined && standing.box?.bare === true ? standing.box : undefined;
  if (call.chain.length === 0) judgeAs(call.agent, g, standing);
  else for (const actor of actorsOf(call)) judgeAs(actor, g, standing);
  return g;
}

/** The same, if a person trusts what the call runs: rules and rows count, presets do not. */
export function judgeTrusted(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Gathering {
  const g = newGathering(call, effect, nowMs, 0);
  g.trusted = true;
  for (const actor of actorsOf(call)) judgeAs(actor, g, standing);
  return g;
}

/**
 * What some layers alone say about a call, without promotions. If they say nothing, the rank is `SILENT`: no other
 * layer speaks for them.
 */
export function judgeIn(layers: readonly CompiledPolicy[], call: ToolCall, effect: Effect, nowMs: number): Gathering {
  const g = newGathering(call, effect, nowMs, 0);
  for (const actor of actorsOf(call)) {
    g.actor = actor;
    for (const part of effect.parts) {
      g.part = part;
      g.classAt = classIndex(part.class);
      g.classBit = 1 << g.classAt;
      for (const target of part.targets.length === 0 ? [undefined] : part.targets) {
        aim(g, target);
        for (const layer of layers) answer(g, layer, target, undefined);
      }
    }
  }
  return g;
}

function judgeAs(actor: string, g: Gathering, standing: Standing): void {
  g.actor = actor;
  const promoted = standing.promotions.length === 0 ? undefined : promotedRows(standing.promotions, actor, g.nowMs);
  const { parts } = g.effect;
  for (let p = 0; p < parts.length; p++) {
    const part = parts[p] as Part;
    const { targets } = part;
    g.part = part;
    g.classAt = classIndex(part.class);
    g.classBit = 1 << g.classAt;
    if (targets.length === 0) judgeTarget(g, standing, promoted, undefined);
    else for (let t = 0; t < targets.length; t++) judgeTarget(g, standing, promoted, targets[t]);
  }
}

function judgeTarget(
  g: Gathering,
  standing: Standing,
  promoted: Promoted | undefined,
  target: Target | undefined,
): void {
  const { layers, scopes } = standing;
  aim(g, target);
  const isLater = isSeenLater(g.part, target, standing);
  let spoken = false;
  for (let i = 0; i < layers.length; i++) {
    const layer = layers[i] as CompiledPolicy;
    const rows = promoted !== undefined && standsIn(i, g.actor, layers) ? promoted : undefined;
    g.seenLater = isLater && layer.policy.beside !== true;
    if (answer(g, layer, target, rows) && layer.policy.beside !== true) spoken = true;
  }
  g.seenLater = false;
  if (!spoken) count(g, NO_FILE_SPEAKS);
  for (let i = 0; i < scopes.length; i++) answer(g, scopes[i] as CompiledPolicy, target, undefined);
}

function isSeenLater(part: Part, target: Target | undefined, { box }: Standing): boolean {
  return (
    box?.seesLater === true && part.class === "fs.write" && target?.kind === "path" && isUnder(target.path, box.project)
  );
}

/**
 * A promotion applies in the accepted files that name the agent, else in the outermost file; never in a layer from
 * code.
 */
function standsIn(place: number, actor: string, layers: readonly CompiledPolicy[]): boolean {
  const names = (layer: CompiledPolicy) => layer.policy.beside !== true && layer.agents.has(actor);
  if (names(layers[place] as CompiledPolicy)) return true;
  return place === 0 && !layers.some(names);
}

function answer(
  g: Gathering,
  layer: CompiledPolicy,
  target: Target | undefined,
  promoted: Promoted | undefined,
): boolean {
  g.byName = SILENT;
  g.forAll = SILENT;
  g.tighten = SILENT;
  g.hit = undefined;
  g.moreHits = undefined;
  g.passedOver = undefined;
  const view = viewOf(layer.tools, g.call.tool);
  gatherAll(g, layer, view, target, target === undefined ? undefined : slotsAt(layer.rules, target, g.classBit, view));
  return countSaying(g, baselineOf(layer, view, g, promoted));
}

const DENY = rankOf("deny");
const ASK = rankOf("ask");
const AUTO = rankOf("auto");

/** The agent and the part; and the tool's row, if the agent's general row was found first. */
export type PartAsked = {
  readonly call: ToolCall;
  readonly actor: string;
  readonly part: Part;
  readonly classAt: number;
  passedOver: Ground | undefined;
  readonly boxed?: BoxOffer | undefined;
  readonly bare?: BoxOffer | undefined;
  readonly trusted?: boolean;
};

/**
 * What the rows of one layer say about one part. The first match wins: agent+tool, agent+class, agent, tool, class,
 * policy, preset.
 */
export function baselineOf(
  layer: CompiledPolicy,
  view: ToolView,
  unit: PartAsked,
  promoted: Promoted | undefined,
): Ground | undefined {
  const { part, classAt: at } = unit;
  const agent = layer.agents.get(unit.actor);
  if (agent !== undefined && (agent.tools.size > 0 || agent.globs.length > 0)) {
    const row = toolRow(agent, unit.call.tool, view.canonical);
    if (row !== undefined) return row;
  }
  const ofClass = promoted?.classes[at] ?? agent?.classes[at];
  if (ofClass !== undefined) return ofClass;
  const reached = promoted !== undefined && (promoted.reaches & (1 << at)) !== 0 ? promoted.general : undefined;
  const general = reached ?? agent?.tier;
  if (general !== undefined) unit.passedOver = view.row;
  const walled = unit.boxed !== undefined && isWalled(layer, part, unit.boxed) ? layer.box.walled : undefined;
  const preset = unit.trusted === true ? layer.preset?.grounds[AUTO] : presetGround(layer, part, unit.bare);
  return generalRow(layer, view, general, at, walled) ?? walled ?? preset;
}

/** A `deny` for the tool or the class applies even if the other one, or the agent's general row, was found first. */
function generalRow(
  layer: CompiledPolicy,
  view: ToolView,
  agent: Ground | undefined,
  at: number,
  walled: Ground | undefined,
): Ground | undefined {
  const tool = view.row;
  const ofClass = layer.rows.classes[at];
  if (tool !== undefined && tool.rank === DENY) return tool;
  if (ofClass !== undefined && ofClass.rank === DENY) return ofClass;
  return agent ?? tool ?? ofClass ?? (walled === undefined || layer.box.isPreset ? layer.tier : undefined);
}

function presetGround(layer: CompiledPolicy, part: Part, bare: BoxOffer | undefined): Ground | undefined {
  const { preset, box } = layer;
  const ground = preset?.grounds[rankOf(presetTier(preset.name, part, preset.version))];
  if (ground === undefined || ground.rank <= ASK || bare === undefined) return ground;
  // What code does without walls cannot be undone. The first version of `autonomous` did not ask about that.
  const isFinal = part.class === "process.exec" && preset?.version !== 1;
  return isFinal || needsWalls(part) || isWalled(layer, part, bare) ? box.bare : ground;
}

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
    boxed: undefined,
    bare: undefined,
    trusted: false,
    seenLater: false,
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
  g.wild = isPattern(target);
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
  const isOtherWay = (rule.otherWays & g.classBit) !== 0;
  if (isOtherWay && !isWritten(g.target)) return;
  if (!pathHolds(g, rule, isOtherWay)) return;
  if (rule.command !== undefined && !commandMatches(rule.command, g.words)) return;
  const holds = rule.checks === undefined ? true : checksHold(rule.checks, g, rule.rank > ASK);
  if (holds === false) return;
  if (rule.human !== undefined) g.human = withGround(g.human, rule.human);
  if (rule.firm) g.firm ??= rule.ground;
  if (g.hit === undefined) g.hit = rule;
  else if (g.moreHits === undefined) g.moreHits = [rule];
  else g.moreHits.push(rule);
  const { rank } = rule;
  if (holds === undefined || rule.tightensOnly || g.below || isOtherWay) {
    if (rank < g.tighten) g.tighten = rank;
  } else if (named || rule.checks?.agent?.includes(g.actor)) {
    if (rank < g.byName) g.byName = rank;
  } else if (rank < g.forAll) g.forAll = rank;
}

function pathHolds(g: Gathering, rule: CompiledRule, isOtherWay: boolean): boolean {
  const { segments, sure } = rule;
  if (segments === undefined) return true;
  const isBelow = g.below && !g.wild;
  const isWriting = isBelow && rule.onlyWriting && g.part.class === "fs.write";
  if (isWriting && isOnlyRead(g.part, g.target)) return false;
  // The call that applies the changes has other arguments and another tool.
  const isLater = isWriting && g.seenLater && rule.checks === undefined;
  const isMoved = isOtherWay && isBelow;
  if (sure && !g.wild && !isMoved && !isLater) return true;
  g.segments ??= segmentsOf(g.path);
  if ((isMoved || isLater) && !namesPlaceBelow(segments, g.segments)) return false;
  if (!g.below) return segmentsMatch(segments, g.segments);
  if (!g.wild) return mayMatchBelow(segments, g.segments);
  return mayMeet(segments, g.segments, g.target?.kind === "path" && g.target.recursive);
}

const NO_WORDS: readonly string[] = [];

/**
 * What one layer says about one target. By name: the strictest rule that names the agent, else the agent's own row.
 * For all: the strictest other rule. If both exist, the stricter; if neither, the baseline. False if the layer says
 * nothing.
 */
function countSaying(g: Gathering, baseline: Ground | undefined): boolean {
  const { passedOver } = g;
  const speaks = rowSpeaks(g, baseline);
  const said = saidBy(g, baseline);
  const rank = Math.min(g.tighten, said);
  if (rank < g.rank) lower(g, rank);
  if (baseline !== undefined) note(g, baseline, speaks && baseline.rank === g.rank);
  if (passedOver !== undefined && passedOver !== baseline) note(g, passedOver, false);
  if (g.hit !== undefined) noteRule(g, g.hit.ground);
  if (g.moreHits !== undefined) for (const { ground } of g.moreHits) noteRule(g, ground);
  return said !== SILENT;
}

export function rowSpeaks(g: Gathering, row: Ground | undefined): boolean {
  return row !== undefined && g.byName === SILENT && (g.forAll === SILENT || row.named);
}

export function saidBy(g: Gathering, row: Ground | undefined): number {
  const said = Math.min(g.byName, g.forAll);
  return row !== undefined && rowSpeaks(g, row) ? Math.min(said, row.rank) : said;
}

function noteRule(g: Gathering, ground: Ground): void {
  note(g, ground, ground.rank === g.rank);
}
