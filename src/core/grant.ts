import type { EffectClass, Level } from "./effect.ts";
import type { AgentName, ApprovalId, GrantId, PersonName, WorkspaceId } from "./ids.ts";
import type { Tier } from "./tier.ts";
import type { Hash } from "./values/hash.ts";

/** A yes in advance is bounded: one that says neither until when nor how often ends after a day. */
export const GRANT_MS_DEFAULT = 24 * 60 * 60 * 1000;

/** Whom a grant is for. Every field present must be the call's own. */
export type GrantSubject = { agent?: AgentName; session?: string; run?: string; person?: PersonName };

export type GrantPattern =
  | { kind: "path"; path: string; recursive: boolean }
  | { kind: "domain"; pattern: string }
  /**
   * Words; a last word `*` is any rest, or with `rest: "everyday"` only arguments that `tables/runners.ts` knows. `cwd`: only
   * there. Variables set in front are never covered.
   */
  | { kind: "command"; words: readonly string[]; cwd?: string; rest?: "everyday" }
  | { kind: "tool"; tool: string };

/** What a grant covers: a class or a tool or neither, and any of these targets up to this level. */
export type GrantCover = {
  class?: EffectClass;
  tool?: { name: string; definition?: Hash };
  targets: readonly GrantPattern[];
  level: Level;
};

/** A grant that could be given. The label says literally what it covers, and it covers no more than that. */
export type GrantDraft = { label: string; subject: GrantSubject; covers: GrantCover };

/** Why nothing can be remembered of a call. Each language has a sentence for each. */
export type NotRemembered =
  | { is: "sub-agent" | "not-understood" | "no-target" | "unresolved-path" | "last-star" | "needs-human" | "no-lift" }
  | { is: "class"; class: EffectClass }
  | { is: "variables"; names: readonly string[] }
  | { is: "launcher"; program: string };

/** A person's bounded yes in advance. `uses` are counted by the store, in the Change that uses one. */
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

/** The counter that holds how often a grant has been used. */
export function grantCounter(id: GrantId): string {
  return `grant:${id}`;
}
