import type { EffectClass } from "./effect.ts";
import type { AgentName, PauseId, PersonName, PromotionId, WorkspaceId } from "./ids.ts";
import type { Tier } from "./tier.ts";

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
  /** Since when it has no effect any more, whatever the time: a newer one outlasts it, or it ran out. */
  endedMs?: number;
};

/** What a policy callback of the program replied; its name and its reply stand in the entry. */
export type NamedReply =
  | { name: string; answer: "allow" }
  | { name: string; answer: "deny"; reason: string }
  | { name: string; answer: "ask" };
