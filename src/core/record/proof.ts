import type { Entry } from "../ledger.ts";
import { canonical } from "../values/canonical.ts";
import type { Hash } from "../values/hash.ts";
import { isObject, type Json } from "../values/json.ts";
import { type NoteKey, openCheckpoint, originFor } from "./checkpoint.ts";
import { parseLine } from "./entry-line.ts";
import { besideWay, climb, grow, rootOf, type Span } from "./merkle.ts";
import { entryFault } from "./verify.ts";

/** One entry, for somebody who has nothing else of the ledger: the way from it up to what was signed, and the signature. */
export type EntryProof = {
  entry: Entry;
  /** Roots of the subtrees beside the way, lowest first, in hex. */
  beside: readonly string[];
  /** The signed note over the first entries, this one among them. */
  checkpoint: string;
};

/** How far proving has come. Changed in place by `passHash`, which gets every hash in its order. */
type Proving = { passed: number; subtrees: readonly (Span & { edge: string[] })[] };

export function startProving(index: number, size: number): Proving {
  return { passed: 0, subtrees: besideWay(index - 1, size).map((span) => ({ ...span, edge: [] })) };
}

export function passHash(state: Proving, hash: Hash): void {
  const at = state.passed++;
  // Every leaf but the one itself stands in exactly one of them.
  const subtree = state.subtrees.find(({ from, count }) => at >= from && at < from + count);
  if (subtree !== undefined) grow(subtree.edge, at - subtree.from, hash);
}

export function besideOf(state: Proving): readonly string[] {
  return state.subtrees.map(({ edge }) => rootOf(edge));
}

export type Proved = { ok: true; entry: Entry; size: number } | { ok: false; why: string };

/** Whether this key signed a ledger that the entry is in, exactly as it stands here. */
export function verifyProof(text: string, key: NoteKey): Proved {
  const given = proofIn(text);
  if (given === undefined) return { ok: false, why: "it is not a proof of an entry" };
  const line = parseLine(canonical(given.entry));
  if (!line.ok) return line;
  const { link } = line;
  const why = entryFault(link);
  if (why !== undefined) return { ok: false, why };
  const opened = openCheckpoint(given.checkpoint, key, originFor(key, link.workspace));
  if (!opened.ok) return { ok: false, why: `its checkpoint cannot be believed: ${opened.why}` };
  const { size, root } = opened.value;
  if (climb(link.hash, { leaf: link.index - 1, size }, given.beside) !== root)
    return { ok: false, why: "it is not in the ledger that was signed, or not in this place" };
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

/** Written again it is the same text: no key stands twice, and no number is rounded. */
function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return text === JSON.stringify(value) || text === canonical(value) ? value : undefined;
  } catch {
    // Not swallowed: no value is what the caller reports as no proof.
    return undefined;
  }
}
