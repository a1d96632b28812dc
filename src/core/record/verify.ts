import type { WorkspaceId } from "../ids.ts";
import { type Head, type Link, linkHashOf, SALT_BYTES } from "../ledger.ts";
import { type Message, say } from "../messages/message.ts";
import type { InEnglish } from "../messages/text.ts";
import { type Hash, sha256 } from "../values/hash.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { grow, rootOf } from "./merkle.ts";
import type { RowFault } from "./row-fault.ts";

type FaultKind =
  | "shape"
  | "workspace"
  | "index"
  | "previous"
  | "time"
  | "hash"
  | "body"
  | "erased"
  | "truncated"
  | "checkpoint"
  | "head"
  | "row"
  /** Every entry is as it was written, but the gate does not go on with this database. */
  | "place";

/** The first fault. `upTo` if only a range is known: a checkpoint covers all entries before it. */
type Fault = { index: number; upTo?: number; is: FaultKind; why: Message };

export type Verified =
  | {
      ok: true;
      entries: number;
      hash: Hash | null;
      root: string;
      /** The edge of the tree over the entries (`merkle`), to continue from. */
      edge: readonly string[];
      checkpoints: number;
      rows?: RowCount;
    }
  /** `rows`: every one that does not match, if the chain itself is valid; the fault is the first of them. */
  | { ok: false; fault: Fault; rows?: readonly RowFault[] };

/** The same for programs, in English. */
export type VerifiedText = InEnglish<Verified>;

/** How many rows were compared with the entries that made them; `unproved`: what made them was erased. */
type RowCount = { compared: number; unproved: number };

/** The state of verifying; its size does not grow with the ledger. Changed in place by `verifyLink`. */
type Verifying = {
  workspace: WorkspaceId;
  size: number;
  /** The time of the last entry; unknown where an earlier verification ended, which says only its hash. */
  atMs: number | undefined;
  hash: Hash | null;
  edge: string[];
  /** Smallest first; `passed` of them match. */
  checkpoints: readonly Checkpoint[];
  passed: number;
  /** Entries without a body that no later entry has explained yet. */
  bare: Set<number>;
  fault?: Fault;
};

/** `from`: where an earlier verification ended, according to a checkpoint; the next entry must follow it. */
export function startVerifying(of: {
  workspace: WorkspaceId;
  checkpoints: readonly Checkpoint[];
  from?: { size: number; hash: Hash; edge: readonly string[] };
}): Verifying {
  const checkpoints = [...of.checkpoints].sort((a, b) => a.size - b.size);
  const state: Verifying = {
    workspace: of.workspace,
    size: of.from?.size ?? 0,
    atMs: of.from === undefined ? 0 : undefined,
    hash: of.from?.hash ?? null,
    edge: [...(of.from?.edge ?? [])],
    checkpoints,
    passed: 0,
    bare: new Set(),
  };
  compareCheckpoints(state);
  return state;
}

/** Checks the next entry; false after an error, and then nothing more is checked. */
export function verifyLink(state: Verifying, link: Link): boolean {
  if (state.fault !== undefined) return false;
  const fault = faultOf(state, link);
  if (fault !== undefined) state.fault = { index: state.size + 1, ...fault };
  else advance(state, link);
  return state.fault === undefined;
}

/** A line that is not even an entry. */
export function verifyBroken(state: Verifying, why: Message): void {
  state.fault ??= { index: state.size + 1, is: "shape", why };
}

/** The result. `head` is the end of the chain according to the store; an export has none. */
export function finishVerifying(state: Verifying, head?: Head): Verified {
  // A body may seem to be missing without a reason only because the entry with the reason was changed.
  const first = state.fault ?? endFault(state, head) ?? erasedFault(state);
  if (first !== undefined) return { ok: false, fault: first };
  return {
    ok: true,
    entries: state.size,
    hash: state.hash,
    root: rootOf(state.edge),
    edge: state.edge,
    checkpoints: state.checkpoints.length,
  };
}

/** What is wrong with an entry itself, independently of the one before it. */
export function entryFault(link: Link): Message | undefined {
  const before = { workspace: link.workspace, size: link.index - 1, atMs: 0, hash: link.previous };
  return faultOf(before, link)?.why;
}

type Before = Pick<Verifying, "workspace" | "size" | "atMs" | "hash">;

function faultOf(state: Before, link: Link): Omit<Fault, "index"> | undefined {
  const shape = shapeFault(link);
  if (shape !== undefined) return { is: "shape", why: shape };
  if (link.workspace !== state.workspace) {
    return { is: "workspace", why: say("record.other_workspace", { workspace: link.workspace }) };
  }
  if (link.index !== state.size + 1) return { is: "index", why: say("record.other_index", { index: link.index }) };
  if (link.previous !== state.hash) return { is: "previous", why: say("record.not_following") };
  if (state.atMs !== undefined && link.atMs < state.atMs) return { is: "time", why: say("record.earlier") };
  if (link.hash !== linkHashOf(link)) return { is: "hash", why: say("record.hash_wrong") };
  if (link.body !== undefined && sha256(link.body) !== link.bodyHash) {
    return { is: "body", why: say("record.body_wrong") };
  }
  return undefined;
}

/** A store or a file may contain anything: nothing is hashed before its type is checked. */
function shapeFault(link: Link): Message | undefined {
  const numbers = Number.isSafeInteger(link.index) && Number.isSafeInteger(link.atMs) && link.atMs >= 0;
  if (!numbers) return say("record.no_whole_number");
  const texts =
    typeof link.workspace === "string" &&
    typeof link.kind === "string" &&
    typeof link.actor === "string" &&
    typeof link.subject === "string" &&
    typeof link.bodyHash === "string" &&
    typeof link.hash === "string";
  if (!texts) return say("record.text_missing");
  if (link.body !== undefined && link.body.length < SALT_BYTES) return say("record.body_no_salt");
  return undefined;
}

function advance(state: Verifying, link: Link): void {
  if (link.body === undefined) state.bare.add(link.index);
  const erased = erasedBy(link);
  if (erased !== undefined) state.bare.delete(erased);
  grow(state.edge, state.size, link.hash);
  state.size = link.index;
  state.atMs = link.atMs;
  state.hash = link.hash;
  compareCheckpoints(state);
}

function compareCheckpoints(state: Verifying): void {
  for (;;) {
    const next = state.checkpoints[state.passed];
    if (next === undefined || next.size !== state.size || state.fault !== undefined) return;
    if (next.root !== rootOf(state.edge)) {
      const index = (state.checkpoints[state.passed - 1]?.size ?? 0) + 1;
      const why = say("record.first_not_signed", { count: next.size });
      state.fault = { index: Math.min(index, next.size), upTo: next.size, is: "checkpoint", why };
      return;
    }
    state.passed += 1;
  }
}

function erasedFault(state: Verifying): Fault | undefined {
  if (state.bare.size === 0) return undefined;
  const index = [...state.bare].reduce((a, b) => Math.min(a, b));
  return { index, is: "erased", why: say("record.body_missing") };
}

function endFault(state: Verifying, head: Head | undefined): Fault | undefined {
  const missing = state.checkpoints[state.passed];
  if (head !== undefined && head.index > state.size) {
    const why = say("record.ends_before_head", { index: state.size, head: head.index });
    return { index: state.size + 1, is: "truncated", why };
  }
  if (missing !== undefined) {
    const why = say("record.ends_early", { index: state.size, count: missing.size });
    return { index: state.size + 1, upTo: missing.size, is: "truncated", why };
  }
  if (head === undefined) return undefined;
  if (head.index !== state.size) return { index: state.size, is: "head", why: say("record.head_earlier") };
  const fits = head.hash === state.hash && (state.atMs === undefined || head.atMs === state.atMs);
  return fits ? undefined : { index: state.size, is: "head", why: say("record.head_wrong") };
}

/** Only the entry itself says so, and its hash covers it. */
function erasedBy(link: Link): number | undefined {
  if (link.kind !== "body.erased") return undefined;
  const named = /"entry":"([1-9]\d*)"/.exec(link.subject)?.[1];
  return named === undefined ? undefined : Number(named);
}
