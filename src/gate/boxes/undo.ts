import { UNDO_TOOL } from "../../core/box.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { writtenPaths } from "../../core/decide/box/kept.ts";
import { say } from "../../core/messages/message.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { filesIn, undoCall } from "../../core/steps/applying.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { openArgs } from "../calls/args.ts";
import { PROGRAM_DOOR } from "../calls/judging.ts";
import { submit } from "../calls/submit.ts";
import { wait } from "../calls/wait.ts";
import type { Deps } from "../deps.ts";
import { undoRunner } from "./changes.ts";
import { reversed } from "./seen-changes.ts";

/** Somebody at the terminal of this machine, as `leeway run` names them. */
const AGENT = "cli";

type Undoing =
  /** `folders`: those whose mode was changed, that were made or removed; known as long as they can be put back. */
  | { ok: true; value: { files: number; folders: number; receipt: Receipt } | { files: number; receipt: undefined } }
  | Refused;

/**
 * Decides about putting back what an applied call changed, as a call of its own. Without a receipt, it was undone before. What
 * may run is ready for this process.
 */
export async function submitUndo(deps: Deps, applying: CallRow): Promise<Undoing> {
  const opened = openArgs(applying);
  if (!opened.ok) return refused("LEEWAY_INTERNAL", opened.why, say("hint.database_and_key"));
  const { name, project, id, files } = changedBy(applying, opened.args);
  const { rehearsals, workspace, mint } = deps;
  // The host may not have said yet, or never, that it has written the files.
  if (applying.decision.kept !== undefined) await rehearsals?.noteWritten(name);
  const applied = await rehearsals?.applied(name);
  if (rehearsals === undefined || applied === undefined) return nothingToUndo(deps, applying);
  if (applied === "undone") return { ok: true, value: { files, receipt: undefined } };
  const changes = applied.map((change) => ({ ...reversed(change), path: `${project}/${change.path}` }));
  const of = { workspace, agent: AGENT, chain: [], traceId: mint.next("trace"), callId: mint.next("call") };
  const call = undoCall({ ...of, id }, { name, project, changes });
  deps.runners.set(UNDO_TOOL, undoRunner(rehearsals));
  // What it puts back was there before, and what it takes away can be applied again.
  const door = { ...PROGRAM_DOOR, edits: false, boxes: { rehearses: false } };
  const receipt = await submit(deps, call, { scopes: [], runBy: "leeway", door });
  const folders = changes.length - filesIn(changes).length;
  return { ok: true, value: { files: filesIn(changes).length, folders, receipt } };
}

/** What a call changed: one that applied the changes of a command, or a host's tool whose former files were kept. */
function changedBy({ id, cwd = "/", effect, decision: { kept } }: CallRow, args: JsonObject) {
  if (kept !== undefined) return { ...kept, id, files: writtenPaths(effect).length };
  // The command that made the changes is what people know, not the call that applied them.
  return {
    name: String(args["rehearsal"]),
    project: cwd,
    id: String(args["call"]),
    files: Number(args["changes"]),
  };
}

/** Says which it is: the changes wait, they were not applied, or the former bytes are gone. */
async function nothingToUndo(deps: Deps, { id }: CallRow): Promise<Refused> {
  const { outcome, executionId, result } = await wait(deps, id, { timeoutMs: 0, looksOn: true });
  if (outcome === "pending" && executionId === undefined)
    return refused("LEEWAY_NOT_FOUND", say("refusal.undo_waits", { id }), say("hint.deny_changes"));
  if (outcome !== "run" && result === undefined)
    return refused("LEEWAY_NOT_FOUND", say("refusal.undo_not_applied", { id }), say("hint.why_call", { id }));
  return refused("LEEWAY_NOT_FOUND", say("refusal.undo_not_kept", { id }), say("hint.undo_kept"));
}
