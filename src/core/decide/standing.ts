import type { Grant } from "../grant.ts";
import type { ExecutionId } from "../ids.ts";
import type { NamedReply, Pause, Promotion } from "../standing.ts";
import type { Hash } from "../values/hash.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";

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
