import type { EffectClass, Level } from "../effect.ts";
import type { AgentName, ApprovalId, GrantId, PersonName, WorkspaceId } from "../ids.ts";
import type { Tier } from "../tier.ts";
import type { Hash } from "../values/hash.ts";

/** A grant always ends: without an end time and a number of uses, it ends after a day. */
export const GRANT_MS_DEFAULT = 24 * 60 * 60 * 1000;

/** A grant that trusts the code of a project always ends at a time: after a week, if nobody says when. */
export const TRUST_MS_DEFAULT = 7 * GRANT_MS_DEFAULT;

/** Whom a grant is for. Every field that is set must match the call. */
export type GrantSubject = { agent?: AgentName; session?: string; run?: string; person?: PersonName };

export type GrantPattern =
  | { kind: "path"; path: string; recursive: boolean }
  | { kind: "domain"; pattern: string }
  /**
   * Words; a last word `*` means any further words, or with `rest: "everyday"` only arguments that `tables/project/runners.ts`
   * knows, or with `rest: "branches"` only names of branches and tags (`tables/project/branch-push.ts`). `cwd`: only in this folder. Commands with
   * variables before them are never covered.
   */
  | { kind: "command"; words: readonly string[]; cwd?: string; rest?: "everyday" | "branches" }
  | { kind: "tool"; tool: string };

/** What a grant covers: one call, a class, a tool or neither, and these targets up to this level. */
export type GrantCover = {
  /** Only this call, and only while it would do the same as when it was approved: a step of an approved plan. */
  exact?: { digest: Hash; effect: Hash };
  class?: EffectClass;
  tool?: { name: string; definition?: Hash };
  /** Only code from files of the project in this folder, and only where a preset asks because nobody can read code. */
  projectCode?: string;
  /** Only containers of the project in this folder, and only where a preset asks because nobody can read what they run. */
  projectContainers?: string;
  /** Only if the call runs in a box. */
  inBox?: true;
  targets: readonly GrantPattern[];
  level: Level;
};

/** A possible grant. The label says literally what it covers, and it covers nothing else. */
export type GrantDraft = { label: string; subject: GrantSubject; covers: GrantCover };

/** Why a call cannot be remembered. Each language has a sentence for each reason. */
export type NotRemembered =
  | { is: "sub-agent" | "not-understood" | "no-target" | "unresolved-path" | "last-star" | "needs-human" | "no-lift" }
  | { is: "class"; class: EffectClass }
  | { is: "variables"; names: readonly string[] }
  | { is: "launcher" | "grave"; program: string };

/** A person's limited approval in advance. The store counts `uses` in the Change that uses the grant. */
export type Grant = {
  id: GrantId;
  workspace: WorkspaceId;
  subject: GrantSubject;
  covers: GrantCover;
  tier: Extract<Tier, "notify" | "auto">;
  grantedBy: { person: PersonName } | { callback: string };
  fromApproval?: ApprovalId;
  because: string;
  createdMs: number;
  untilMs?: number;
  usesMax?: number;
} & ({ state: "live" } | { state: "revoked"; atMs: number; by: PersonName } | { state: "expired"; atMs: number });

/** When a grant ends at the latest, as far as its own limits say it. */
export function endMs({ covers, createdMs, untilMs, usesMax }: Pick<Grant, "covers" | "createdMs" | Limit>): number {
  if (untilMs !== undefined) return untilMs;
  if (covers.projectCode !== undefined) return createdMs + TRUST_MS_DEFAULT;
  if (covers.projectContainers !== undefined) return createdMs + GRANT_MS_DEFAULT;
  return usesMax === undefined ? createdMs + GRANT_MS_DEFAULT : Number.POSITIVE_INFINITY;
}

type Limit = "untilMs" | "usesMax";

/** The counter of the uses of a grant. */
export function grantCounter(id: GrantId): string {
  return `grant:${id}`;
}
