import type { ToolCall } from "../call.ts";
import { isAbsolute, isUnder, normalise, parentOf } from "../classify/path.ts";
import { isAddressLiteral } from "../classify/url.ts";
import {
  type CommandTarget,
  type DomainTarget,
  type Effect,
  LEVELS,
  type Level,
  type PathTarget,
  type Target,
} from "../effect.ts";
import type { GrantDraft, GrantPattern } from "../grant.ts";
import { launches } from "../tables/launchers.ts";
import { visible } from "../values/text.ts";
import { actorsOf } from "./actors.ts";

type Kind = "path" | "domain" | "command" | "tool";
type Of<K extends Kind> = Extract<Target, { kind: K }>;

/** No yes in advance for these: only a fresh review of exactly the call lets them run. */
const NEVER = new Set(["permissions.change", "secrets.read", "payments.move", "unknown"]);

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
  if (commands.some((command) => command.words.some(launches))) return [];
  if (targets.some((target) => target.kind === "path" && !isAbsolute(target.path))) return [];
  const drafts = WIDTHS.map((width) => draftOf(call, effect, targets, width)).filter((draft) => draft !== undefined);
  return drafts.filter((draft, i) => drafts.findIndex((other) => other.label === draft.label) === i).slice(0, 3);
}

const WIDTHS = ["exact", "near", "wide"] as const;
type Width = (typeof WIDTHS)[number];

function draftOf(call: ToolCall, effect: Effect, targets: readonly Target[], width: Width): GrantDraft | undefined {
  const patterns = (["path", "domain", "command", "tool"] as const).map((kind) => patternsOf(targets, kind, width));
  if (patterns.some((of) => of === undefined)) return undefined;
  const [first] = effect.parts;
  const one = effect.parts.every((part) => part.class === first.class);
  const all = patterns.flatMap((of) => of ?? []);
  const level = highest([...effect.parts.map((part) => part.level), ...targets.map((target) => target.level)]);
  const byTool = targets.some((target) => target.kind === "tool");
  return {
    label: `${one ? first.class : "every class"} up to ${level}: ${all.map(labelOf).join(", ")}`,
    subject: { agent: call.agent },
    covers: {
      ...(one ? { class: first.class } : {}),
      ...(byTool
        ? { tool: { name: call.tool, ...(call.definition === undefined ? {} : { definition: call.definition }) } }
        : {}),
      targets: all,
      level,
    },
  };
}

/** Undefined where this kind has nothing of that width. */
function patternsOf(targets: readonly Target[], kind: Kind, width: Width): readonly GrantPattern[] | undefined {
  const of = targets.filter((target) => target.kind === kind);
  if (of.length === 0) return [];
  if (kind === "path") return pathPatterns(of as PathTarget[], width);
  if (kind === "domain") return domainPatterns(of as DomainTarget[], width);
  if (kind === "command") return commandPatterns(of as CommandTarget[], width);
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

/** These words; program and first word with any rest; the program with any rest. */
function commandPatterns(targets: readonly CommandTarget[], width: Width): readonly GrantPattern[] | undefined {
  const kept = { exact: Number.POSITIVE_INFINITY, near: 2, wide: 1 }[width];
  if (width === "near" && targets.some(({ words }) => words.length < 2 || words[1]?.startsWith("-"))) return undefined;
  return unique(
    targets.map(({ words, cwd }) => ({
      kind: "command",
      words: width === "exact" ? words : [...words.slice(0, kept), "*"],
      ...(cwd === undefined ? {} : { cwd }),
    })),
  );
}

function labelOf(pattern: GrantPattern): string {
  switch (pattern.kind) {
    case "path":
      return pattern.recursive
        ? `everything under ${visible(pattern.path)}/`
        : `${visible(pattern.path)} and what lies directly in it`;
    case "domain":
      return visible(pattern.pattern);
    case "command": {
      const words = pattern.words
        .map((word) => (/^[\w@%+=:,./*-]+$/.test(word) ? word : JSON.stringify(visible(word))))
        .join(" ");
      return `\`${words}\`${pattern.cwd === undefined ? "" : ` in ${visible(pattern.cwd)}`}`;
    }
    case "tool":
      return `${visible(pattern.tool)} with any arguments`;
  }
}

function unique(patterns: readonly GrantPattern[]): readonly GrantPattern[] {
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}

function highest(levels: readonly Level[]): Level {
  return levels.reduce((held, level) => (LEVELS.indexOf(level) > LEVELS.indexOf(held) ? level : held), "none");
}
