import { actorsOf, type ToolCall } from "../../call.ts";
import { isAddressLiteral } from "../../classify/addresses/url.ts";
import { isAbsolute, isUnder, normalise, parentOf } from "../../classify/path.ts";
import {
  type CommandTarget,
  type DomainTarget,
  type Effect,
  type EffectClass,
  LEVELS,
  type Level,
  type Part,
  type PathTarget,
  type Target,
} from "../../effect.ts";
import type { WorkspaceId } from "../../ids.ts";
import { EN } from "../../say/en.ts";
import type { Say } from "../../say/say.ts";
import type { Grant, GrantCover, GrantDraft, GrantPattern, NotRemembered } from "../../standing/grant.ts";
import { pushedTo } from "../../tables/project/branch-push.ts";
import { isEverydayRun } from "../../tables/project/runners.ts";
import { visible } from "../../values/text.ts";
import { wordsText } from "../../values/words-text.ts";
import { covers } from "../grants.ts";
import { isGrave, launches, WIDTHS, type Width, widened } from "./suggest-command.ts";

type Kind = "path" | "domain" | "command" | "tool";
type Of<K extends Kind> = Extract<Target, { kind: K }>;

/**
 * No grant is offered for these classes: what everybody will see, or what runs when nobody watches, deserves a new
 * review; the others need one anyway.
 */
const NEVER: ReadonlySet<EffectClass> = new Set<EffectClass>([
  "deploy.write",
  "permissions.change",
  "schedule.write",
  "secrets.read",
  "payments.move",
  "unknown",
]);

/** Grants that would have allowed the call, from narrow to wide, at most three; or why there are none. */
export type Suggestions = { drafts: readonly GrantDraft[]; none?: NotRemembered };

/**
 * Nothing is offered for calls that are not fully understood, or for programs that run other programs, because such a
 * grant could mean anything. Folders that contain the whole project are never offered.
 */
export function suggestGrants(call: ToolCall, effect: Effect, project: string): Suggestions {
  const none = notRemembered(call, effect);
  if (none !== undefined) return { drafts: [], none };
  const targets = effect.parts.flatMap((part) => part.targets);
  const drafts = WIDTHS.map((width) => draftOf(call, effect, targets, { width, project })).filter(
    (draft) => draft !== undefined,
  );
  const offered = drafts
    .filter((draft, i) => drafts.findIndex((other) => other.label === draft.label) === i)
    .filter((draft) => covers(imagined(draft, { workspace: call.workspace, nowMs: 0 }), call, effect, 0));
  // Only a final word `*`, which a grant would read as "any further words", makes even the exact words impossible.
  return offered.length === 0 ? { drafts: [], none: { is: "last-star" } } : { drafts: offered };
}

/**
 * Grants with a condition, wider than their words say: where the caller makes boxes, the narrowest grant and the code of the
 * project, each only in a box; elsewhere the code of the project, because no box bounds it. The containers of the project
 * everywhere: the engine that starts them is outside of any box.
 */
export function conditionalGrants(
  call: ToolCall,
  asking: Effect,
  drafts: readonly GrantDraft[],
  { boxed }: { boxed: boolean },
): readonly GrantDraft[] {
  const subject = { agent: call.agent };
  const [first] = asking.parts;
  const isAll = (mark: "projectCode" | "projectContainers") => asking.parts.every((part) => part[mark] === first[mark]);
  const { projectCode, projectContainers } = first;
  const trusted = projectCode !== undefined && isAll("projectCode") ? [projectCover(projectCode)] : [];
  const covers: readonly GrantCover[] = boxed
    ? [...drafts.slice(0, 1).map((draft) => draft.covers), ...trusted].map((one) => ({ ...one, inBox: true as const }))
    : trusted;
  const contained =
    projectContainers !== undefined && isAll("projectContainers") ? [containersCover(projectContainers)] : [];
  return [...covers, ...contained].map((one) => ({ label: coverText(one, EN, call.cwd), subject, covers: one }));
}

/** The cover of a grant that trusts the code of a project. */
export function projectCover(projectCode: string): GrantCover {
  return { projectCode, targets: [], level: "execute" };
}

/** The cover of a grant that trusts the containers of a project. */
export function containersCover(projectContainers: string): GrantCover {
  return { projectContainers, targets: [], level: "execute" };
}

/** What people should know before they trust what nobody reads and no walls bound. */
export function coverAdvice({ projectCode, projectContainers, inBox }: GrantCover, say: Say): string | undefined {
  if (projectContainers !== undefined) return say.cover.containersArePowerful;
  return projectCode !== undefined && inBox !== true ? say.cover.boxIsBetter : undefined;
}

/** The grant of one width that would have allowed the call; undefined if none of this width is offered. */
export function suggestGrant(call: ToolCall, effect: Effect, extent: Extent): GrantDraft | undefined {
  if (notRemembered(call, effect) !== undefined) return undefined;
  const draft = draftOf(
    call,
    effect,
    effect.parts.flatMap((part) => part.targets),
    extent,
  );
  if (draft === undefined) return undefined;
  return covers(imagined(draft, { workspace: call.workspace, nowMs: 0 }), call, effect, 0) ? draft : undefined;
}

function notRemembered(call: ToolCall, effect: Effect): NotRemembered | undefined {
  const targets = effect.parts.flatMap((part) => part.targets);
  // A grant is for one agent, and would not cover a call of a chain of agents.
  if (actorsOf(call).length > 1) return { is: "sub-agent" };
  if (effect.understood !== "fully" || effect.refused !== undefined) return { is: "not-understood" };
  if (targets.length === 0) return { is: "no-target" };
  const never = effect.parts.find((part) => NEVER.has(part.class));
  if (never !== undefined) return { is: "class", class: never.class };
  const commands = targets.filter((target): target is CommandTarget => target.kind === "command");
  const names = [...new Set(commands.flatMap((command) => command.env))];
  if (names.length > 0) return { is: "variables", names };
  const launcher = commands.find((command) => command.words.length === 0 || launches(command.words));
  if (launcher !== undefined)
    return { is: isGrave(launcher.words) ? "grave" : "launcher", program: launcher.words[0] ?? "" };
  const isUnresolved = targets.some((target) => target.kind === "path" && !isAbsolute(target.path));
  return isUnresolved ? { is: "unresolved-path" } : undefined;
}

/** The grant that a draft would become, to test what it covers. */
export function imagined(
  { subject, covers }: GrantDraft,
  { workspace, nowMs }: { workspace: WorkspaceId; nowMs: number },
): Grant {
  return {
    id: "grt_imagined",
    workspace,
    subject,
    covers,
    tier: "auto",
    grantedBy: { person: "" },
    because: "",
    createdMs: nowMs,
    state: "live",
  };
}

/** How wide, and which folder is the project. */
type Extent = { width: Width; project: string };

function draftOf(call: ToolCall, effect: Effect, targets: readonly Target[], extent: Extent): GrantDraft | undefined {
  const { width } = extent;
  const [first] = effect.parts;
  const one = effect.parts.every((part) => part.class === first.class);
  // A star without a class would also cover words with another effect.
  if (width !== "exact" && (!one || effect.parts.some(deletesAnything))) return undefined;
  const patterns = (["path", "domain", "command", "tool"] as const).map((kind) =>
    patternsOf(targets, kind, extent, first.class),
  );
  if (patterns.some((of) => of === undefined)) return undefined;
  const all = patterns.flatMap((of) => of ?? []);
  const level = highest([...effect.parts.map((part) => part.level), ...targets.map((target) => target.level)]);
  const byTool = targets.some((target) => target.kind === "tool");
  const covers: GrantCover = {
    ...(one ? { class: first.class } : {}),
    ...(byTool
      ? { tool: { name: call.tool, ...(call.definition === undefined ? {} : { definition: call.definition }) } }
      : {}),
    targets: all,
    level,
  };
  return { label: coverText(covers, EN, call.cwd), subject: { agent: call.agent }, covers };
}

/**
 * What is covered, as text; `here` is the folder that the reader knows as "this folder". The text never sounds
 * narrower than the grant is.
 */
export function coverText({ inBox, ...cover }: GrantCover, say: Say = EN, here?: string): string {
  const code =
    cover.projectContainers === undefined
      ? say.cover.projectCode(visible(cover.projectCode ?? ""), inBox === true)
      : say.cover.projectContainers(visible(cover.projectContainers));
  const text = withoutCondition(cover, { say, here, code });
  return inBox === true ? say.cover.inBox(text) : text;
}

function withoutCondition(
  { exact, class: effectClass, tool, projectCode, projectContainers, targets, level }: GrantCover,
  { say, here, code }: { say: Say; here: string | undefined; code: string },
): string {
  if (exact !== undefined) return say.cover.exactly(visible(tool?.name ?? ""), exact.digest);
  const isNamed = tool === undefined || targets.some((target) => target.kind === "tool");
  const isOwn = projectCode !== undefined || projectContainers !== undefined;
  if (isOwn && tool === undefined && targets.length === 0) return code;
  const whole = say.cover.whole({
    ...(effectClass === undefined ? {} : { class: effectClass }),
    level,
    ...(isNamed ? {} : { by: visible(tool.name) }),
    targets: withoutScripts(targets).map((pattern) => labelOf(pattern, say, { here, targets })),
  });
  return isOwn ? `${whole}; ${code}` : whole;
}

/** A script without arguments and the same script with arguments after `--` are shown as one line. */
function withoutScripts(targets: readonly GrantPattern[]): readonly GrantPattern[] {
  return targets.filter((pattern) => !targets.some((other) => isScriptOf(pattern, other)));
}

function isScriptOf(script: GrantPattern, withRest: GrantPattern): boolean {
  if (script.kind !== "command" || withRest.kind !== "command" || script.cwd !== withRest.cwd) return false;
  const words = [...script.words, "--", "*"];
  return words.length === withRest.words.length && words.every((word, i) => word === withRest.words[i]);
}

/** Whether a deletion is not limited to a path, so that a grant with other words would delete something else. */
function deletesAnything(part: Part): boolean {
  return part.class === "fs.delete" && !part.targets.some((target) => target.kind === "path");
}

/** Undefined if there is nothing of this width for this kind. */
function patternsOf(
  targets: readonly Target[],
  kind: Kind,
  extent: Extent,
  effectClass: EffectClass,
): readonly GrantPattern[] | undefined {
  const { width } = extent;
  const of = targets.filter((target) => target.kind === kind);
  if (of.length === 0) return [];
  if (kind === "path") return pathPatterns(of as PathTarget[], extent);
  if (kind === "domain") return domainPatterns(of as DomainTarget[], width);
  if (kind === "command") return commandPatterns(of as CommandTarget[], width, effectClass);
  return width === "exact" ? unique((of as Of<"tool">[]).map(({ tool }) => ({ kind: "tool", tool }))) : undefined;
}

/** The paths themselves; their folders; everything below those folders. Never a folder that contains the project. */
function pathPatterns(targets: readonly PathTarget[], { width, project }: Extent): readonly GrantPattern[] | undefined {
  if (width === "exact")
    return unique(targets.map(({ path, recursive }) => ({ kind: "path", path: normalise(path), recursive })));
  if (width === "near" && targets.some((target) => target.recursive)) return undefined;
  const folders = [...new Set(targets.map(({ path }) => parentOf(path)))];
  if (folders.some((folder) => isShallow(folder) || containsProject(folder, project))) return undefined;
  const outer = folders.filter((folder) => !folders.some((other) => other !== folder && isUnder(folder, other)));
  return (width === "near" ? folders : outer).map((path) => ({ kind: "path", path, recursive: width === "wide" }));
}

/** The root of the disk and the folders directly in it. */
function isShallow(folder: string): boolean {
  return folder.split("/").filter((name) => name !== "").length < 2;
}

function containsProject(folder: string, project: string): boolean {
  return normalise(folder) !== normalise(project) && isUnder(normalise(project), normalise(folder));
}

/** The domain; the domain and its subdomains. We do not guess what belongs together above a domain. */
function domainPatterns(targets: readonly DomainTarget[], width: Width): readonly GrantPattern[] | undefined {
  if (width === "wide" || (width === "near" && targets.some(({ domain }) => isAddressLiteral(domain))))
    return undefined;
  return unique(
    targets.map(({ domain, port }) => ({
      kind: "domain",
      pattern: `${width === "near" ? "*." : ""}${domain}${port === undefined ? "" : `:${port}`}`,
    })),
  );
}

function commandPatterns(
  targets: readonly CommandTarget[],
  width: Width,
  effectClass: EffectClass,
): readonly GrantPattern[] | undefined {
  const patterns = targets.map(({ words, cwd }) =>
    widened(words, width, effectClass)?.map(
      (wide): GrantPattern => ({
        kind: "command",
        words: wide,
        ...(cwd === undefined ? {} : { cwd }),
        ...restOf(words, wide),
      }),
    ),
  );
  return patterns.some((of) => of === undefined) ? undefined : unique(patterns.flatMap((of) => of ?? []));
}

/** What may stand in place of the final `*`, if it is not everything. */
function restOf(words: readonly string[], wide: readonly string[]): { rest?: "everyday" | "branches" } {
  if (wide.at(-1) !== "*") return {};
  if (pushedTo(words) !== undefined) return { rest: "branches" };
  return isEverydayRun(wide.slice(0, -1)) ? { rest: "everyday" } : {};
}

type Said = { here: string | undefined; targets: readonly GrantPattern[] };

function labelOf(pattern: GrantPattern, { cover }: Say, said: Said): string {
  switch (pattern.kind) {
    case "path":
      return cover.path(visible(pattern.path), pattern.recursive);
    case "domain":
      return visible(pattern.pattern);
    case "command":
      return commandLabel(pattern, cover, said);
    case "tool":
      return cover.tool(visible(pattern.tool));
  }
}

function commandLabel(
  pattern: Extract<GrantPattern, { kind: "command" }>,
  cover: Say["cover"],
  { here, targets }: Said,
): string {
  const { words, cwd } = pattern;
  const folder = cwd === undefined ? {} : cwd === here ? { isHere: true } : { folder: visible(cwd) };
  if (words.at(-1) !== "*") return cover.command({ words: visible(wordsText(words)), rest: "none", ...folder });
  if (pattern.rest !== undefined)
    return cover.command({ words: visible(wordsText(words.slice(0, -1))), rest: pattern.rest, ...folder });
  const isScript = targets.some((other) => isScriptOf(other, pattern));
  const fixed = words.slice(0, isScript ? -2 : -1);
  return cover.command({ words: visible(wordsText(fixed)), rest: isScript ? "after-dashes" : "any", ...folder });
}

function unique(patterns: readonly GrantPattern[]): readonly GrantPattern[] {
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}

function highest(levels: readonly Level[]): Level {
  return levels.reduce((held, level) => (LEVELS.indexOf(level) > LEVELS.indexOf(held) ? level : held), "none");
}
