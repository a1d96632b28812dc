import { canonical } from "./canonical.ts";
import { type Hash, sha256, sha256Bytes } from "./hash.ts";
import type { WorkspaceId } from "./ids.ts";
import type { Json, JsonObject } from "./json.ts";

export const ENTRY_KINDS = [
  "policy.loaded",
  "policy.accepted",
  "call.decided",
  "call.delegated",
  "approval.opened",
  "approval.reviewed",
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
  "approval.escalated",
  "execution.claimed",
  "execution.handed",
  "execution.succeeded",
  "execution.failed",
  "execution.released",
  "execution.unknown",
  "execution.reconciled",
  "execution.void",
  "grant.created",
  "grant.used",
  "grant.revoked",
  "grant.expired",
  "limit.reached",
  "trust.promoted",
  "trust.demoted",
  "pause.set",
  "pause.lifted",
  "notice.dead",
  "person.added",
  "person.changed",
  "person.removed",
  "agent.registered",
  "agent.changed",
  "session.ended",
  "secret.revealed",
  "body.erased",
  "ledger.sealed",
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Who did it: a person, an agent, or the gate itself. */
export type Actor = `person:${string}` | `agent:${string}` | "leeway";

/** The ids an entry is about, for finding it again. Part of the hash. */
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
  session?: string;
  run?: string;
  trace?: string;
};

/** What a verb wants recorded. The store gives it its place. */
export type EntryDraft = { kind: EntryKind; actor: Actor; subject: Subject; body: JsonObject; salt: string };

/** One line of the history. Salt and body may be erased together; the chain still verifies. */
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

/** The end of a chain, and the right edge of its Merkle tree, largest subtree first, in hex. */
export type Head = { index: number; atMs: number; hash: Hash | null; edge: readonly string[] };

export const EMPTY_HEAD: Head = { index: 0, atMs: 0, hash: null, edge: [] };

export function bodyHashOf(salt: string, body: JsonObject): Hash {
  return sha256(Buffer.concat([Buffer.from(salt, "hex"), Buffer.from(canonical(body))]));
}

/** The hash covers everything but the body and itself. */
export function entryHashOf(entry: Omit<Entry, "hash" | "body">): Hash {
  return sha256(
    canonical({
      actor: entry.actor,
      atMs: entry.atMs,
      bodyHash: entry.bodyHash,
      index: entry.index,
      kind: entry.kind,
      previous: entry.previous,
      subject: entry.subject as { [key: string]: Json },
      workspace: entry.workspace,
    }),
  );
}

/** The next entry after `head`. Called under the store's lock of the head: two entries never share a parent. */
export function chain(head: Head, draft: EntryDraft, at: { workspace: WorkspaceId; nowMs: number }): Entry {
  const bare = {
    workspace: at.workspace,
    index: head.index + 1,
    // A clock that went back must not make history run backwards.
    atMs: Math.max(at.nowMs, head.atMs),
    kind: draft.kind,
    actor: draft.actor,
    subject: draft.subject,
    bodyHash: bodyHashOf(draft.salt, draft.body),
    previous: head.hash,
  };
  return { ...bare, hash: entryHashOf(bare), body: { salt: draft.salt, json: draft.body } };
}

export function headAfter(head: Head, entry: Entry): Head {
  return { index: entry.index, atMs: entry.atMs, hash: entry.hash, edge: grow(head.edge, head.index, entry.hash) };
}

/** RFC 6962: one more leaf. The edge holds one hash per set bit of the size, so it never passes 53. */
function grow(edge: readonly string[], size: number, leaf: Hash): readonly string[] {
  const grown = edge.slice();
  let node = leafHash(leaf);
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = grown.pop();
    if (left === undefined) throw new Error("the edge is shorter than its size (this is a bug)");
    node = nodeHash(left, node);
  }
  grown.push(node);
  return grown;
}

export function leafHash(entryHash: Hash): string {
  return Buffer.from(sha256Bytes(Uint8Array.of(0), entryHash)).toString("hex");
}

export function nodeHash(left: string, right: string): string {
  return Buffer.from(sha256Bytes(Uint8Array.of(1), Buffer.from(left, "hex"), Buffer.from(right, "hex"))).toString(
    "hex",
  );
}
