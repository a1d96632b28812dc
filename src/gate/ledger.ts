import { type Refused, refused } from "../core/codes.ts";
import type { WorkspaceId } from "../core/ids.ts";
import type { Entry, Head } from "../core/ledger.ts";
import {
  type Checkpoint,
  checkpointText,
  type NoteKey,
  openCheckpoint,
  openCheckpoints,
  originOf,
  signedNote,
} from "../core/record/checkpoint.ts";
import { lineOf, parseLine } from "../core/record/entry-line.ts";
import { rootOf } from "../core/record/merkle.ts";
import { rowFaultText } from "../core/record/row-fault.ts";
import { type Compared, foldLink, namesRowInBody, startFolding } from "../core/record/standing-fold.ts";
import { finishVerifying, startVerifying, type Verified, verifyBroken, verifyLink } from "../core/record/verify.ts";
import { draft } from "../core/steps/draft.ts";
import type { EntryFilter } from "../ports.ts";
import { type Acting, actingAdmin, actStep, unsure } from "./acting.ts";
import { commitStep } from "./commit.ts";
import type { Deps } from "./deps.ts";
import { verifyRows } from "./verify-rows.ts";

/** Large enough that a page costs little more than its entries, small enough that memory stays flat. */
const PAGE = 2000;

/** Fewer at once where they are only looked at: what is forgotten while it is young costs the least. */
const LINKS = 250;

/** How many entries are verified in one go before everybody else has a turn: a twentieth of a second. */
const TURN = 20 * LINKS;

/** A page of the history. Continue with `beforeIndex` or `afterIndex` of the last entry. */
export function listEntries(
  deps: Deps,
  filter: EntryFilter = {},
  page: { limit: number; order: "newest" | "oldest" } = { limit: 100, order: "newest" },
): Promise<readonly Entry[]> {
  return deps.store.read({ ask: "entries", workspace: deps.workspace, where: filter, ...page });
}

export type Progress = (done: number, of: number) => void;

/**
 * Reads the whole chain once, from the first entry to the head, and compares it with every checkpoint kept; then the
 * rows that decisions rest on with the entries that made them.
 */
export async function verifyLedger(deps: Deps, how: { onProgress?: Progress } = {}): Promise<Verified> {
  const { workspace, store } = deps;
  const kept = await keptCheckpoints(deps);
  if (!Array.isArray(kept)) return kept;
  const named = await namedCheckpoints(deps);
  const isKept = (one: Checkpoint) => kept.some(({ size, root }) => size === one.size && root === one.root);
  const checkpoints = [...kept, ...named.filter((one) => !isKept(one))];
  const head = await headBeyond(
    deps,
    checkpoints.reduce((most, { size }) => Math.max(most, size), 0),
  );
  const state = startVerifying({ workspace, checkpoints });
  const fold = startFolding();
  for (let afterIndex = 0; afterIndex < head.index; ) {
    const limit = Math.min(LINKS, head.index - afterIndex);
    const links = await store.read({ ask: "links", workspace, afterIndex, limit });
    const whole = links.every((link) => verifyLink(state, link));
    if (!whole || links.length < limit) break;
    for (const link of links) foldLink(fold, link);
    afterIndex += limit;
    how.onProgress?.(afterIndex, head.index);
    // Reading is done at once, so that nothing else would get a turn: leases are renewed meanwhile, and calls decided.
    if (afterIndex % TURN === 0) await deps.clock.sleep(0);
  }
  const [beyond] = await store.read({ ask: "links", workspace, afterIndex: head.index, limit: 1 });
  // Read after what lies beyond the head: an entry that is there now and not under this head was never appended.
  const now = await store.read({ ask: "head", workspace });
  if (beyond !== undefined && now.index === head.index) verifyBroken(state, "it lies beyond the head");
  const verified = finishVerifying(state, head);
  return verified.ok ? withRows(verified, await verifyRows(deps, fold, head.index)) : verified;
}

function withRows(verified: Extract<Verified, { ok: true }>, { faults, compared, unproved }: Compared): Verified {
  const [first] = faults;
  if (first === undefined) return { ...verified, rows: { compared, unproved } };
  return { ok: false, fault: { index: first.index ?? 0, is: "row", why: rowFaultText(first) }, rows: faults };
}

/** Verifies an export, line by line. */
export async function verifyLines(
  lines: AsyncIterable<string> | Iterable<string>,
  against: { notes: readonly string[]; key?: NoteKey },
): Promise<Verified> {
  let state: ReturnType<typeof startVerifying> | undefined;
  for await (const line of lines) {
    const parsed = parseLine(line);
    if (state === undefined) {
      const workspace = parsed.ok ? parsed.link.workspace : "default";
      const opened = openedFor(workspace, against);
      if (!opened.ok) return opened;
      state = startVerifying({ workspace, checkpoints: opened.value });
    }
    if (parsed.ok) verifyLink(state, parsed.link);
    else verifyBroken(state, parsed.why);
  }
  if (state !== undefined) return finishVerifying(state);
  return against.notes.length === 0
    ? finishVerifying(startVerifying({ workspace: "default", checkpoints: [] }))
    : { ok: false, fault: { index: 1, is: "truncated", why: "nothing is left of a ledger that was signed" } };
}

/** The whole history, one entry per line, oldest first. */
export async function* exportLedger(deps: Deps, filter: EntryFilter = {}): AsyncGenerator<string> {
  let afterIndex = filter.afterIndex ?? 0;
  for (;;) {
    const entries = await listEntries(deps, { ...filter, afterIndex }, { limit: PAGE, order: "oldest" });
    for (const entry of entries) yield lineOf(entry);
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    afterIndex = last.index;
  }
}

/** What an entry said is forgotten; that it was there, and who had it forgotten, is not. */
export function eraseBody(
  deps: Deps,
  index: number,
  said: Acting & { because: string },
): Promise<{ ok: true; value: { index: number } } | Refused> {
  return actStep(deps, async (_, inForce) => {
    const acting = actingAdmin(inForce, said.by, "erase what was recorded");
    if ("code" in acting) return acting;
    // What is forgotten does not come back: a program's word that somebody wants it is not enough.
    const no = unsure(inForce, said);
    if (no !== undefined) return no;
    const [entry] = await listEntries(
      deps,
      { afterIndex: index - 1, beforeIndex: index + 1 },
      { limit: 1, order: "oldest" },
    );
    if (entry === undefined)
      return refused("LEEWAY_NOT_FOUND", `there is no entry ${index}`, "`leeway log` lists them");
    if (entry.kind === "body.erased" || entry.kind === "ledger.sealed") {
      return refused("LEEWAY_BAD_INPUT", `entry ${index} is about the ledger itself`, "it holds nothing to forget");
    }
    if (namesRowInBody(entry.kind)) {
      const hint = "it is what verifying compares the row with";
      return refused("LEEWAY_BAD_INPUT", `entry ${index} says what is in force`, hint);
    }
    if (entry.body === undefined) {
      return refused("LEEWAY_ALREADY_RESOLVED", `the body of entry ${index} is erased`, "nothing is left to erase");
    }
    const erased = draft(deps.mint, {
      kind: "body.erased",
      actor: `person:${said.by}`,
      subject: { person: said.by, entry: String(index) },
      body: { because: said.because },
    });
    return {
      ok: true,
      pieces: [{ writes: [{ do: "erase", index }], entries: [erased] }],
      value: { index },
    };
  });
}

type Sealing = { ok: true; value: { size: number; note: string } } | Refused;

/** Signs the head as it is now. The note is kept beside the database first, then named in the ledger. */
export async function sealLedger(deps: Deps): Promise<Sealing> {
  const { seals, workspace } = deps;
  if (seals === undefined) {
    return refused("LEEWAY_BAD_INPUT", "there is no key to sign with", "open the gate with a state folder");
  }
  const signed = await signedSize(deps);
  if (typeof signed !== "number") return signed;
  const head = await headBeyond(deps, signed);
  if (signed > head.index) {
    const why = `the ledger ends at ${head.index}, but ${signed} entries were signed`;
    return refused("LEEWAY_LEDGER_BROKEN", why, "run `leeway verify`, and find out who took them");
  }
  const text = checkpointText({ origin: originOf(workspace), size: head.index, root: rootOf(head.edge) });
  const note = signedNote(text, seals.signer);
  await seals.keep(workspace, head.index, note);
  const sealed = draft(deps.mint, {
    kind: "ledger.sealed",
    actor: "leeway",
    subject: { entry: String(head.index) },
    body: { note },
  });
  return commitStep(deps, async () => ({
    ok: true,
    pieces: [{ entries: [sealed] }],
    value: { size: head.index, note },
  }));
}

/** A seal is due when this many entries have no signature over them. */
export const SEAL_EVERY = 1000;

/** Seals if it is due; `undefined` when nothing was to be done. */
export async function sealWhenDue(deps: Deps, every: number = SEAL_EVERY): Promise<Sealing | undefined> {
  if (deps.seals === undefined) return undefined;
  const signed = await signedSize(deps);
  if (typeof signed !== "number") return signed;
  const head = await headBeyond(deps, signed);
  // The entry that names the last seal is not one that waits for the next.
  const waiting = head.index - signed - (signed === 0 ? 0 : 1);
  // A ledger shorter than what was signed is broken, and sealing is where that is said.
  return waiting >= every || signed > head.index ? sealLedger(deps) : undefined;
}

/** The head, read once more if something was signed beyond it: others append meanwhile, and an alarm must be sure. */
async function headBeyond({ store, workspace }: Deps, signed: number): Promise<Head> {
  const head = await store.read({ ask: "head", workspace });
  return head.index < signed ? store.read({ ask: "head", workspace }) : head;
}

/** How many entries the newest checkpoint covers. */
async function signedSize({ seals, workspace }: Deps): Promise<number | Refused> {
  const note = await seals?.newest(workspace);
  if (note === undefined || seals === undefined) return 0;
  const opened = openCheckpoint(note, seals.signer, originOf(workspace));
  if (opened.ok) return opened.value.size;
  return refused(
    "LEEWAY_LEDGER_BROKEN",
    `the newest checkpoint cannot be believed: ${opened.why}`,
    "run `leeway verify`",
  );
}

/** Every checkpoint kept for this workspace, or the verdict that one of them is not ours. */
async function keptCheckpoints(deps: Deps): Promise<Checkpoint[] | Extract<Verified, { ok: false }>> {
  const { seals, workspace } = deps;
  if (seals === undefined) return [];
  const opened = openedFor(workspace, { notes: await seals.kept(workspace), key: seals.signer });
  return opened.ok ? [...opened.value] : opened;
}

/** The checkpoints that the ledger itself names. One of another key proves nothing, so it is left out. */
async function namedCheckpoints(deps: Deps): Promise<Checkpoint[]> {
  const found: Checkpoint[] = [];
  if (deps.seals === undefined) return found;
  for (let afterIndex = 0; ; ) {
    const where = { kinds: ["ledger.sealed" as const], afterIndex };
    const entries = await listEntries(deps, where, { limit: PAGE, order: "oldest" });
    for (const entry of entries) {
      const opened = openCheckpoint(String(entry.body?.json["note"]), deps.seals.signer, originOf(deps.workspace));
      if (opened.ok) found.push(opened.value);
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return found;
    afterIndex = last.index;
  }
}

function openedFor(
  workspace: WorkspaceId,
  against: { notes: readonly string[]; key?: NoteKey },
): { ok: true; value: readonly Checkpoint[] } | Extract<Verified, { ok: false }> {
  if (against.notes.length === 0) return { ok: true, value: [] };
  const fault = (why: string) =>
    ({ ok: false, fault: { index: 0, is: "checkpoint", why: `a checkpoint cannot be believed: ${why}` } }) as const;
  if (against.key === undefined) return fault("no key was given to check its signature");
  const opened = openCheckpoints(against.notes, against.key, originOf(workspace));
  return opened.ok ? opened : fault(opened.why);
}
