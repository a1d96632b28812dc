import type { EffectClass } from "../effect.ts";
import type { AgentName, PauseId, PersonName, PromotionId, WorkspaceId } from "../ids.ts";
import type { Message } from "../messages/message.ts";
import type { InEnglish } from "../messages/text.ts";
import type { Tier } from "../tier.ts";

export type PauseScope =
  | { of: "everything" }
  | { of: "agent"; name: string }
  | { of: "session"; name: string }
  /** Only of one session or one agent, if one is named. */
  | { of: "tool"; name: string; session?: string; agent?: AgentName }
  | { of: "grant"; name: string }
  | { of: "reviewer"; name: string };

export type Pause = {
  id: PauseId;
  workspace: WorkspaceId;
  scope: PauseScope;
  /** The reason of the person who set it, or of Leeway. */
  because: Message | string;
  by: PersonName | "leeway";
  setMs: number;
} & ({ state: "set" } | { state: "lifted"; atMs: number; by: PersonName });

/** A pause as programs get it, in English. */
export type PauseText = InEnglish<Pause>;

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
  /** Since when it has no effect any more: a newer one lasts longer, or it expired. */
  endedMs?: number;
};

/** The reply of a policy callback; its name and reply are in the entry. */
export type NamedReply =
  | { name: string; answer: "allow" }
  | { name: string; answer: "deny"; reason: Message | string }
  | { name: string; answer: "ask" };
