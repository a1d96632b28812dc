import type { CallerBoxes, Question, RunBy } from "../approval.ts";
import type { Digest, ToolCall } from "../call.ts";
import type { Decision } from "../decision.ts";
import type { Effect, EffectClass } from "../effect.ts";
import type { Agent } from "../people.ts";
import type { PolicyRow } from "../rows/rows.ts";
import type { Secret } from "../secret.ts";
import type { Grant } from "../standing/grant.ts";
import type { JsonObject } from "../values/json.ts";
import type { Circle } from "./quorum.ts";

/** A call that was classified and decided, to be turned into one Change. */
export type Submission = {
  call: ToolCall;
  digest: Digest;
  key: string;
  effect: Effect;
  decision: Decision;
  /** The inputs of the decision, to repeat it; absent if nothing was considered. */
  inputs?: JsonObject;
  args: Secret;
  runBy: RunBy;
  idempotent: boolean;
  /** Who holds the claim of a call that runs now. */
  claimer: string;
  /** True for a host that runs the call itself and may never report the result. */
  handed: boolean;
  /** The caller does not start the call now: it makes a program start it, which claims it then. */
  startsLater: boolean;
  /** True for a host that asks its own user when the policy asks. */
  delegates: boolean;
  /** The caller can run the call with other arguments than it sent (an edit). */
  editable: boolean;
  /** People are told about the command whose changes this call applies. */
  isTold?: boolean;
  /** The caller makes boxes. */
  boxes?: CallerBoxes;
  /** The arguments are a plan that the gate wrote. */
  plan?: NonNullable<Question["plan"]>;
  /** The most dangerous class of the parts: what the question is about. */
  class: EffectClass;
  /** Who would be asked and told. */
  circle: Circle;
  /** How many questions of the agent and its sub-agents are open, if this would be one more. */
  openAlready: number;
  /** How many they opened in the last minutes, including closed ones. */
  askedLately: number;
  /** How often the grant may be used, if that is limited. */
  grantUsesMax?: number;
  /** Rows that this call is the first to need. */
  firsts: { agent?: Agent; policy?: PolicyRow; grant?: Grant };
};
