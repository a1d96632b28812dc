import type { Entry } from "../ledger.ts";
import { type Message, say } from "../messages/message.ts";
import { canonical } from "../values/canonical.ts";
import type { Hash } from "../values/hash.ts";
import { isObject, type Json } from "../values/json.ts";
import { type NoteKey, openCheckpoint, originFor } from "./checkpoint.ts";
import { parseLine } from "./entry-line.ts";
import { besideWay, climb, grow, rootOf, type Span } from "./merkle.ts";
import { entryFault } from "./verify.ts";

/**
 * The proof of one entry, for somebody who does not have the ledger: the hashes from the entry to the signed root,
 * and the signature.
 */
export type EntryProof = {
  entry: Entry;
  /** Roots of the subtrees next to the path, lowest first, in hex. */
  beside: readonly string[];
  /** The signed checkpoint that covers this entry. */
  checkpoint: string;
};

/** The state of making a proof. Changed in place by `passHash`, which gets every hash in order. */
type Proving = { passed: number; subtrees: readonly (Span & { edge: string[] })[] };

export function startProving(index: number, size: number): Proving {
  return { passed: 0, subtrees: besideWay(index - 1, size).map((span) => ({ ...span, edge: [] })) };
}

export function passHash(state: Proving, hash: Hash): void {
  const at = state.passed++;
  // Every leaf except the entry itself is in exactly one of these subtrees.
  const subtree = state.subtrees.find(({ from, count }) => at >= from && at < from + count);
  if (subtree !== undefined) grow(subtree.edge, at - subtree.from, hash);
}

export function besideOf(state: Proving): readonly string[] {
  return state.subtrees.map(({ edge }) => rootOf(edge));
}

export type Proved = { ok: true; entry: Entry; size: number } | { ok: false; why: Message };

/** Whether this key signed a ledger that contains the entry, exactly as it is here. */
export function verifyProof(text: string, key: NoteKey): Proved {
  const given = proofIn(text);
  if (given === undefined) return { ok: false, why: say("record.not_proof") };
  const line = parseLine(canonical(given.entry));
  if (!line.ok) return line;
  const { link } = line;
  const why = entryFault(link);
  if (why !== undefined) return { ok: false, why };
  const opened = openCheckpoint(given.checkpoint, key, originFor(key, link.workspace));
  if (!opened.ok) return { ok: false, why: say("record.proof_checkpoint_invalid", { why: opened.why }) };
  const { size, root } = opened.value;
  if (climb(link.hash, { leaf: link.index - 1, size }, given.beside) !== root)
    return { ok: false, why: say("record.not_in_signed_ledger") };
  return { ok: true, entry: given.entry as unknown as Entry, size };
}

const KEYS = ["beside", "checkpoint", "entry"];
const NODE = /^[0-9a-f]{64}$/;

function proofIn(text: string): { entry: Json; beside: readonly string[]; checkpoint: string } | undefined {
  const given = parsed(text.trim());
  if (!isObject(given) || Object.keys(given).sort().join() !== KEYS.join()) return undefined;
  const { entry = null, beside, checkpoint } = given;
  if (typeof checkpoint !== "string" || !Array.isArray(beside)) return undefined;
  const isNode = (one: Json): one is string => typeof one === "string" && NODE.test(one);
  return beside.every(isNode) ? { entry, beside, checkpoint } : undefined;
}

/** Printing it again gives the same text: no duplicate keys, no rounded numbers. */
function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return text === JSON.stringify(value) || text === canonical(value) ? value : undefined;
  } catch {
    // Not ignored: the caller reports a missing value as no proof.
    return undefined;
  }
}
