import type { Box } from "../box.ts";
import { actorsOf, type ToolCall } from "../call.ts";
import type { Code } from "../codes.ts";
import type { Cause, Decision } from "../decision.ts";
import { classIndex, type Effect, type Target } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import { APPROVAL_DEFAULTS } from "../policy.ts";
import type { Grant } from "../standing/grant.ts";
import type { Pause } from "../standing/standing.ts";
import { rankOf } from "../tier.ts";
import { maySameTool } from "../tool-name.ts";
import { withoutUnusableKeep } from "./box/kept.ts";
import { boxLift, keepsBox } from "./box/lift.ts";
import { boxFor, markBareCall } from "./box/walls.ts";
import { capsOf, understandingCap } from "./caps.ts";
import type { CompiledPolicy } from "./compile.ts";
import { concluded, concludedPlainly, humanMarks } from "./conclude.ts";
import { maybeDenials, renamedGrounds, unreadDenials } from "./denials.ts";
import { type Lift, liftBy, liftOf, teacherOf } from "./grants.ts";
import { count, type Ground, hasGround, NO_CAUSES, onlyOf, SILENT, type Tally, withGround } from "./ground.ts";
import {
  aim,
  baselineOf,
  type Gathering,
  gatherAll,
  judge,
  judgeIn,
  newGathering,
  type PartAsked,
  rowSpeaks,
  saidBy,
} from "./judge.ts";
import { isPattern, slotsAt } from "./rule-search.ts";
import type { Standing } from "./standing.ts";
import { givesCommands, type ToolView, viewOf } from "./tool-view.ts";

const ASK = rankOf("ask");

/** Decides what may happen to a call, and why. Pure and total: it never throws on data. */
export function decide(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Decision {
  if (effect.guessed !== undefined) throw new Error("what the call may do is still encrypted (this is a bug)");
  return ordinaryDecision(call, effect, standing, nowMs) ?? decideInFull(call, effect, standing, nowMs);
}

/**
 * The general path, correct for every call. Where an archive is unpacked, a file with any name may appear. If the call is rehearsed, rules
 * about a name in any folder are asked about the files that did.
 */
export function decideInFull(call: ToolCall, effect: Effect, given: Standing, nowMs: number): Decision {
  const decision = decideAtOnce(call, effect, given, nowMs);
  const isAsked = decision.outcome === "pending" || decision.code === "LEEWAY_HEADLESS";
  if (!isAsked || !maySeeLater(call, effect, given)) return decision;
  const { box } = given;
  const standing: Standing = box === undefined ? given : { ...given, box: { ...box, seesLater: true } };
  const later = decideAtOnce(call, effect, standing, nowMs);
  return later.outcome === "run" && later.box?.rehearsed === true ? withEnoughBox(later, later.box) : decision;
}

/** The box is the reason why nobody is asked, so the call never runs without a copy of the project. */
function withEnoughBox(decision: Decision, box: Box): Decision {
  if (box.because !== "enforced") return decision;
  const causes: readonly Cause[] = [{ by: "box", tier: decision.tier }, ...decision.causes];
  return { ...decision, causes, box: { ...box, because: "enough" } };
}

/** Whether the call can be rehearsed, and writes or may write below a folder. */
function maySeeLater({ tool }: ToolCall, { parts }: Effect, { box }: Standing): boolean {
  if (box?.rehearses !== true || !givesCommands(tool)) return false;
  const isDeep = (target: Target) => target.kind === "path" && target.recursive;
  return parts.some((part) => part.class === "fs.write" && part.targets.some(isDeep));
}

/** All steps, one by one. */
function decideAtOnce(call: ToolCall, effect: Effect, given: Standing, nowMs: number): Decision {
  const closed = closedFor(call, effect, given);
  if (closed !== undefined) return refusal(closed, given);
  const standing = markBareCall(call, effect, withoutUnusableKeep(call, effect, given));
  const tally = judge(call, effect, standing, nowMs);
  if (effect.declared !== undefined) holdUndeclared(tally, judge(call, effect.declared.without, standing, nowMs));
  const organisation = organisationIn(effect, standing);
  if (organisation !== undefined)
    holdOrganisation(tally, judgeIn(organisation.standing.layers, call, organisation.effect, nowMs));
  const human = humanMarks(call, effect, standing, tally.human);
  // With a permit the review has already been given, so no grant is used up.
  const plain = human.marks.length === 0 && tally.firm === undefined && standing.permit === undefined;
  const before = tally.rank;
  const mayLift = plain && (standing.grants.length > 0 || standing.callback !== undefined);
  const teacher = mayLift ? teacherOf(call, effect, standing, nowMs) : undefined;
  const other = mayLift ? liftOf(call, effect, standing, before, teacher, nowMs) : undefined;
  // Without a teacher, a call that is not understood asks whatever a program allows, and only a box helps.
  const isCapped = teacher === undefined && effect.understood !== "fully";
  const mayBox = plain && teacher === undefined && (other === undefined || isCapped);
  const boxed = mayBox ? boxLift(call, effect, standing, tally, nowMs) : undefined;
  const keeps = mayBox && boxed === undefined && keepsBox(call, effect, standing, tally, nowMs);
  const lift = boxed === undefined ? other : undefined;
  if (boxed !== undefined) raise(tally, { ground: boxed });
  if (lift !== undefined) raise(tally, lift);
  if (isCapped && boxed === undefined) cap(tally, understandingCap(effect, tally));
  for (const ground of unreadDenials(call, effect, standing)) cap(tally, ground);
  if (effect.maybe !== undefined)
    for (const ground of maybeDenials(call, effect, effect.maybe, standing, nowMs)) cap(tally, ground);
  if (organisation?.effect.maybe !== undefined) {
    const { effect: own, standing: its } = organisation;
    for (const ground of maybeDenials(call, own, organisation.effect.maybe, its, nowMs)) cap(tally, ground);
  }
  if (mayBeRenamed(call, effect, standing))
    for (const ground of renamedGrounds(call, effect, standing)) cap(tally, ground);
  if (organisation !== undefined)
    for (const ground of renamedGrounds(call, organisation.effect, organisation.standing)) cap(tally, ground);
  const caps = capsOf(call, effect, standing, nowMs);
  for (let i = 0; i < caps.grounds.length; i++) cap(tally, caps.grounds[i]);
  const used = mayLift ? usedLifts(tally, lift, teacher, before) : NO_LIFTS;
  if (used.length > 0) {
    const grounds = used.map(({ ground }) => ground);
    tally.deciding = [...grounds, ...tally.deciding.filter((ground) => !grounds.includes(ground))];
  }
  const decision = concluded(call, tally, standing, human, caps, used.find(({ grant }) => grant !== undefined)?.grant);
  const lifted =
    tally.rank <= ASK ? undefined : boxed !== undefined || keeps ? "box" : needsBox(used) ? "grant" : undefined;
  const box = boxFor(call, effect, standing, decision, lifted);
  return box === undefined ? withKept(decision, lifted, standing) : { ...decision, box };
}

function withKept(decision: Decision, lifted: "box" | "grant" | undefined, { box }: Standing): Decision {
  if (box?.kept === undefined || lifted !== "box" || decision.outcome !== "run") return decision;
  return { ...decision, kept: { name: box.kept.name, project: box.project } };
}

/** Whether rules about a tool with another spelling of this name may be about this tool. */
function mayBeRenamed({ tool }: ToolCall, { parts }: Effect, { layers, scopes }: Standing): boolean {
  const outermost = layers[0] ?? scopes[0];
  const isRenamed = outermost !== undefined && viewOf(outermost.tools, tool).renamed;
  return isRenamed || parts.some(({ class: kind }) => kind === "unknown");
}

function needsBox(used: readonly Lift[]): boolean {
  return used.some(({ grant }) => grant?.covers.inBox === true);
}

/** The organisation's layers alone, and the call as they know it; none if nobody else explains the tool. */
function organisationIn({ byOrganisation }: Effect, standing: Standing): Organisation | undefined {
  if (byOrganisation === undefined) return undefined;
  const layers = standing.layers.filter(({ policy }) => policy.organisation === true);
  return { effect: byOrganisation, standing: { ...standing, layers, scopes: [] } };
}

type Organisation = { effect: Effect; standing: Standing };

/** The organisation's policy holds as if nobody else had said what the tool does. */
function holdOrganisation(tally: Gathering, its: Gathering): void {
  for (const ground of its.deciding) count(tally, ground);
  // Without these, something else of the organisation would have counted.
  for (const ground of its.outweighed)
    if (!hasGround(tally.deciding, ground)) tally.outweighed = withGround(tally.outweighed, ground);
  for (const ground of its.human) tally.human = withGround(tally.human, ground);
  tally.firm ??= its.firm;
}

/**
 * A declaration says what a tool does, but it does not exempt the tool from what a policy says about unknown tools.
 * Rules that ask or are stricter still apply, and so does every refusal. A declaration only removes the default that
 * unknown tools ask.
 */
function holdUndeclared(tally: Gathering, before: Gathering): void {
  for (const ground of [...before.deciding, ...before.outweighed]) {
    const isRule = ground.cause.by === "rule" && ground.rank <= ASK;
    if (isRule || (before.rank < ASK && ground.rank === before.rank)) count(tally, ground);
    // The declaration decides nothing itself, but without it something stricter would have counted.
    else if (!hasGround(tally.deciding, ground)) tally.outweighed = withGround(tally.outweighed, ground);
  }
  for (const ground of before.human) tally.human = withGround(tally.human, ground);
  tally.firm ??= before.firm;
}

const NO_LIFTS: readonly Lift[] = Object.freeze([]);

/**
 * What the result depends on: the grant or other lift by which the tier is looser, and the grant that explains the tool,
 * which a program's answer does not replace.
 */
function usedLifts(tally: Tally, lift: Lift | undefined, teacher: Grant | undefined, before: number): readonly Lift[] {
  const raising = lift !== undefined && tally.rank > before ? [lift] : NO_LIFTS;
  if (teacher === undefined || tally.rank <= ASK || raising[0]?.grant === teacher) return raising;
  return [...raising, liftBy(teacher)];
}

/** The former causes are now only "considered"; the lift replaces them. */
function raise(tally: Tally, lift: Lift): void {
  tally.outweighed = [...tally.deciding, ...tally.outweighed];
  tally.deciding = [lift.ground];
  tally.rank = lift.ground.rank;
}

function cap(tally: Tally, ground: Ground | undefined): void {
  if (ground !== undefined) count(tally, ground);
}

function refusal({ code, causes }: Closed, standing: Standing): Decision {
  return {
    tier: "deny",
    outcome: "denied",
    code,
    needsHuman: false,
    causes,
    considered: [],
    limits: [],
    asking: { ...APPROVAL_DEFAULTS, reviewers: [] },
    policyVersion: standing.policyVersion,
  };
}

/**
 * The fast path for almost all calls: one accepted file, one agent, one part, at most one target, and nothing in the
 * standing that could close, mark, lift or cap. It leaves out the steps that would find nothing, and a decision that
 * depends only on a row is made once. Returns undefined if the call is not of this kind.
 */
export function ordinaryDecision(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  nowMs: number,
): Decision | undefined {
  const layer = standing.layers[0];
  if (layer === undefined || !layer.isSimple || !isQuiet(standing) || !isSimple(call, effect)) return undefined;
  const part = effect.parts[0];
  const classAt = classIndex(part.class);
  if ((layer.marks.bits & (1 << classAt)) !== 0) return undefined;
  const target = part.targets[0];
  const view = viewOf(layer.tools, call.tool);
  if (view.renamed) return undefined;
  const here = target === undefined ? undefined : slotsAt(layer.rules, target, 1 << classAt, view);
  if (here === undefined && !hasOtherRules(layer, view, classAt, target)) {
    return byRows({ call, actor: call.agent, part, classAt, passedOver: undefined }, standing, layer, view);
  }
  const g = newGathering(call, effect, nowMs, classAt);
  aim(g, target);
  gatherAll(g, layer, view, target, here);
  return byRules(g, baselineOf(layer, view, g, undefined), standing, layer);
}

/** The standing contains only the policy. */
function isQuiet(standing: Standing): boolean {
  return (
    standing.layers.length === 1 &&
    standing.scopes.length === 0 &&
    standing.pausesFresh &&
    standing.pauses.length === 0 &&
    standing.noPolicy === undefined &&
    !standing.quarantined &&
    standing.promotions.length === 0 &&
    standing.grants.length === 0 &&
    standing.callback === undefined &&
    standing.permit === undefined &&
    standing.box === undefined &&
    standing.canAsk
  );
}

function isSimple(call: ToolCall, effect: Effect): boolean {
  return (
    call.chain.length === 0 &&
    effect.parts.length === 1 &&
    effect.understood === "fully" &&
    effect.refused === undefined &&
    effect.declared === undefined &&
    effect.byOrganisation === undefined &&
    effect.maybe === undefined &&
    effect.parts[0].targets.length <= 1
  );
}

/** Rules found by the tool's name, the class, any call, or below a recursive target. */
function hasOtherRules(
  { rules }: CompiledPolicy,
  view: ToolView,
  classAt: number,
  target: Target | undefined,
): boolean {
  return (
    view.slots.length > 0 ||
    rules.classes[classAt] !== undefined ||
    rules.anything !== undefined ||
    (target?.kind === "path" && (target.recursive || isPattern(target)))
  );
}

/** A decision that depends only on a row is always the same, so it is made once and kept with the row. */
function byRows(asked: PartAsked, standing: Standing, layer: CompiledPolicy, view: ToolView): Decision | undefined {
  const row = baselineOf(layer, view, asked, undefined);
  if (row === undefined) return undefined;
  const { passedOver } = asked;
  if (passedOver !== undefined && passedOver !== row) {
    return concludedPlainly(row.rank, onlyOf(row), onlyOf(passedOver), layer.asking, standing.policyVersion);
  }
  const kept = row.decision;
  return kept !== undefined && kept.policyVersion === standing.policyVersion ? kept : keep(row, standing, layer);
}

function keep(row: Ground, { policyVersion }: Standing, { asking }: CompiledPolicy): Decision {
  row.decision = Object.freeze(concludedPlainly(row.rank, onlyOf(row), NO_CAUSES, asking, policyVersion));
  return row.decision;
}

/** The row first, then rules in the order they were found, each once, as in the general path. */
function byRules(g: Gathering, row: Ground | undefined, standing: Standing, layer: CompiledPolicy) {
  const said = saidBy(g, row);
  if (said === SILENT || g.human.length > 0) return undefined;
  const rank = Math.min(said, g.tighten);
  const causes: Cause[] = [];
  const considered: Cause[] = [];
  if (row !== undefined) (row.rank === rank && rowSpeaks(g, row) ? causes : considered).push(row.cause);
  if (g.passedOver !== undefined && g.passedOver !== row) considered.push(g.passedOver.cause);
  for (let hit = g.hit, i = 0; hit !== undefined; hit = g.moreHits?.[i++]) {
    const { ground } = hit;
    if (ground.rank === rank && ground.saysHow) return undefined;
    const list = ground.rank === rank ? causes : considered;
    if (!isListed(list, ground.cause)) list.push(ground.cause);
  }
  return concludedPlainly(rank, causes, considered, layer.asking, standing.policyVersion);
}

/** A rule with several patterns can be found more than once. A hand-written loop, because the lists are short. */
function isListed(list: readonly Cause[], cause: Cause): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === cause) return true;
  return false;
}

/** Why the gate is closed for this call, before any policy is considered. */
type Closed = { code: Code; causes: readonly Cause[] };

function closedFor(call: ToolCall, effect: Effect, standing: Standing): Closed | undefined {
  if (!standing.pausesFresh) return closed("LEEWAY_PAUSED", say("reason.pauses_unknown"));
  const paused = standing.pauses.length === 0 ? [] : standing.pauses.filter((pause) => pauseHolds(pause, call));
  if (paused.length > 0) {
    return {
      code: "LEEWAY_PAUSED",
      causes: paused.map(({ id, because, by: who }) => ({ by: "pause", id, because, who })),
    };
  }
  if (standing.noPolicy !== undefined) return closed("LEEWAY_POLICY_INVALID", standing.noPolicy);
  if (effect.refused !== undefined) return closed(effect.refused.code, effect.refused.because);
  if (standing.quarantined) {
    return closed("LEEWAY_QUARANTINED", say("reason.unaccepted_tool"));
  }
  return undefined;
}

function closed(code: Code, because: Message | string): Closed {
  return { code, causes: [{ by: "code", code, because }] };
}

/**
 * A pause of an agent also applies to its sub-agents. Pauses of grants and reviewers are checked where those are
 * used.
 */
export function pauseHolds({ state, scope }: Pause, call: ToolCall): boolean {
  if (state !== "set") return false;
  switch (scope.of) {
    case "everything":
      return true;
    case "agent":
      return actorsOf(call).includes(scope.name);
    case "session":
      return call.session === scope.name;
    case "tool":
      return (
        maySameTool(scope.name, call.tool) &&
        (scope.session === undefined || scope.session === call.session) &&
        (scope.agent === undefined || actorsOf(call).includes(scope.agent))
      );
    case "grant":
    case "reviewer":
      return false;
  }
}
