import type { WorkspaceId } from "./ids.ts";
import { canonical } from "./values/canonical.ts";
import { type Hash, sha256 } from "./values/hash.ts";
import type { Json, JsonObject } from "./values/json.ts";

export const ENTRY_KINDS = [
  "policy.loaded",
  "policy.accepted",
  "call.decided",
  "call.delegated",
  "call.reported",
  "call.refused",
  "approval.opened",
  "approval.reviewed",
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
  "approval.escalated",
  "approval.reopened",
  "approval.joined",
  "approval.replied",
  "approval.handed",
  "review.refused",
  "execution.claimed",
  "execution.handed",
  "execution.prompted",
  "execution.succeeded",
  "execution.failed",
  "execution.released",
  "execution.unknown",
  "execution.lapsed",
  "execution.reconciled",
  "execution.void",
  "grant.created",
  "grant.used",
  "grant.revoked",
  "grant.expired",
  "limit.reached",
  "trust.promoted",
  "trust.demoted",
  "tool.declared",
  "tool.forgotten",
  "pause.set",
  "pause.lifted",
  "notice.dead",
  "notice.retried",
  "person.added",
  "person.changed",
  "person.joined",
  "person.removed",
  "passphrase.wrong",
  "token.added",
  "token.used",
  "token.revoked",
  "signin.started",
  "signin.proved",
  "signin.ended",
  "agent.registered",
  "agent.changed",
  "session.ended",
  "login.added",
  "login.ended",
  "workspace.added",
  "workspace.removed",
  "secret.revealed",
  "body.erased",
  "clock.behind",
  "clock.right",
  "ledger.sealed",
  "ledger.restored",
  "ledger.recovered",
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Who did it: a person, an agent, or the gate itself. */
export type Actor = `person:${string}` | `agent:${string}` | "leeway";

/** The ids that an entry is about, used to find it. They are part of the hash. */
export type Subject = {
  agent?: string;
  tool?: string;
  class?: string;
  tier?: string;
  outcome?: string;
  call?: string;
  approval?: string;
  execution?: string;
  grant?: string;
  person?: string;
  token?: string;
  session?: string;
  run?: string;
  trace?: string;
  /** The index of another entry, for the ones about the ledger itself. */
  entry?: string;
};

/** What a verb wants to record. The store adds the index. `text` is the canonical text of the body, made once. */
export type EntryDraft = {
  kind: EntryKind;
  actor: Actor;
  subject: Subject;
  body: JsonObject;
  text: string;
  salt: string;
};

export function withText(draft: Omit<EntryDraft, "text">): EntryDraft {
  const { kind, actor, subject, body, salt } = draft;
  return { kind, actor, subject, body, text: canonical(body), salt };
}

/** One entry of the ledger. Salt and body may be erased together; the chain stays valid. */
export type Entry = {
  workspace: WorkspaceId;
  index: number;
  atMs: number;
  kind: EntryKind;
  actor: Actor;
  subject: Subject;
  bodyHash: Hash;
  previous: Hash | null;
  hash: Hash;
  body?: { salt: string; json: JsonObject };
};

/**
 * An entry in the form that is hashed; verifying reads millions of them. The subject is its canonical text, the body
 * is its salt and canonical text in one run of bytes, because parsing and printing them again costs more than
 * hashing.
 */
export type Link = Omit<Entry, "subject" | "body"> & { subject: string; body?: Uint8Array };

/** The end of a chain. */
export type Head = { index: number; atMs: number; hash: Hash | null };

export const EMPTY_HEAD: Head = { index: 0, atMs: 0, hash: null };

export function bodyHashOf(salt: string, body: JsonObject): Hash {
  return bodyTextHashOf(salt, canonical(body));
}

/** The bytes of the salt, then the canonical text. Without a salt, a short body could be guessed from its hash. */
export function bodyTextHashOf(salt: string, text: string): Hash {
  const bytesMax = SALT_BYTES + text.length * UTF8_BYTES_MAX;
  const bytes = bytesMax <= salted.length ? salted : Buffer.allocUnsafe(bytesMax);
  // A salt with a wrong length would leave old bytes in the buffer; they are zeroed, so that the same input always
  // has the same hash.
  bytes.fill(0, 0, SALT_BYTES);
  bytes.write(salt, 0, SALT_BYTES, "hex");
  return sha256(bytes.subarray(0, SALT_BYTES + bytes.write(text, SALT_BYTES)));
}

/** The bytes that the hash of a body covers. */
export function saltedBody(salt: string, text: string): Uint8Array {
  return new Uint8Array(Buffer.concat([Buffer.from(salt, "hex"), Buffer.from(text)]));
}

/** The text of a body without its salt. */
export function bodyTextOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8", SALT_BYTES);
}

export const SALT_BYTES = 16;
/** The maximum UTF-8 bytes of one UTF-16 unit; a surrogate pair takes four. */
const UTF8_BYTES_MAX = 3;
/** A reused buffer: most bodies fit, so they need no memory of their own. */
const salted = Buffer.alloc(64 * 1024);

/** The hash covers everything except the body and the hash itself. */
export function entryHashOf(entry: Omit<Entry, "hash" | "body">): Hash {
  return linkHashOf({ ...entry, subject: canonical(entry.subject as { [key: string]: Json }) });
}

/** The canonical text, built by hand: it always has these keys, in this order. */
export function linkHashOf(link: Omit<Link, "hash" | "body">): Hash {
  const previous = link.previous === null ? "null" : quoted(link.previous);
  return sha256(
    `{"actor":${JSON.stringify(link.actor)},"atMs":${link.atMs},"bodyHash":${quoted(link.bodyHash)},` +
      `"index":${link.index},"kind":${JSON.stringify(link.kind)},"previous":${previous},` +
      `"subject":${link.subject},"workspace":${JSON.stringify(link.workspace)}}`,
  );
}

/** A hash needs no escaping. A text of another length is not a hash, and is escaped. */
function quoted(hash: Hash): string {
  return hash.length === HASH_LENGTH ? `"${hash}"` : JSON.stringify(hash);
}

const HASH_LENGTH = "sha256:".length + 64;

export function linkOf(entry: Entry): Link {
  const { subject, body, ...rest } = entry;
  return {
    ...rest,
    subject: canonical(subject as { [key: string]: Json }),
    ...(body === undefined ? {} : { body: saltedBody(body.salt, canonical(body.json)) }),
  };
}

/**
 * The next entry after `head`. Called while the store holds the lock of the head, so that two entries never have the
 * same parent.
 */
export function chain(head: Head, draft: EntryDraft, at: { workspace: WorkspaceId; nowMs: number }): Entry {
  const bare = {
    workspace: at.workspace,
    index: head.index + 1,
    // If the clock was set back, the entries must still be in order of time.
    atMs: Math.max(at.nowMs, head.atMs),
    kind: draft.kind,
    actor: draft.actor,
    subject: draft.subject,
    bodyHash: bodyTextHashOf(draft.salt, draft.text),
    previous: head.hash,
  };
  return { ...bare, hash: entryHashOf(bare), body: { salt: draft.salt, json: draft.body } };
}

export function headAfter({ index, atMs, hash }: Pick<Entry, "index" | "atMs" | "hash">): Head {
  return { index, atMs, hash };
}
