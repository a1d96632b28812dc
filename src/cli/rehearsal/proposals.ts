import type { ToolCall } from "../../core/call.ts";
import { covers } from "../../core/decide/grants.ts";
import { imagined, suggestGrants } from "../../core/decide/suggest/suggest.ts";
import type { Effect } from "../../core/effect.ts";
import { maskText } from "../../core/masking/redact.ts";
import type { GrantCover, GrantDraft, GrantPattern } from "../../core/standing/grant.ts";
import type { JsonObject } from "../../core/values/json.ts";

// Which grants would have answered the questions of a rehearsal. Only what a card would offer is proposed: never a
// program that runs other programs, and nothing for a call that is not fully understood.

/** A call that would have asked, and how to decide about it again with a grant. */
export type AskedCall = {
  call: ToolCall;
  effect: Effect;
  project: string;
  runsWith(draft: GrantDraft): boolean;
};

export type Proposal = {
  /** What the grant covers, in words. */
  grant: string;
  /** How many of the questions it would have answered, beyond those that the proposals before it answer. */
  calls: number;
  /** The same as a rule of a policy, where a rule can say it. */
  rule: JsonObject | null;
};

/** More grants than a person reads. */
const PROPOSALS_MAX = 20;

/** The grant that answers most questions first; of grants that answer the same questions the narrowest. */
export function proposalsFor(asked: readonly AskedCall[]): readonly Proposal[] {
  const drafts = draftsFor(asked);
  const made: Proposal[] = [];
  let left = asked;
  while (made.length < PROPOSALS_MAX && left.length > 0) {
    const best = bestOf(drafts, left);
    if (best === undefined) break;
    drafts.delete(best.key);
    const answered = best.covered.filter(({ runsWith }) => runsWith(best.draft));
    if (answered.length === 0) continue;
    made.push({
      grant: best.draft.label,
      calls: answered.length,
      rule: ruleOf(best.draft, best.covered[0]?.project ?? "/"),
    });
    left = left.filter((one) => !answered.includes(one));
  }
  return made;
}

/**
 * All grants that a card would offer for these calls, by what they cover. A call with a secret in it is left out: only a
 * grant that is wider than the call could be shown.
 */
function draftsFor(asked: readonly AskedCall[]): Map<string, GrantDraft> {
  const drafts = new Map<string, GrantDraft>();
  for (const { call, effect, project } of asked) {
    const offered = suggestGrants(call, effect, project).drafts;
    if (offered.some(({ label }) => maskText(label) !== label)) continue;
    for (const draft of offered) {
      const key = JSON.stringify(draft.covers);
      if (!drafts.has(key)) drafts.set(key, draft);
    }
  }
  return drafts;
}

type Best = { key: string; draft: GrantDraft; covered: readonly AskedCall[] };

function bestOf(drafts: ReadonlyMap<string, GrantDraft>, left: readonly AskedCall[]): Best | undefined {
  let best: Best | undefined;
  for (const [key, draft] of drafts) {
    const covered = left.filter(({ call, effect }) => {
      return covers(imagined(draft, { workspace: call.workspace, nowMs: 0 }), call, effect, 0);
    });
    // Narrow grants come before wide ones for each call, so an equal count keeps the narrower one.
    if (covered.length > (best?.covered.length ?? 0)) best = { key, draft, covered };
  }
  return best;
}

/** The folder of a command has no counterpart in a rule: a rule is for the whole project. */
function ruleOf({ covers: cover, subject }: GrantDraft, project: string): JsonObject | null {
  const [first] = cover.targets;
  const patterns = first === undefined ? undefined : patternsOf(cover, first.kind, project);
  if (first === undefined || patterns === undefined) return null;
  const { class: effectClass, tool } = cover;
  const match = {
    ...(subject.agent === undefined ? {} : { agent: subject.agent }),
    ...(effectClass === undefined ? {} : { class: effectClass }),
    ...(tool === undefined || first.kind === "tool" ? {} : { tool: tool.name }),
    [first.kind]: patterns,
  };
  return { name: patterns.join(", "), match, tier: "auto", because: "it was asked about often" };
}

function patternsOf({ targets }: GrantCover, kind: GrantPattern["kind"], project: string): string[] | undefined {
  if (targets.some((target) => target.kind !== kind)) return undefined;
  const patterns = targets.map((pattern) => patternOf(pattern, project));
  const known = patterns.flat().filter((pattern) => pattern !== undefined);
  return patterns.includes(undefined) ? undefined : known;
}

function patternOf(pattern: GrantPattern, project: string): string | string[] | undefined {
  switch (pattern.kind) {
    case "path":
      return pathOf(pattern, project);
    case "domain":
      return pattern.pattern.includes(":") ? undefined : pattern.pattern;
    case "command": {
      const words = pattern.words.every(
        (word, i) => PLAIN.test(word) || (word === "*" && i === pattern.words.length - 1),
      );
      return pattern.rest === undefined && words ? pattern.words.join(" ") : undefined;
    }
    case "tool":
      return /[*?:]/.test(pattern.tool) ? undefined : pattern.tool;
  }
}

/** A word that means itself in a pattern of commands. */
const PLAIN = /^[\w@%+=:,./-]+$/;

function pathOf({ path, recursive }: Extract<GrantPattern, { kind: "path" }>, project: string): string[] | undefined {
  if (/[*?\\]/.test(path)) return undefined;
  const inside = path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
  if (path === project) return recursive ? ["**"] : undefined;
  return recursive ? [inside, `${inside}/**`] : [inside];
}
