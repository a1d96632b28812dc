import type { ToolCall } from "../call.ts";
import { isAbsolute, isUnder, normalise, parentOf } from "../classify/path.ts";
import { isAddressLiteral } from "../classify/url.ts";
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
} from "../effect.ts";
import type { Grant, GrantCover, GrantDraft, GrantPattern } from "../grant.ts";
import type { WorkspaceId } from "../ids.ts";
import { EN } from "../show/say/en.ts";
import type { Say } from "../show/say/say.ts";
import { visible } from "../values/text.ts";
import { wordsText } from "../values/words-text.ts";
import { actorsOf } from "./actors.ts";
import { covers } from "./cover.ts";
import { launches, WIDTHS, type Width, widened } from "./suggest-command.ts";

type Kind = "path" | "domain" | "command" | "tool";
type Of<K extends Kind> = Extract<Target, { kind: K }>;

/**
 * No yes in advance is offered for these: what leaves for everybody, or runs when nobody looks, deserves a fresh review, and
 * of the rest only that lets it run.
 */
const NEVER: ReadonlySet<EffectClass> = new Set<EffectClass>([
  "deploy.write",
  "permissions.change",
  "schedule.write",
  "secrets.read",
  "payments.move",
  "unknown",
]);

/**
 * Grants that would have let this call run, from narrow to wide, at most three. Nothing is offered for what is not
 * fully understood, nor for programs that run other programs: "remember" would then mean anything.
 */
export function suggestGrants(call: ToolCall, effect: Effect): readonly GrantDraft[] {
  const targets = effect.parts.flatMap((part) => part.targets);
  // A grant is one agent's, and would not cover what several have a part in.
  if (actorsOf(call).length > 1) return [];
  if (effect.understood !== "fully" || effect.refused !== undefined || targets.length === 0) return [];
  if (effect.parts.some((part) => NEVER.has(part.class))) return [];
  const commands = targets.filter((target): target is CommandTarget => target.kind === "command");
  if (commands.some((command) => command.env.length > 0 || command.words.length === 0)) return [];
  if (commands.some((command) => launches(command.words))) return [];
  if (targets.some((target) => target.kind === "path" && !isAbsolute(target.path))) return [];
  const drafts = WIDTHS.map((width) => draftOf(call, effect, targets, width)).filter((draft) => draft !== undefined);
  return drafts
    .filter((draft, i) => drafts.findIndex((other) => other.label === draft.label) === i)
    .filter((draft) => covers(imagined(draft, { workspace: call.workspace, nowMs: 0 }), call, effect, 0));
}

/** The grant that a draft would become, to see what it would cover. */
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

function draftOf(call: ToolCall, effect: Effect, targets: readonly Target[], width: Width): GrantDraft | undefined {
  const [first] = effect.parts;
  const one = effect.parts.every((part) => part.class === first.class);
  // Without a class to hold it, a star would let words pass that do something else.
  if (width !== "exact" && (!one || effect.parts.some(deletesAnything))) return undefined;
  const patterns = (["path", "domain", "command", "tool"] as const).map((kind) =>
    patternsOf(targets, kind, width, first.class),
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
  return { label: coverText(covers), subject: { agent: call.agent }, covers };
}

/** Literally what is covered: nobody takes a grant for narrower than it is. */
export function coverText({ class: effectClass, tool, targets, level }: GrantCover, say: Say = EN): string {
  const isNamed = tool === undefined || targets.some((target) => target.kind === "tool");
  return say.cover.whole({
    ...(effectClass === undefined ? {} : { class: effectClass }),
    level,
    ...(isNamed ? {} : { by: visible(tool.name) }),
    targets: targets.map((pattern) => labelOf(pattern, say)),
  });
}

/** Where no path holds it, other words would delete something else. */
function deletesAnything(part: Part): boolean {
  return part.class === "fs.delete" && !part.targets.some((target) => target.kind === "path");
}

/** Undefined where this kind has nothing of that width. */
function patternsOf(
  targets: readonly Target[],
  kind: Kind,
  width: Width,
  effectClass: EffectClass,
): readonly GrantPattern[] | undefined {
  const of = targets.filter((target) => target.kind === kind);
  if (of.length === 0) return [];
  if (kind === "path") return pathPatterns(of as PathTarget[], width);
  if (kind === "domain") return domainPatterns(of as DomainTarget[], width);
  if (kind === "command") return commandPatterns(of as CommandTarget[], width, effectClass);
  return width === "exact" ? unique((of as Of<"tool">[]).map(({ tool }) => ({ kind: "tool", tool }))) : undefined;
}

/** The paths themselves; the folders they lie in; everything below those folders. Never the root of the disk. */
function pathPatterns(targets: readonly PathTarget[], width: Width): readonly GrantPattern[] | undefined {
  if (width === "exact")
    return unique(targets.map(({ path, recursive }) => ({ kind: "path", path: normalise(path), recursive })));
  if (width === "near" && targets.some((target) => target.recursive)) return undefined;
  const folders = [...new Set(targets.map(({ path }) => parentOf(path)))];
  if (folders.some((folder) => folder.split("/").filter((name) => name !== "").length < 2)) return undefined;
  const outer = folders.filter((folder) => !folders.some((other) => other !== folder && isUnder(folder, other)));
  return (width === "near" ? folders : outer).map((path) => ({ kind: "path", path, recursive: width === "wide" }));
}

/** The domain; the domain and all below it. What belongs together above a domain is not for us to guess. */
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
      (wide): GrantPattern => ({ kind: "command", words: wide, ...(cwd === undefined ? {} : { cwd }) }),
    ),
  );
  return patterns.some((of) => of === undefined) ? undefined : unique(patterns.flatMap((of) => of ?? []));
}

function labelOf(pattern: GrantPattern, { cover }: Say): string {
  switch (pattern.kind) {
    case "path":
      return cover.path(visible(pattern.path), pattern.recursive);
    case "domain":
      return visible(pattern.pattern);
    case "command":
      return cover.command(
        visible(wordsText(pattern.words)),
        pattern.cwd === undefined ? undefined : visible(pattern.cwd),
      );
    case "tool":
      return cover.tool(visible(pattern.tool));
  }
}

function unique(patterns: readonly GrantPattern[]): readonly GrantPattern[] {
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}

function highest(levels: readonly Level[]): Level {
  return levels.reduce((held, level) => (LEVELS.indexOf(level) > LEVELS.indexOf(held) ? level : held), "none");
}
