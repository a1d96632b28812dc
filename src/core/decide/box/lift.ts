import { isGateOnly } from "../../box.ts";
import { actorsOf, type ToolCall } from "../../call.ts";
import type { Effect, Part } from "../../effect.ts";
import type { Policy, Rule } from "../../policy.ts";
import { UNREAD } from "../../tables/unread.ts";
import { rankOf, tierAt } from "../../tier.ts";
import { canonicalTool } from "../../tool-name.ts";
import { type Ground, groundOf, type Tally } from "../ground.ts";
import { judge } from "../judge.ts";
import { mayConcern } from "../match.ts";
import type { Standing } from "../standing.ts";
import { givesCommands } from "../tool-view.ts";
import { type BoxOffer, isAboutProcesses, isForOutside, walledAs, worksOffline } from "./fits.ts";
import { offerIn } from "./offer.ts";
import { isInstalling, readableFor, spareIn } from "./packages.ts";
import { CHANGES_FILES } from "./part-words.ts";

const ASK = rankOf("ask");
const NOTIFY = rankOf("notify");

/**
 * What the call is in a box, if a box is a reason to let it run. A box changes only a question that is asked because nobody
 * knows what code does. Everything else that the policy says about the call still counts.
 */
export function boxLift(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  { rank }: Tally,
  nowMs: number,
): Ground | undefined {
  const from = effect.understood === "fully" ? rank : Math.min(rank, ASK);
  if ((from !== ASK && from !== NOTIFY) || effect.declared !== undefined) return undefined;
  const box = offerIn(standing);
  if (
    box === undefined ||
    (effect.understood === "not" && !(box.rehearses && isUnreadText(call, effect, standing))) ||
    !(givesCommands(call.tool) || isGateOnly(call.tool) || box.kept !== undefined) ||
    !isEnough(standing) ||
    wantsNoBox(effect)
  )
    return undefined;
  const isApplied = !givesCommands(call.tool);
  if (isApplied && effect.notes.some(isAboutDisguise)) return undefined;
  const loses = isApplied && call.args["loss"] === true;
  const applies = isApplied && !loses;
  const offer = boundedParts(effect, { ...box, packages: readableFor(effect, standing), applies, loses });
  if (offer === undefined) return undefined;
  const inside = judge(call, withUnread(effect), standing, nowMs, offer).rank;
  if (inside <= from) return undefined;
  return groundOf(inside, { by: "box", tier: tierAt(inside), ...(box.kept === undefined ? {} : { kept: true }) });
}

/**
 * Whether a call that runs anyway keeps its box: the accepted files let it run because of the box, and another layer only made the
 * result stricter, or wants no box. Otherwise a file that nobody accepted could take the walls away.
 */
export function keepsBox(call: ToolCall, effect: Effect, standing: Standing, { rank }: Tally, nowMs: number): boolean {
  if (rank !== NOTIFY || standing.box === undefined) return false;
  const layers = standing.layers.filter(({ policy }) => policy.beside !== true);
  if (layers.length === standing.layers.length && standing.scopes.length === 0) return false;
  const accepted = { ...standing, layers, scopes: [] };
  return boxLift(call, effect, accepted, judge(call, effect, accepted, nowMs), nowMs) !== undefined;
}

/**
 * Bash refuses the text, all of it or from some line on. What it runs nevertheless is code like any other that nobody can read. A text
 * that hides something from people, that is too much to read, or that a policy may want a person for, is another matter.
 */
function isUnreadText(call: ToolCall, { notes }: Effect, standing: Standing): boolean {
  const said = notes.map((note) => (typeof note === "string" ? "" : note.say));
  const isRefused = said.some((id) => REFUSED_BY_BASH.has(id)) && !said.some((id) => NEVER_LIFTED.has(id));
  return isRefused && !mayNeedHuman(call, standing);
}

const REFUSED_BY_BASH: ReadonlySet<string> = new Set([UNREAD.invalid.say, UNREAD.uncertain.say]);
const NEVER_LIFTED: ReadonlySet<string> = new Set([
  "note.command_has_hidden_signs",
  "note.too_many_commands",
  "note.command_too_long",
  "note.command_too_deep",
  "note.command_too_many_braces",
  "note.command_too_many_steps",
  "note.arguments_too_many",
  "note.loop_too_long",
]);

/** Whether a policy wants a person for something that may be in a text that nobody can read. */
function mayNeedHuman(call: ToolCall, { layers, scopes }: Standing): boolean {
  const canonical = canonicalTool(call.tool);
  return [...layers, ...scopes].some(({ policy: { human, rules } }) => {
    const concerns = ({ match }: Rule) => actorsOf(call).some((actor) => mayConcern(match, { call, actor, canonical }));
    return human.classes.length > 0 || rules.some((rule) => rule.human && concerns(rule));
  });
}

/** A path that people would read as another one. In a command its words were seen; a file that code made is seen here first. */
function isAboutDisguise(note: Effect["notes"][number]): boolean {
  return typeof note !== "string" && note.say === "note.path_has_hidden_signs";
}

/** The box as it is for this call, if its walls bound every part. */
export function boundedParts(effect: Effect, given: BoxOffer): BoxOffer | undefined {
  const box = { ...given, spare: spareIn(effect, given.packages ?? []) };
  const startsCode = effect.parts.some((part) => walledAs(part, box) === "process.exec");
  const offer = { ...box, startsCode, understood: effect.understood === "fully" };
  if (isGitElsewhere(effect, offer)) return undefined;
  return effect.parts.every((part) => isBounded(part, offer)) ? offer : undefined;
}

const UNREAD_PART: Part = {
  class: "process.exec",
  capability: "process.exec",
  level: "execute",
  targets: [],
  reversible: false,
  reach: "local",
};

/** Code beside git, or in its hooks, is rehearsed. A repository outside of the project has no view, so git would fail there. */
function isGitElsewhere({ parts, understood }: Effect, { ownRepository, startsCode }: BoxOffer): boolean {
  const isGit = parts.some(({ class: kind }) => kind === "git.write");
  return isGit && ownRepository === false && (startsCode === true || understood !== "fully");
}

/** What could not be read may be code, as in `LD_PRELOAD=./a.so ls`: the policy is asked about code too. */
function withUnread(effect: Effect): Effect {
  return effect.understood === "fully" ? effect : { ...effect, parts: [...effect.parts, UNREAD_PART] };
}

/**
 * The outermost accepted file with `preset`, `tier` or `box.for` finds a box enough for something, and no layer wants no box. A
 * file further in cannot add boxes to what that file says, because it would make the decision looser.
 */
function isEnough({ layers, scopes }: Standing): boolean {
  const outermost = layers.find(({ policy }) => policy.beside !== true && saysInGeneral(policy));
  return outermost !== undefined && outermost.box.classes !== 0 && ![...layers, ...scopes].some(({ box }) => box.isOff);
}

function saysInGeneral({ preset, tier, box }: Policy): boolean {
  return preset !== undefined || tier !== undefined || box?.for !== undefined;
}

/** An agent whose command failed in a box repeats it with `LEEWAY_BOX=off` before it, and a person is asked. */
export function wantsNoBox({ parts }: Effect): boolean {
  return parts.some(({ targets }) =>
    targets.some((target) => target.kind === "command" && target.env.includes("LEEWAY_BOX")),
  );
}

/** Whether the walls around unread code leave the part what it needs, and let it do nothing beyond it. */
function isBounded(part: Part, offer: BoxOffer): boolean {
  if (walledAs(part, offer) !== undefined || worksOffline(part)) return true;
  if (part.class === "network.read" && isInstalling(part, offer.packages ?? [])) return true;
  if (part.class === "none" || part.class === "fs.read") return !isForOutside(part) && !isAboutProcesses(part);
  return CHANGES_FILES.has(part.class) && (part.reach === "local" || part.reach === "project");
}
