import type { RunBy } from "../approval.ts";
import type { Digest, ToolCall } from "../call.ts";
import type { Decision } from "../decision.ts";
import type { Effect, EffectClass } from "../effect.ts";
import type { Grant } from "../grant.ts";
import type { Agent } from "../people.ts";
import type { PolicyRow } from "../rows.ts";
import type { Secret } from "../secret.ts";
import type { JsonObject } from "../values/json.ts";
import type { Circle } from "./quorum.ts";

/** A call that has been classified and decided, on its way to one Change. */
export type Submission = {
  call: ToolCall;
  digest: Digest;
  key: string;
  effect: Effect;
  decision: Decision;
  /** What the decision was made of, for making it again; absent where nothing was weighed. */
  inputs?: JsonObject;
  args: Secret;
  runBy: RunBy;
  idempotent: boolean;
  /** Who holds the claim of a call that runs now. */
  claimer: string;
  /** True for a host that carries the call out itself and may never tell. */
  handed: boolean;
  /** True for a host that asks its own user where the policy asks. */
  delegates: boolean;
  /** The door can carry out other arguments than the ones it sent. */
  editable: boolean;
  /** The most sensitive class among the parts: what the question is about. */
  class: EffectClass;
  /** Who would be asked and told. */
  circle: Circle;
  /** How many questions of the agent and its sub-agents are open, where this would be one more. */
  openAlready: number;
  /** How many they opened in the last minutes, whatever became of them. */
  askedLately: number;
  /** How often the grant that the decision rests on may be used, where that is bounded. */
  grantUsesMax?: number;
  /** Rows that this call is the first to need. */
  firsts: { agent?: Agent; policy?: PolicyRow; grant?: Grant };
};
