import { type Refused, refused } from "../../core/codes.ts";
import { say } from "../../core/messages/message.ts";
import { type Checkpoint, openKept } from "../../core/record/checkpoint.ts";
import { climb } from "../../core/record/merkle.ts";
import { besideOf, type EntryProof, passHash, startProving } from "../../core/record/proof.ts";
import type { Deps } from "../deps.ts";
import { listEntries, type Progress } from "./ledger.ts";
import { sealLedger } from "./sealing.ts";

const PAGE = 500;

/** An entry with the proof that it was signed. If the entry is newer than the last checkpoint, a new one is signed first. */
export async function proveEntry(
  deps: Deps,
  index: number,
  how: { onProgress?: Progress } = {},
): Promise<{ ok: true; value: EntryProof } | Refused> {
  const around = { afterIndex: index - 1, beforeIndex: index + 1 };
  const [entry] = await listEntries(deps, around, { limit: 1, order: "oldest" });
  if (entry === undefined)
    return refused("LEEWAY_NOT_FOUND", say("refusal.no_entry", { index }), say("hint.log_lists"));
  const signed = await signedOver(deps, index);
  if (!signed.ok) return signed;
  const { size, root, note } = signed.value;
  const beside = await besideIn(deps, { index, size }, how);
  if (climb(entry.hash, { leaf: index - 1, size }, beside) !== root)
    return refused("LEEWAY_LEDGER_BROKEN", say("refusal.not_those_signed"), say("hint.run_verify"));
  return { ok: true, value: { entry, beside, checkpoint: note } };
}

type Signed = Checkpoint & { note: string };

/** The newest checkpoint if it covers the entry; otherwise a new one. */
async function signedOver(deps: Deps, index: number): Promise<{ ok: true; value: Signed } | Refused> {
  const known = await newestOver(deps, index);
  if (known !== undefined) return { ok: true, value: known };
  const sealed = await sealLedger(deps);
  if (!sealed.ok) return sealed;
  const made = await newestOver(deps, index);
  if (made === undefined) throw new Error("a checkpoint that was just signed is not there (this is a bug)");
  return { ok: true, value: made };
}

async function newestOver({ seals, workspace }: Deps, index: number): Promise<Signed | undefined> {
  const note = await seals?.newest(workspace);
  if (seals === undefined || note === undefined) return undefined;
  const opened = openKept(note, seals.signer, workspace);
  return opened.ok && opened.value.size >= index ? { ...opened.value, note } : undefined;
}

/** Reads all hashes that the checkpoint covers. */
async function besideIn(
  { store, workspace, clock }: Deps,
  { index, size }: { index: number; size: number },
  how: { onProgress?: Progress },
): Promise<readonly string[]> {
  const state = startProving(index, size);
  while (state.passed < size) {
    const limit = Math.min(PAGE, size - state.passed);
    const links = await store.read({ ask: "links", workspace, afterIndex: state.passed, limit });
    for (const { hash } of links) passHash(state, hash);
    how.onProgress?.(state.passed, size);
    // If a hash is missing, the root differs, and the proof fails.
    if (links.length < limit) break;
    await clock.sleep(0);
  }
  return besideOf(state);
}
