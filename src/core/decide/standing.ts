import type { PackagesHere } from "../box.ts";
import type { ExecutionId } from "../ids.ts";
import type { Message } from "../messages/message.ts";
import type { Grant } from "../standing/grant.ts";
import type { NamedReply, Pause, Promotion } from "../standing/standing.ts";
import type { Hash } from "../values/hash.ts";
import type { CompiledPolicy } from "./compile.ts";

/** All that `decide` may know besides the call and its effect. */
export type Standing = {
  /**
   * Files, outermost first, then layers from code, outermost first. A code layer that says nothing is ignored if a
   * file covers the call.
   */
  layers: readonly CompiledPolicy[];
  scopes: readonly CompiledPolicy[];
  policyVersion: Hash;
  /** Set when no policy loads and none was accepted before: everything is denied with this reason. */
  noPolicy?: Message | string;
  pauses: readonly Pause[];
  /** False if the list of pauses is too old: then everything is denied. */
  pausesFresh: boolean;
  promotions: readonly Promotion[];
  /** Live grants for the agent of the call, with the uses they have left. */
  grants: readonly { grant: Grant; usesLeft: number }[];
  /** Sum of a counter, in millionths. */
  used: (counters: readonly string[]) => number;
  callback?: NamedReply;
  permit?: { executionId: ExecutionId; approvedInBulk: boolean };
  /**
   * The caller can run the call in a box, in this project: its walls are enforced by the operating system. `ownRepository`:
   * the repository of git is in the project, so that a rehearsal shows it too. `registries`: what package
   * managers read here, and where they install. `tools`: tools were installed for the boxes of this project. `taken`: paths that are
   * somebody's, although they are in a folder for temporary files. `bare`: only `decide` sets it, for a call that would run without
   * walls, because one of its parts needs more than walls can hold. `seesLater`: only `decide` sets it, to find out what a call is if rules about
   * a name in any folder are asked after the call ran in its copy of the project. `kept`: there is no box; the caller keeps the former bytes of
   * these files under this name, and the tool writes them.
   */
  box?: {
    project: string;
    rehearses: boolean;
    ownRepository?: boolean;
    registries?: PackagesHere;
    tools?: boolean;
    taken?: readonly string[];
    bare?: true;
    seesLater?: true;
    kept?: { name: string; paths: readonly string[] };
  };
  /** Whether anybody can be asked: the caller can wait or come back, and somebody may review. */
  canAsk: boolean;
  quarantined: boolean;
};

/** A standing with policies and nothing else: nothing is paused, promoted, granted or used up, and somebody can be asked. */
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
