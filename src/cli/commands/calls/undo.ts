import { APPLY_TOOL } from "../../../core/box.ts";
import type { Receipt } from "../../../core/receipt.ts";
import type { CallRow } from "../../../core/rows/rows.ts";
import { submitUndo } from "../../../gate/boxes/undo.ts";
import { execute } from "../../../gate/calls/execute.ts";
import { wait } from "../../../gate/calls/wait.ts";
import type { Deps } from "../../../gate/deps.ts";
import { orThrow } from "../../../service/refusal.ts";
import { applyingCall } from "../../../service/views/boxed.ts";
import { decidedCall } from "../../../service/views/why.ts";
import { Failure, OUTCOME_EXITS } from "../../failure.ts";
import { POLICY_OPTION, withDatabase } from "../../gate/database.ts";
import { inboxHere } from "../../gate/local.ts";
import { unanswerable } from "../../gate/local-calls.ts";
import { keepTime } from "../../gate/timekeeping.ts";
import { idGiven } from "../../lookup.ts";
import { type CommandInput, type CommandSpec, text } from "../../spec.ts";
import { durationMs } from "../../terminal/time.ts";
import { waitForAnswer } from "../../terminal/wait-for-answer.ts";
import { shortId } from "../../views/texts.ts";

export const undo: CommandSpec = {
  name: "undo",
  summary: "put back the files that a call changed, as they were before",
  args: [["<id>", "the id of the call, or of the call that applied its changes, or the start of it"]],
  options: [
    ["--wait <span>", "how long to wait if a person must approve it, as in 15m (default: until there is an answer)"],
    POLICY_OPTION,
  ],
  examples: ["leeway undo call_019a8b3c4d5e", "leeway undo call_019a8b3c4d5e --json"],
  exits: [0, 1, 2, 3, 4, 5],
  endsWith:
    "If a file was changed since, nothing is put back, and the files are named. The former files are kept for 7 days. Agents cannot use this command.",
  act: (given) =>
    withDatabase(given, async (deps) => {
      await keepTime(deps);
      const id = idGiven(given);
      const applying = await applyingFor(deps, id);
      const undoing = orThrow(await submitUndo(deps, applying));
      const { files, receipt } = undoing;
      if (receipt === undefined) return told(given, { call: applying.id, files, undone: "before" });
      const { folders } = undoing;
      const ended = await carriedOut(given, deps, receipt);
      if (ended.result === undefined) throw notUndone(ended, inboxHere(given.io.env));
      const counted = files === 0 ? { files, folders } : { files };
      return told(given, { call: applying.id, ...counted, undone: "now", by: receipt.id });
    }),
};

type Undone = { call: string; files: number; folders?: number; undone: "now" | "before"; by?: string };

function told({ out }: CommandInput, undone: Undone): number {
  const { text, isOne } = countOf(undone);
  out.answer(undone, () =>
    undone.undone === "before"
      ? `${shortId(undone.call)} was undone before: ${text}`
      : `undone: ${text} ${isOne ? "is" : "are"} as before`,
  );
  return 0;
}

/** Folders are counted only where there are no files. How many they were is not known any more after an undo. */
function countOf({ files, folders }: Undone): { text: string; isOne: boolean } {
  if (files === 0 && folders === undefined) return { text: "folders", isOne: false };
  const [count, word] = files === 0 ? [folders ?? 0, "folder"] : [files, "file"];
  return { text: count === 1 ? `1 ${word}` : `${count} ${word}s`, isOne: count === 1 };
}

/** The call that applied the changes, whichever of the two is named. */
async function applyingFor(deps: Deps, id: string): Promise<CallRow> {
  const row = await decidedCall(deps, id);
  const isItself = row.tool === APPLY_TOOL || row.decision.kept !== undefined;
  const applying = isItself ? row : await applyingCall(deps, row);
  if (applying !== undefined) return applying;
  throw new Failure(
    1,
    `${shortId(row.id)} changed no files that Leeway can put back`,
    `only what a command changed in a box, or a host's tool in a build file, can be undone; \`leeway why ${shortId(row.id)}\` shows what the call did`,
  );
}

async function carriedOut(given: CommandInput, deps: Deps, receipt: Receipt): Promise<Receipt> {
  const now = async ({ id, executionId }: Pick<Receipt, "id" | "executionId">): Promise<Receipt> => {
    if (executionId !== undefined) await execute(deps, executionId);
    return wait(deps, id, { timeoutMs: 0, looksOn: true });
  };
  if (receipt.outcome !== "pending") return receipt;
  if (receipt.executionId !== undefined) return now(receipt);
  const { approvalId } = receipt;
  if (approvalId === undefined) return receipt;
  const nobody = await unanswerable(deps, receipt, "cli");
  if (nobody !== undefined) return nobody;
  const wanted = text(given, "wait");
  const waitMs = wanted === undefined ? Number.POSITIVE_INFINITY : durationMs(wanted);
  const gate = {
    nowMs: () => deps.clock.nowMs(),
    wait: async (asked: string, how: { timeoutMs: number; signal?: AbortSignal }) => {
      const seen = await wait(deps, asked, { ...how, timeoutMs: Math.min(how.timeoutMs, SLICE_MS) });
      return seen.executionId !== undefined && seen.result === undefined ? now(seen) : seen;
    },
  };
  const answer = await waitForAnswer(given.io, gate, { approvalId, waitMs, inbox: inboxHere(given.io.env) });
  return answer === "left" ? receipt : answer;
}

/** Short, because this process runs the call as soon as it is approved. */
const SLICE_MS = 1_000;

function notUndone({ id, outcome, error, reason, decision, approvalId }: Receipt, inbox: string): Failure {
  if (outcome === "pending" && error === undefined && approvalId !== undefined)
    return new Failure(
      OUTCOME_EXITS.pending,
      "nothing was undone yet: a person must approve it",
      `approve ${shortId(approvalId)} in ${inbox}; then \`leeway up\` undoes it`,
    );
  const why = error ?? reason ?? decision.because.join("; ");
  const hint =
    error === undefined && approvalId !== undefined
      ? `approve ${shortId(approvalId)} in ${inbox}; then \`leeway up\` undoes it`
      : `\`leeway why ${shortId(id)}\` explains it`;
  return new Failure(error === undefined ? OUTCOME_EXITS[outcome] || 1 : 1, why, hint);
}
