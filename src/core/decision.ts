import type { Box } from "./box.ts";
import type { Code } from "./codes.ts";
import type { EffectClass } from "./effect.ts";
import type { ExecutionId, GrantId } from "./ids.ts";
import type { Message } from "./messages/message.ts";
import type { Position } from "./policy.ts";
import type { Tier } from "./tier.ts";
import type { Hash } from "./values/hash.ts";

export type Outcome = "run" | "pending" | "not_executed" | "denied" | "delegated";

/** One thing that was considered for a decision. `explain` turns it into a sentence. */
export type Cause =
  /** `who`: who set it, or `leeway`; older entries do not say. */
  | { by: "pause"; id: string; because: Message | string; who?: string }
  | { by: "baseline"; row: BaselineRow; tier: Tier; layer: string; at?: Position }
  | { by: "rule"; name: string; tier: Tier; because: string; layer: string; at: Position }
  | { by: "silent" }
  | { by: "grant"; id: GrantId; tier: Tier }
  | { by: "callback"; name: string; tier: Tier; because: Message | string }
  | { by: "understanding"; understood: "partly" | "not"; notes: readonly (Message | string)[] }
  /** A part of the call was not parsed, and `what` denies something that may be in it. */
  | { by: "unread"; what: Message | string; why: Message | string }
  | { by: "demotion"; id: string; tier: Tier; because: string }
  | { by: "limit"; name: string; tier: Tier; used: number; max: number; at: Position }
  | { by: "human"; mark: Message | string; layer: string; at?: Position }
  /** The call runs in a box, whose walls bound what nobody could read. `kept`: without one; the former files can be put back. */
  | { by: "box"; tier: Tier; kept?: true }
  | { by: "headless"; tier: Tier }
  | { by: "permit"; executionId: ExecutionId }
  | { by: "code"; code: Code; because: Message | string }
  /** The reasons of the decision were erased together with their entry. */
  | { by: "erased" };

/** A part of a call, for use in a sentence: its class and its program. */
export type PartMeant = { class: EffectClass; program?: string };

export type BaselineRow =
  | { of: "agent+tool"; name: string }
  | { of: "agent+class"; name: string }
  | { of: "agent"; name: string }
  | { of: "tool"; name: string }
  | { of: "class"; name: string }
  | { of: "promotion"; name: string }
  | { of: "policy" }
  | { of: "preset"; name: string };

/** How people are asked, if they are asked. Copied into the approval when it is opened. */
export type Asking = {
  quorum: number;
  expiresMs: number;
  permitMs: number;
  /** A review from each list is required; an empty list means everybody except auditors. */
  reviewers: readonly (readonly string[])[];
  escalate?: { afterMs: number; to: readonly string[] };
  selfReview: boolean;
  assurance: "person" | "any";
};

/** A limit that this call counts for, and the amount in millionths, so that decimals add up exactly. */
export type LimitUse = {
  name: string;
  counters: readonly string[];
  current: string;
  addMicros: number;
  maxMicros: number;
  untilMs: number;
  then: Tier;
  /** What the host reported that its model has used: it is spent, whether or not the call runs, so it always counts. */
  spent?: true;
  /** The limit is reached. If the call runs anyway, because of `then` or a review, it still counts. */
  reached: boolean;
};

export type Decision = {
  tier: Tier;
  outcome: Outcome;
  code?: Code;
  needsHuman: boolean;
  /** Everything that set the tier, ties included. */
  causes: readonly Cause[];
  /**
   * What was considered, but something else applied: something stricter, or a box that is enough. Removing anything that is in neither list never changes the
   * decision.
   */
  considered: readonly Cause[];
  grant?: GrantId;
  permit?: ExecutionId;
  /** The box that the call must run in, if the caller can make one. */
  box?: Box;
  /** The former bytes of the files of this project that it writes are kept under this name, so that they can be put back. */
  kept?: { name: string; project: string };
  limits: readonly LimitUse[];
  asking: Asking;
  policyVersion: Hash;
};
