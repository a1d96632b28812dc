import type { WorkspaceId } from "../ids.ts";
import { type Message, say } from "../messages/message.ts";
import { ed25519Verifies, type Hash, sha256Hex } from "../values/hash.ts";
import { rootOf } from "./merkle.ts";

// Checkpoints in the C2SP format: three lines (origin, size, root in base64), a blank line, then one signature line
// per key. Every tool that reads transparency logs can read them.

/** What is signed: how many entries there were, and the root of the tree over them, in hex. */
export type Checkpoint = { origin: string; size: number; root: string; end?: LedgerEnd };

/**
 * An extra line with the hash of the last entry, the edge of the tree (to continue verifying from there), and the
 * epoch. Older checkpoints have no such line.
 */
export type LedgerEnd = { hash: Hash; edge: readonly string[]; epoch: number };

/** A public key as the verifier has it. */
export type NoteKey = { name: string; publicKey: Uint8Array };

type Opened<T> = { ok: true; value: T } | { ok: false; why: Message };

const ED25519 = 1;
const DASH = "\u2014 ";
const SIGNATURES_MAX = 100;

const PREFIX = "leeway/";
/** The old name of the key, before the name included the ledger. */
const KEY_BEFORE = "leeway";
const LEDGER_LENGTH = 32;

/** A ledger is identified by its first entry. Nobody can choose its hash, because it includes a random salt. */
export function ledgerIdOf(first: Hash): string {
  return first.slice("sha256:".length, "sha256:".length + LEDGER_LENGTH);
}

/** Names a workspace's ledger, without the space and the plus that the format forbids. */
export function originOf(workspace: WorkspaceId, ledger?: string): string {
  return `${PREFIX}${encodeURIComponent(workspace)}${ledger === undefined ? "" : `/${ledger}`}`;
}

/** The key under the name of one ledger, so that the text of the key says which ledger it is for. */
export function keyFor<K extends NoteKey>(key: K, workspace: WorkspaceId, ledger: string): K {
  return { ...key, name: originOf(workspace, ledger) };
}

/** What this key signs for: the ledger in its name, or any ledger of the workspace if it is an old key. */
export function originFor(key: NoteKey, workspace: WorkspaceId): string {
  return key.name.startsWith(PREFIX) ? key.name : originOf(workspace);
}

export function checkpointText({ origin, size, root, end }: Checkpoint): string {
  const edge = end?.edge.map((node) => Buffer.from(node, "hex").toString("base64")).join(",");
  const line = end === undefined ? "" : `${end.epoch} ${end.hash} ${edge}\n`;
  return `${origin}\n${size}\n${Buffer.from(root, "hex").toString("base64")}\n${line}`;
}

/** A stored note of a workspace: its ledger, if it says so, and what was signed. */
export function openKept(
  note: string,
  signer: NoteKey,
  workspace: WorkspaceId,
): Opened<Checkpoint & { ledger?: string }> {
  const origin = note.slice(0, note.indexOf("\n"));
  const own = originOf(workspace);
  if (origin === own) return openCheckpoint(note, { ...signer, name: KEY_BEFORE }, own);
  if (!origin.startsWith(`${own}/`)) return { ok: false, why: say("record.checkpoint_of", { origin }) };
  const opened = openCheckpoint(note, { ...signer, name: origin }, origin);
  return opened.ok ? { ok: true, value: { ...opened.value, ledger: origin.slice(own.length + 1) } } : opened;
}

/** Joins the text and its signature. `sign` gets exactly the bytes that the signature must cover. */
export function signedNote(text: string, signer: NoteKey & { sign(text: string): Uint8Array }): string {
  const signature = Buffer.concat([Buffer.from(keyIdOf(signer), "hex"), signer.sign(text)]);
  return `${text}\n${DASH}${signer.name} ${signature.toString("base64")}\n`;
}

/** The checkpoint in a note, if this key signed it for this origin. */
export function openCheckpoint(note: string, key: NoteKey, origin: string): Opened<Checkpoint> {
  const opened = openNote(note, key);
  if (!opened.ok) return opened;
  const checkpoint = parseCheckpoint(opened.value);
  if (checkpoint === undefined) return { ok: false, why: say("record.not_checkpoint") };
  if (checkpoint.origin !== origin)
    return { ok: false, why: say("record.checkpoint_of", { origin: checkpoint.origin }) };
  return { ok: true, value: checkpoint };
}

/** All notes, or why one is not valid: an invalid note is a sign of tampering and is not ignored. */
export function openAll<T>(notes: readonly string[], open: (note: string) => Opened<T>): Opened<readonly T[]> {
  const opened: T[] = [];
  for (const note of notes) {
    const one = open(note);
    if (!one.ok) return one;
    opened.push(one.value);
  }
  return { ok: true, value: opened };
}

/**
 * The text of a note that this key signed. Lines of unknown keys are ignored; a wrong signature of our key rejects
 * the note.
 */
export function openNote(note: string, key: NoteKey): Opened<string> {
  const end = note.lastIndexOf("\n\n");
  if (end === -1 || !note.endsWith("\n") || hasControls(note)) return { ok: false, why: say("record.not_signed_note") };
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > SIGNATURES_MAX)
    return { ok: false, why: say("record.too_many_signatures", { count: SIGNATURES_MAX }) };
  let signed = false;
  for (const line of lines) {
    const parsed = parseSignature(line);
    if (parsed === undefined) return { ok: false, why: say("record.signature_malformed") };
    if (parsed.name !== key.name || parsed.keyId !== keyIdOf(key)) continue;
    if (!ed25519Verifies({ text, signature: parsed.signature, publicKey: key.publicKey })) {
      return { ok: false, why: say("record.signature_wrong", { name: key.name }) };
    }
    signed = true;
  }
  return signed
    ? { ok: true, value: text }
    : { ok: false, why: say("record.signed_by_other", { key: verifierKeyOf(key) }) };
}

/** `name+id+key`: the text to keep in another place, so that a replaced key is noticed. */
export function verifierKeyOf(key: NoteKey): string {
  const typed = Buffer.concat([Uint8Array.of(ED25519), key.publicKey]);
  return `${key.name}+${keyIdOf(key)}+${typed.toString("base64")}`;
}

export function parseVerifierKey(text: string): NoteKey | undefined {
  const [name = "", id = "", ...rest] = text.split("+");
  const typed = fromBase64(rest.join("+"));
  if (name === "" || typed === undefined || typed.length !== 33 || typed[0] !== ED25519) return undefined;
  const key = { name, publicKey: typed.subarray(1) };
  return keyIdOf(key) === id ? key : undefined;
}

export function keyIdOf(key: NoteKey): string {
  const named = Buffer.concat([Buffer.from(`${key.name}\n`), Uint8Array.of(ED25519), key.publicKey]);
  return sha256Hex(named).slice(0, 8);
}

function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin = "", size = "", root = "", ...rest] = text.slice(0, -1).split("\n");
  const bytes = fromBase64(root);
  if (origin === "" || !/^(0|[1-9]\d{0,15})$/.test(size) || bytes?.length !== 32) return undefined;
  // The format allows further lines; we write at most one.
  if (rest.some((line) => line === "")) return undefined;
  const checkpoint = { origin, size: Number(size), root: bytes.toString("hex") };
  const end = rest[0] === undefined ? undefined : endIn(rest[0]);
  if (end === undefined) return checkpoint;
  return rootOf(end.edge) === checkpoint.root ? { ...checkpoint, end } : undefined;
}

function endIn(line: string): LedgerEnd | undefined {
  const [, epoch = "", hash = "", edge = ""] = /^(\d{1,15}) (sha256:[0-9a-f]{64}) (\S+)$/.exec(line) ?? [];
  if (hash === "") return undefined;
  const nodes = edge.split(",").map((node) => fromBase64(node)?.toString("hex") ?? "");
  return { epoch: Number(epoch), hash: hash as Hash, edge: nodes };
}

function parseSignature(line: string): { name: string; keyId: string; signature: Uint8Array } | undefined {
  const [name = "", encoded = "", ...rest] = line.startsWith(DASH) ? line.slice(DASH.length).split(" ") : [];
  const bytes = fromBase64(encoded);
  if (name === "" || name.includes("+") || bytes === undefined || bytes.length < 5 || rest.length > 0) return undefined;
  return { name, keyId: bytes.subarray(0, 4).toString("hex"), signature: bytes.subarray(4) };
}

/** Strict, because Node's own decoder ignores invalid characters. */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64");
  return text !== "" && bytes.toString("base64") === text ? bytes : undefined;
}

function hasControls(text: string): boolean {
  return /[\u0000-\u0009\u000b-\u001f]/.test(text);
}
