import { changeOf } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import type { Head, Link } from "../../core/ledger.ts";
import { type Message, say } from "../../core/messages/message.ts";
import {
  type Checkpoint,
  checkpointText,
  keyFor,
  ledgerIdOf,
  openKept,
  signedNote,
  verifierKeyOf,
} from "../../core/record/checkpoint.ts";
import type { SeenEntry } from "../../core/record/store-unavailable.ts";
import { finishVerifying, startVerifying, type Verified, verifyLink } from "../../core/record/verify.ts";
import { draft } from "../../core/steps/draft.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { Clock, Store } from "../../ports.ts";
import type { Seals } from "../../seals-port.ts";
import { commitAgain } from "../commit.ts";
import type { Deps } from "../deps.ts";

// Checkpoints are stored outside the database. A checkpoint is a signed state of the ledger; comparing the ledger with the
// newest one shows whether somebody replaced it with an older state or with another ledger.

type Reading = { store: Pick<Store, "read">; workspace: WorkspaceId };
type Comparing = Reading & { seals?: Seals; clock: Clock };
export type Sealer = Pick<Deps, "store" | "seals" | "workspace" | "mint" | "clock">;
export type Sealing = { ok: true; value: { size: number; note: string } } | Refused;

export type KeptCheckpoint = Checkpoint & { ledger?: string };

/** Smaller than a page, because short-lived objects are freed faster. */
const LINKS = 250;
/** How many entries are verified before other work gets a turn: a twentieth of a second. */
const TURN = 20 * LINKS;

/** Why the ledger is not the one that was signed last; undefined if it is, or if nothing was ever signed. */
export async function whyWentBack(of: Comparing): Promise<Refused | undefined> {
  if (of.seals === undefined) return undefined;
  const signed = { lost: await of.seals.lost(of.workspace), newest: await newestKept(of) };
  if ((await whyOlder(of, signed)) === undefined) return undefined;
  await freshReads(of);
  return whyOlder(of, signed);
}

/**
 * All reads of one turn may see the database as it was at the first of them. But another process may have signed something
 * newer meanwhile, and what it signed is beside the database.
 */
export function freshReads({ clock }: { clock: Clock }): Promise<void> {
  return clock.sleep(0);
}

type Signed = { lost: SeenEntry | undefined; newest: KeptCheckpoint | Refused | undefined };

async function whyOlder(of: Comparing, { lost, newest }: Signed): Promise<Refused | undefined> {
  if (lost !== undefined && (await hashAt(of, lost.index)) !== lost.hash)
    return wentBack(say("record.appended_lost", { index: lost.index }));
  if (newest === undefined) return (await isCopy(of)) ? wentBack(COPIED) : undefined;
  if ("code" in newest) return newest;
  const why = await whyUnlike(of, newest);
  return why === undefined ? undefined : wentBack(why);
}

const COPIED = say("record.copied");

/** If this gate signed a copy, the copy could be used as if it were the ledger. */
async function isCopy(of: Comparing): Promise<boolean> {
  const { seals, workspace } = of;
  const notes = seals === undefined ? [] : await seals.elsewhere(workspace);
  const signed = notes.flatMap((note) => {
    const opened = seals && openKept(note, seals.signer, workspace);
    return opened?.ok === true ? (opened.value.ledger ?? []) : [];
  });
  const ledger = signed.length === 0 ? undefined : await ledgerId(of);
  return ledger !== undefined && signed.includes(ledger);
}

async function whyUnlike(of: Comparing, { size, ledger: signed, end }: KeptCheckpoint): Promise<Message | undefined> {
  const head = await of.store.read({ ask: "head", workspace: of.workspace });
  const ledger = await ledgerId(of);
  if (ledger === undefined) return say("record.database_empty", { count: size });
  if (signed !== undefined && signed !== ledger) return say("record.other_ledger");
  if (head.index < size) return say("record.ends_early", { index: head.index, count: size });
  if (end === undefined) return undefined;
  if ((await hashAt(of, size)) !== end.hash) return say("record.not_signed_one", { index: size });
  return head.epoch < end.epoch ? say("record.standing_older") : undefined;
}

/** The head. It is read again if a checkpoint is beyond it, because other processes append meanwhile. */
export async function headBeyond(of: Comparing, signed: number): Promise<Head & { epoch: number }> {
  const { store, workspace } = of;
  const head = await store.read({ ask: "head", workspace });
  if (head.index >= signed) return head;
  await freshReads(of);
  return store.read({ ask: "head", workspace });
}

function wentBack(why: Message): Refused {
  return refused("LEEWAY_WENT_BACK", say("refusal.nothing_runs", { why }), HINT);
}

const HINT = say("hint.find_out_recover");

/** The newest stored checkpoint of this database, or the refusal if it cannot be trusted. */
export async function newestKept({ seals, workspace }: Comparing): Promise<KeptCheckpoint | Refused | undefined> {
  const note = await seals?.newest(workspace);
  if (note === undefined || seals === undefined) return undefined;
  const opened = openKept(note, seals.signer, workspace);
  return opened.ok ? opened.value : wentBack(say("record.checkpoint_unbelieved", { why: opened.why }));
}

/** The id of the ledger; undefined while it is empty. */
export async function ledgerId(of: Reading): Promise<string | undefined> {
  const first = await hashAt(of, 1);
  return first === undefined ? undefined : ledgerIdOf(first);
}

/** The public key with the name of this ledger, for somebody who verifies it elsewhere; undefined while the ledger is empty. */
export async function signedBy(of: Comparing): Promise<string | undefined> {
  const ledger = await ledgerId(of);
  if (of.seals === undefined || ledger === undefined) return undefined;
  return verifierKeyOf(keyFor(of.seals.signer, of.workspace, ledger));
}

async function hashAt({ store, workspace }: Reading, index: number): Promise<Hash | undefined> {
  const [link] = await store.read({ ask: "links", workspace, afterIndex: index - 1, limit: 1 });
  return link?.index === index ? link.hash : undefined;
}

/**
 * Signs the current state of the ledger, after verifying the entries since the last checkpoint. If they do not continue it,
 * nothing is signed. The checkpoint is first stored outside the database and then named in the ledger.
 */
export async function sealLedger(of: Sealer): Promise<Sealing> {
  if (of.seals === undefined) {
    return refused("LEEWAY_BAD_INPUT", say("refusal.no_signing_key"), say("hint.open_with_state"));
  }
  const signed = await signedNow(of);
  if (!signed.ok) return signed;
  await of.seals.keep(of.workspace, signed.value.size, signed.value.note);
  await nameInLedger(of, signed.value);
  return signed;
}

/** A signed note of the current state, not stored yet. With `anew`, the caller has checked whether the database went back. */
export async function signedNow(of: Sealer, how: { anew?: true } = {}): Promise<Sealing> {
  const { seals, workspace } = of;
  if (seals === undefined) throw new Error("nobody signs without a key (this is a bug)");
  const went = how.anew ? undefined : await whyWentBack(of);
  if (went !== undefined) return went;
  const newest = how.anew ? undefined : await newestKept(of);
  if (newest !== undefined && "code" in newest) return newest;
  const head = await headBeyond(of, newest?.size ?? 0);
  const verified = await verifiedSince(of, newest, head);
  if (!verified.ok) {
    const why = say("record.broken_at", { index: verified.fault.index, why: verified.fault.why });
    return refused("LEEWAY_LEDGER_BROKEN", say("refusal.ledger_unsigned", { why }), say("hint.run_verify"));
  }
  const ledger = await ledgerId(of);
  if (ledger === undefined || head.hash === null) {
    return refused("LEEWAY_BAD_INPUT", say("refusal.ledger_empty"), say("hint.nothing_to_sign"));
  }
  const key = keyFor(seals.signer, workspace, ledger);
  const { hash, epoch, index: size } = head;
  const { root, edge } = verified;
  const note = signedNote(checkpointText({ origin: key.name, size, root, end: { hash, edge, epoch } }), key);
  return { ok: true, value: { size, note } };
}

export async function nameInLedger({ store, mint, workspace, clock }: Sealer, signed: { size: number; note: string }) {
  const sealed = draft(mint, {
    kind: "ledger.sealed",
    actor: "leeway",
    subject: { entry: String(signed.size) },
    body: { note: signed.note },
  });
  await commitAgain(store, changeOf(mint, { workspace, nowMs: clock.nowMs() }, [{ entries: [sealed] }]));
}

/**
 * Verifies the entries after the last checkpoint, or all of them, and returns the first error. The tree over the entries
 * grows only here: every checkpoint stores its edge, and the next one continues from there.
 */
async function verifiedSince(of: Sealer, newest: KeptCheckpoint | undefined, head: Head): Promise<Verified> {
  const { workspace, store, clock } = of;
  const from = newest?.end === undefined ? undefined : { size: newest.size, ...newest.end };
  const checkpoints = newest === undefined || from !== undefined ? [] : [newest];
  const state = startVerifying({ workspace, checkpoints, ...(from === undefined ? {} : { from }) });
  for (let afterIndex = from?.size ?? 0; afterIndex < head.index; ) {
    const limit = Math.min(LINKS, head.index - afterIndex);
    const links: readonly Link[] = await store.read({ ask: "links", workspace, afterIndex, limit });
    if (!links.every((link) => verifyLink(state, link)) || links.length < limit) break;
    afterIndex += limit;
    if (afterIndex % TURN === 0) await clock.sleep(0);
  }
  return finishVerifying(state, head);
}

/** A checkpoint is due if this many entries are not signed, or if the first of them is this old. */
export const SEAL_EVERY = 1000;
const SEAL_AFTER_MS = 60_000;

/** Signs a checkpoint if one is due; otherwise undefined. */
export async function sealWhenDue(of: Sealer, every: number = SEAL_EVERY): Promise<Sealing | undefined> {
  const { seals, store, workspace, clock } = of;
  if (seals === undefined) return undefined;
  const newest = await newestKept(of);
  if (newest !== undefined && "code" in newest) return newest;
  const signed = newest?.size ?? 0;
  const head = await store.read({ ask: "head", workspace });
  // A ledger that is shorter than its checkpoint went back. It is read again, because other processes append meanwhile.
  if (signed > head.index) return whyWentBack(of);
  // It went back, and has grown again since.
  if (newest?.end !== undefined && (await hashAt(of, signed)) !== newest.end.hash) return whyWentBack(of);
  // The entry that names the last checkpoint does not need a new one.
  const waiting = head.index - signed - (signed === 0 ? 0 : 1);
  if (waiting <= 0) return undefined;
  if (waiting >= every) return sealLedger(of);
  const [first] = await store.read({ ask: "links", workspace, afterIndex: signed, limit: 1 });
  return clock.nowMs() - (first?.atMs ?? 0) >= SEAL_AFTER_MS ? sealLedger(of) : undefined;
}
