import type { CompiledPolicy } from "./decide/compile.ts";
import type { EffectClass } from "./effect.ts";
import type { Grant } from "./grant.ts";
import type { AgentName, ExecutionId, PauseId, PersonName, PromotionId, WorkspaceId } from "./ids.ts";
import type { Tier } from "./tier.ts";
import type { Hash } from "./values/hash.ts";

export type PauseScope =
  | { of: "everything" }
  | { of: "agent"; name: string }
  | { of: "session"; name: string }
  /** Of one session or one agent only, where one is named. */
  | { of: "tool"; name: string; session?: string; agent?: AgentName }
  | { of: "grant"; name: string }
  | { of: "reviewer"; name: string };

export type Pause = {
  id: PauseId;
  workspace: WorkspaceId;
  scope: PauseScope;
  because: string;
  by: PersonName | "leeway";
  setMs: number;
} & ({ state: "set" } | { state: "lifted"; atMs: number; by: PersonName });

/** A person's act that replaces the agent row of its scope until it expires. The newest of a scope wins. */
export type Promotion = {
  id: PromotionId;
  workspace: WorkspaceId;
  kind: "promote" | "demote";
  agent: AgentName;
  class?: EffectClass;
  tier: Tier;
  because: string;
  by: PersonName;
  atMs: number;
  untilMs?: number;
};

/** What a policy callback of the program replied; its name and its reply stand in the entry. */
export type NamedReply =
  | { name: string; answer: "allow" }
  | { name: string; answer: "deny"; reason: string }
  | { name: string; answer: "ask" };

/** All that `decide` may know besides the call and its effect. */
export type Standing = {
  /** Files, outermost first, then code scopes, outermost first; a scope says nothing only where a file spoke. */
  layers: readonly CompiledPolicy[];
  scopes: readonly CompiledPolicy[];
  policyVersion: Hash;
  /** Set when no policy loads and none was accepted before: everything is denied with this reason. */
  noPolicy?: string;
  pauses: readonly Pause[];
  /** False when the view of pauses is older than its limit: then the gate is closed. */
  pausesFresh: boolean;
  promotions: readonly Promotion[];
  /** Live grants whose subject fits the call, with the uses they have left. */
  grants: readonly { grant: Grant; usesLeft: number }[];
  /** Sum of a counter, in millionths. */
  used: (counters: readonly string[]) => number;
  callback?: NamedReply;
  permit?: { executionId: ExecutionId; approvedInBulk: boolean };
  /** Can anybody be asked: the caller can wait or come back, and somebody may review. */
  canAsk: boolean;
  quarantined: boolean;
};

/** Policy alone: nothing paused, promoted, granted or used up, and somebody can be asked. */
export function bareStanding(layers: readonly CompiledPolicy[], policyVersion: Hash): Standing {
  return {
    layers,
    policyVersion,
    scopes: [],
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    used: () => 0,
    canAsk: true,
    quarantined: false,
  };
}
