import { existsSync, realpathSync } from "node:fs";
import { isEverything, sayRefusals } from "../box/refusals.ts";
import { NotRehearsed } from "../box/rehearsal/tools.ts";
import { type BoxReport, isUnmade, type PreparedBox, type ProgramStart } from "../box-port.ts";
import type { Box } from "../core/box.ts";
import type { ToolCall } from "../core/call.ts";
import { isUnder } from "../core/classify/path.ts";
import type { Receipt } from "../core/receipt.ts";
import { filesIn } from "../core/steps/applying.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { carryOut, errorText } from "../library/guard.ts";
import type { HeldCall } from "../service/claimed.ts";
import { Failure, OUTCOME_EXITS, shown } from "./failure.ts";
import type { CommandBoxes, CommandCalls } from "./gate/command-gate.ts";
import type { CommandInput } from "./spec.ts";
import { CommandFailed, spawnStart } from "./terminal/spawn.ts";
import { waitForAnswer } from "./terminal/wait-for-answer.ts";
import { shortId } from "./views/texts.ts";

/** The gate of the command, the boxes of this machine, and how long to wait for a person. */
type With = { calls: CommandCalls; boxes: CommandBoxes; waitMs: number; inbox: string };
type Boxed = {
  held: HeldCall;
  box: Box;
  call: ToolCall & { id: string };
  /** The program that stands for the arguments of the approved call, so that an edited call runs as edited. */
  startFrom(args: HeldCall["args"]): ProgramStart;
  /** Hears the program's descriptor `EXTRA`. */
  extra?: (chunk: Buffer) => void;
  /** The names of the programs that still ran when the command ended. The box ended them. */
  left?: () => readonly string[];
};

/** Runs a claimed call in its box and records how it ended. Then decides about what it changed, if that was rehearsed. */
export async function carriedOutInBox(given: CommandInput, w: With, boxed: Boxed): Promise<number> {
  const { held, call, box, extra } = boxed;
  let report: BoxReport | undefined;
  const left = () => [...(boxed.left?.() ?? []), ...(report?.left ?? [])];
  const exitCode = await codeOf(() =>
    carryOut(
      w.calls,
      held,
      async (args: HeldCall["args"], { signal }) => {
        const prepared = await madeBox(() => w.boxes.prepare(boxed.startFrom(args), box));
        const ran = await runInBox(given, prepared, { signal, ...(extra === undefined ? {} : { extra }) });
        report = ran.report;
        return { ...ran.exitCode(), ...boxResult(report), ...leftResult(left()) };
      },
      (error) =>
        error instanceof CommandFailed
          ? { result: { exitCode: error.code, ...boxResult(report), ...leftResult(left()) } }
          : {},
    ),
  );
  tellRefused(given, report, ASK_WITHOUT);
  if (report?.rehearsal !== undefined) tellThrownAway(given, call, w.boxes.project);
  tellLeft(given, left());
  const changed = report === undefined ? undefined : await w.boxes.submitChanges(call, report, box);
  // The program may have ended well, but nothing of what it made is there.
  const isDropped = report?.refused.some(isEverything) === true;
  const nothing = isDropped ? OUTCOME_EXITS.denied : true;
  const applied = changed === undefined ? nothing : await apply(given, w, changed, report);
  return applied === true || exitCode !== 0 ? exitCode : applied;
}

/** Without its box a command does not run at all. */
export async function madeBox(make: () => Promise<PreparedBox>): Promise<PreparedBox> {
  try {
    return await make();
  } catch (error) {
    const hint = error instanceof NotRehearsed ? LEAVE_IT : "run `leeway doctor`";
    throw new Failure(5, `the box could not be made, so nothing was run: ${errorText(error)}`, hint);
  }
}

const LEAVE_IT = "start it in the folder of a project, or put LEEWAY_BOX=off before the command, and a person is asked";

/** `exitCode` throws if the command failed. */
type RanInBox = { report: BoxReport; exitCode(): { exitCode: number } };

export async function runInBox(
  { io, out }: CommandInput,
  prepared: PreparedBox,
  how: { signal: AbortSignal; extra?: (chunk: Buffer) => void },
): Promise<RanInBox> {
  const errors = tailOf(io.stderr.isTTY === true ? undefined : io.stderr);
  const streams = { stdout: out.json ? 2 : ("inherit" as const), stderr: errors?.take ?? ("inherit" as const) };
  const [ended] = await Promise.allSettled([
    spawnStart(prepared.start, { ...streams, ...how, endWithinMs: END_WITHIN_MS }),
  ]);
  const report = await prepared.ended(errors?.text() ?? "");
  if (ended.status === "rejected" && ended.reason instanceof CommandFailed && isUnmade(report, ended.reason.code))
    throw new Failure(
      5,
      "the box could not be made, so nothing was run",
      "the line above says why; run `leeway doctor`",
    );
  return {
    report,
    exitCode: () => {
      if (ended.status === "rejected") throw ended.reason;
      return ended.value;
    },
  };
}

/** A program may put away what it has begun. One that does not end, or has stopped itself, is killed with its box. */
const END_WITHIN_MS = 5_000;

/** What the walls refused, in a line that the agent or the person reads. */
export function tellRefused(
  { io }: CommandInput,
  report: BoxReport | undefined,
  hint: string,
  how?: { isByHand: true },
): void {
  const refused = sayRefusals(report?.refused ?? [], how);
  if (refused !== "") io.stderr.write(`leeway: ${shown(refused)}\n  hint: ${hint}\n`);
}

/** A rehearsal keeps what is changed in the project. The home folder is shown, and what is written there is thrown away. */
function tellThrownAway({ io }: CommandInput, { cwd }: ToolCall, project: string): void {
  const folder = cwd === undefined || !existsSync(cwd) ? undefined : realpathSync.native(cwd);
  if (folder === undefined || isUnder(folder, project)) return;
  io.stderr.write(`leeway: ${shown(folder)} is not in the project ${shown(project)}: files that were written there are not kept
  hint: run the command in the project, or put LEEWAY_BOX=off before it, and a person is asked\n`);
}

const REFUSED_MAX = 20;

/** What the record says about the box: how many files the command changed, and what the walls refused. */
function boxResult(report: BoxReport | undefined): JsonObject {
  const { refused = [], rehearsal } = report ?? {};
  return {
    ...(rehearsal === undefined ? {} : { changed: filesIn(rehearsal.changes).length }),
    ...(refused.length === 0 ? {} : { refused: refused.slice(0, REFUSED_MAX) }),
  };
}

const LEFT_MAX = 5;

/** The record names the programs that the command left behind. */
function leftResult(left: readonly string[]): JsonObject {
  return left.length === 0 ? {} : { left: left.slice(0, LEFT_MAX) };
}

/** A box ends with its command. Whoever started a program in the background must know that it does not go on. */
function tellLeft({ io }: CommandInput, left: readonly string[]): void {
  if (left.length === 0) return;
  const more = left.length > LEFT_MAX ? ` and ${left.length - LEFT_MAX} more` : "";
  const names = `${left.slice(0, LEFT_MAX).map(shown).join(", ")}${more}`;
  io.stderr.write(
    `leeway: programs still ran in the background when the command ended, and the box ended them: ${names}\n  hint: ${KEEP_IT}\n`,
  );
}

const KEEP_IT =
  "what they had not written yet is lost; wait for them in the same command, or start them as a background command of their own";

const ASK_WITHOUT = "to ask a person to let it run without a box, put LEEWAY_BOX=off before the command";

export async function codeOf(run: () => Promise<{ exitCode: number }>): Promise<number> {
  try {
    return (await run()).exitCode;
  } catch (error) {
    if (error instanceof CommandFailed) return error.code;
    throw error;
  }
}

const TAIL_BYTES = 16 * 1024;

/** Passes errors on and keeps their end, which may say what the walls refused. A terminal is left to the program itself. */
function tailOf(to: NodeJS.WritableStream | undefined) {
  if (to === undefined) return undefined;
  let tail = Buffer.alloc(0);
  return {
    take: (chunk: Buffer) => {
      to.write(chunk);
      tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
    },
    text: () => tail.toString("utf8"),
  };
}

/** True if everything was applied, else the exit code that says why not. */
async function apply(
  given: CommandInput,
  w: With,
  receipt: Receipt,
  report: BoxReport | undefined,
): Promise<true | number> {
  const files = filesIn(report?.rehearsal?.changes ?? []).length;
  const ended = await outcomeOf(given, w, receipt, files);
  const tell = (text: string, hint: string) =>
    given.io.stderr.write(`leeway: ${shown(text)}\n  hint: ${shown(hint)}\n`);
  if (isObject(ended.result) && typeof ended.result["undo"] === "string") {
    if (given.io.stderr.isTTY) tell(`${count(files)} changed`, `undo it with \`leeway undo ${shortId(receipt.id)}\``);
    return true;
  }
  const why = ended.error ?? ended.reason ?? ended.decision.because.join("; ");
  const isOpen = ended.outcome === "pending" || ended.code === "LEEWAY_NEEDS_HUMAN";
  if (isOpen && ended.approvalId !== undefined) {
    tell(
      `${count(files)} would change, and nobody has approved that yet: ${ended.approvalId} (${shown(why)})`,
      "the changes are applied when a person approves them in the inbox of `leeway up`",
    );
    return OUTCOME_EXITS[ended.outcome];
  }
  const more = `\`leeway why ${shortId(receipt.id)}\` shows everything`;
  if (ended.error === undefined)
    tell(`${count(files)} would have changed, and nothing was applied: ${shown(why)}`, more);
  else tell(`${count(files)} would have changed: ${shown(why)}`, `to have its changes, run the command again; ${more}`);
  return OUTCOME_EXITS.denied;
}

async function outcomeOf(given: CommandInput, w: With, receipt: Receipt, files: number): Promise<Receipt> {
  if (receipt.outcome !== "pending") return receipt;
  if (receipt.executionId !== undefined) return w.boxes.apply(receipt);
  if (receipt.approvalId === undefined) return receipt;
  given.io.stderr.write(`leeway: the command would change ${count(files)}; a person is asked before it is applied\n`);
  const wait: CommandCalls["wait"] = async (id, how) => {
    const now = await w.calls.wait(id, { ...how, timeoutMs: Math.min(how.timeoutMs, 1_000) });
    return now.code === "LEEWAY_CALL_RUNNING" ? w.boxes.apply(now) : now;
  };
  const asked = { approvalId: receipt.approvalId, waitMs: w.waitMs, inbox: w.inbox };
  const answer = await waitForAnswer(given.io, { wait, nowMs: () => w.calls.nowMs() }, asked);
  return answer === "left" ? receipt : answer;
}

function count(files: number): string {
  return files === 1 ? "1 file" : `${files} files`;
}
