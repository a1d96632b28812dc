import { type Refused, refused } from "../../core/codes.ts";
import type { ExecutionState } from "../../core/execution.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import type { Entry, Head } from "../../core/ledger.ts";
import { redactText } from "../../core/masking/redact.ts";
import { type Message, say } from "../../core/messages/message.ts";
import {
  type Checkpoint,
  type NoteKey,
  openAll,
  openCheckpoint,
  openKept,
  originFor,
} from "../../core/record/checkpoint.ts";
import { lineOf, parseLine } from "../../core/record/entry-line.ts";
import { rowFaultMessage } from "../../core/record/row-fault.ts";
import { type Compared, namesRowInBody } from "../../core/record/standing-fold.ts";
import { finishVerifying, startVerifying, type Verified, verifyBroken, verifyLink } from "../../core/record/verify.ts";
import { draft } from "../../core/steps/draft.ts";
import { type EntryFilter, StoreUnavailable } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actingAdmin, actStep, unsure } from "../people/acting.ts";
import { headBeyond, newestKept, whyWentBack } from "./sealing.ts";
import { foldRowsLink, startRowsFold, verifyRows } from "./verify-rows.ts";

/** Large enough to be fast, small enough to use little memory. */
const PAGE = 2000;

/** Smaller pages for verifying, because short-lived objects are freed faster. */
const LINKS = 250;

/** How many entries are verified before other work gets a turn: a twentieth of a second. */
const TURN = 20 * LINKS;

/** A page of the history. Continue with `beforeIndex` or `afterIndex` of the last entry. */
export function listEntries(
  deps: Pick<Deps, "store" | "workspace">,
  filter: EntryFilter = {},
  page: { limit: number; order: "newest" | "oldest" } = { limit: 100, order: "newest" },
): Promise<readonly Entry[]> {
  return deps.store.read({ ask: "entries", workspace: deps.workspace, where: filter, ...page });
}

type Verifier = Pick<Deps, "store" | "workspace" | "seals" | "clock">;

export type Progress = (done: number, of: number) => void;

/**
 * Reads the whole chain once, from the first entry to the head, and compares it with every stored checkpoint; then
 * rows that decisions depend on with the entries that made them.
 */
export async function verifyLedger(deps: Verifier, how: { onProgress?: Progress } = {}): Promise<Verified> {
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
  const fold = startRowsFold();
  for (let afterIndex = 0; afterIndex < head.index; ) {
    const limit = Math.min(LINKS, head.index - afterIndex);
    const links = await store.read({ ask: "links", workspace, afterIndex, limit });
    const whole = links.every((link) => verifyLink(state, link));
    if (!whole || links.length < limit) break;
    for (const link of links) foldRowsLink(fold, link);
    afterIndex += limit;
    how.onProgress?.(afterIndex, head.index);
    // Waits for one turn of the event loop, so that leases can be renewed and calls decided meanwhile.
    if (afterIndex % TURN === 0) await deps.clock.sleep(0);
  }
  const [beyond] = await store.read({ ask: "links", workspace, afterIndex: head.index, limit: 1 });
  // Read after the entries beyond the head: an entry that exists now and is not covered by this head was never appended.
  const now = await store.read({ ask: "head", workspace });
  if (beyond !== undefined && now.index === head.index) verifyBroken(state, say("record.beyond_head"));
  const verified = finishVerifying(state, head);
  if (!verified.ok) return verified;
  // A copy can be verified by itself. Whether a gate may continue with it is decided elsewhere.
  const why = (await newestKept(deps)) === undefined ? undefined : await whyWentBack(deps);
  if (why !== undefined) return { ok: false, fault: { index: head.index, is: "checkpoint", why: why.reason } };
  const compared = withRows(verified, await verifyRows(deps, fold, head.index));
  const unmarked = compared.ok ? await whyUnmarked(deps) : undefined;
  if (unmarked === undefined) return compared;
  const is = unmarked.code === "LEEWAY_WENT_BACK" ? "place" : "row";
  return { ok: false, fault: { index: head.index, is, why: unmarked.reason } };
}

/** Also if each row matches its entry, all rows together must match the gate's mark. */
async function whyUnmarked({ store, workspace }: Verifier): Promise<Refused | undefined> {
  try {
    await store.read({ ask: "standing", workspace });
    return undefined;
  } catch (error) {
    if (error instanceof StoreUnavailable && error.refused !== undefined) return error.refused;
    throw error;
  }
}

function withRows(verified: Extract<Verified, { ok: true }>, { faults, compared, unproved }: Compared): Verified {
  const [first] = faults;
  if (first === undefined) return { ...verified, rows: { compared, unproved } };
  return { ok: false, fault: { index: first.index ?? 0, is: "row", why: rowFaultMessage(first) }, rows: faults };
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
    : { ok: false, fault: { index: 1, is: "truncated", why: say("record.nothing_left") } };
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

/** Erases the content of an entry. That it existed, and who erased it, stays in the ledger. */
export function eraseBody(
  deps: Deps,
  index: number,
  said: Acting & { because: string },
): Promise<{ ok: true; value: { index: number } } | Refused> {
  return actStep(deps, async (_, inForce) => {
    const acting = actingAdmin(inForce, said.by, say("act.erase"));
    if ("code" in acting) return acting;
    // Erasing cannot be undone, so a person must have proved who they are; a program's word is not enough.
    const no = unsure(inForce, said);
    if (no !== undefined) return no;
    const [entry] = await listEntries(
      deps,
      { afterIndex: index - 1, beforeIndex: index + 1 },
      { limit: 1, order: "oldest" },
    );
    if (entry === undefined)
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_entry", { index }), say("hint.log_lists"));
    if (entry.kind === "body.erased" || entry.kind === "ledger.sealed") {
      return refused("LEEWAY_BAD_INPUT", say("refusal.entry_of_ledger", { index }), say("hint.nothing_to_forget"));
    }
    if (namesRowInBody(entry.kind)) {
      const hint = say("hint.verify_compares");
      return refused("LEEWAY_BAD_INPUT", say("refusal.entry_in_force", { index }), hint);
    }
    if (entry.body === undefined) {
      return refused("LEEWAY_ALREADY_RESOLVED", say("refusal.entry_erased", { index }), say("hint.nothing_to_erase"));
    }
    const held = entry.kind === "call.decided" ? await openedBy(deps, entry) : undefined;
    if (held !== undefined) return held;
    const erased = draft(deps.mint, {
      kind: "body.erased",
      actor: `person:${said.by}`,
      subject: { person: said.by, entry: String(index) },
      body: { because: redactText(said.because) },
    });
    return {
      ok: true,
      pieces: [{ writes: [{ do: "erase", index }], entries: [erased] }],
      value: { index },
    };
  });
}

/** The entry of a call that may still run is needed to check the call before it starts. */
async function openedBy(deps: Deps, { index, subject }: Entry): Promise<Refused | undefined> {
  const { store, workspace } = deps;
  const call = (await store.read({ ask: "row", workspace, table: "calls", id: subject.call ?? "" }))?.row;
  const approval = (await store.read({ ask: "row", workspace, table: "approvals", id: call?.approvalId ?? "" }))?.row;
  const id = call?.executionId ?? (approval?.state === "approved" ? approval.executionId : "");
  const right = (await store.read({ ask: "row", workspace, table: "executions", id }))?.row;
  if (approval?.state !== "pending" && (right === undefined || ENDED.has(right.state))) return undefined;
  const hint = say("hint.erase_later");
  return refused("LEEWAY_BAD_INPUT", say("refusal.entry_may_run", { index }), hint);
}

/** A call that was handed over is not claimed again. */
const ENDED: ReadonlySet<ExecutionState> = new Set(["succeeded", "failed", "void", "handed"]);

/** The end of the chain. */
export async function headOf({ store, workspace }: Deps): Promise<Head> {
  const { epoch: _, ...head } = await store.read({ ask: "head", workspace });
  return head;
}

/** All stored checkpoints of this workspace, or the finding that one was not signed by this gate. */
async function keptCheckpoints(deps: Verifier): Promise<Checkpoint[] | Extract<Verified, { ok: false }>> {
  const { seals, workspace } = deps;
  if (seals === undefined) return [];
  const opened = openAll(await seals.kept(workspace), (note) => openKept(note, seals.signer, workspace));
  return opened.ok ? [...opened.value] : unbelieved(opened.why);
}

/** The checkpoints that the ledger names. One with another key proves nothing and is left out. */
async function namedCheckpoints(deps: Verifier): Promise<Checkpoint[]> {
  const found: Checkpoint[] = [];
  if (deps.seals === undefined) return found;
  for (let afterIndex = 0; ; ) {
    const where = { kinds: ["ledger.sealed" as const], afterIndex };
    const entries = await listEntries(deps, where, { limit: PAGE, order: "oldest" });
    for (const entry of entries) {
      const opened = openKept(String(entry.body?.json["note"]), deps.seals.signer, deps.workspace);
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
  const { key } = against;
  if (key === undefined) return unbelieved(say("record.no_key_given"));
  const opened = openAll(against.notes, (note) => openCheckpoint(note, key, originFor(key, workspace)));
  return opened.ok ? opened : unbelieved(opened.why);
}

function unbelieved(why: Message): Extract<Verified, { ok: false }> {
  return { ok: false, fault: { index: 0, is: "checkpoint", why: say("record.checkpoint_invalid", { why }) } };
}
