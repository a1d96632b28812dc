import { closeSync, openSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { codeOf } from "../../../config/environment.ts";
import { CODES, type Code } from "../../../core/codes.ts";
import type { ExecutionId } from "../../../core/ids.ts";
import type { Receipt } from "../../../core/receipt.ts";
import type { JsonObject } from "../../../core/values/json.ts";
import { carryOut, type Holding } from "../../../library/guard.ts";
import type { HeldCall } from "../../../service/claimed.ts";
import { LeewayRefusal } from "../../../service/refusal.ts";
import { carriedOutInBox } from "../../boxed-run.ts";
import { commandEnvironment, commandWords, execCall } from "../../calls.ts";
import { Failure, OUTCOME_EXITS, shown, usage } from "../../failure.ts";
import type { CommandCalls, HelpTexts } from "../../gate/command-gate.ts";
import { POLICY_OPTION } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { type CommandInput, type CommandSpec, flag, text } from "../../spec.ts";
import { CommandFailed, isThere, spawnCommand, startOf } from "../../terminal/spawn.ts";
import { durationMs } from "../../terminal/time.ts";
import { waitForAnswer } from "../../terminal/wait-for-answer.ts";
import { shortId } from "../../views/texts.ts";

export const run: CommandSpec = {
  name: "run",
  summary:
    "run a command through the gate: it runs if the policy allows it, waits if a person must approve it, and is recorded",
  args: [["<command...>", "the program and its arguments, after --"]],
  options: [
    ["--agent <name>", "the agent that makes the call (default: cli)"],
    [
      "--wait <span>",
      "how long to wait for an answer, as in 15m (default: until there is one); a call that needs a human is refused at once and runs when you repeat it after the approval",
    ],
    [
      "--receipt <file>",
      "write the receipt to this file as JSON; it shows whether the exit code is the command's own or a refusal",
    ],
    [
      "--background",
      "start the command in its box and return at once; a command that gets no box is refused. `leeway box list`, `show` and `stop` are for what runs there",
    ],
    POLICY_OPTION,
  ],
  examples: [
    "leeway run -- npm publish",
    "leeway run --background -- npm run dev",
    "leeway run --wait 15m -- npm test",
    "leeway run --agent release-bot --receipt r.json -- ./deploy.sh production",
  ],
  exits: [0, 1, 2, 3, 4, 5],
  endsWith:
    "If the command ran, its own exit code is returned (127 if it was not found). Use --receipt to tell it from a refusal.",
  act: (given) =>
    withGate(given, async (gate) => {
      await gate.keepTime();
      return gated(given, await gate.calls(), gate.whereabouts);
    }),
};

async function gated(given: CommandInput, calls: CommandCalls, people: HelpTexts): Promise<number> {
  const { cwd, env } = given.io;
  const [program = ""] = given.args;
  // A mistyped program name must not ask anybody.
  if (!isThere(program, { cwd, env })) return notFound(given, `${program} was not found`);
  openReceipt(given);
  const agent = text(given, "agent");
  const wanted = text(given, "wait");
  const waitMs = wanted === undefined ? Number.POSITIVE_INFINITY : durationMs(wanted);
  const sent = { ...(agent === undefined ? {} : { agent }), ...execCall(given.args, env), cwd };
  const background = flag(given, "background");
  if (background && calls.boxes === undefined)
    throw new Failure(
      5,
      "no box can be made here, and a program in the background runs only in one",
      "run `leeway doctor`",
    );
  if (background && calls.boxes?.keeps === false)
    throw new Failure(5, "programs in the background cannot be kept on this system", "leave out --background");
  const { call, receipt: first } = await calls.submit(sent, { background });
  const receipt = await answered(given, calls, first, { agent: call.agent, waitMs, inbox: people.inbox });
  if (receipt.outcome !== "run" || receipt.executionId === undefined) return refused(given, receipt, people);
  if (background) return inBackground(given, calls, receipt, people);
  const held = await heldBy(calls, receipt, receipt.executionId, call.args);
  if ("refused" in held) return refused(given, held.refused, people);
  const { boxes } = calls;
  const box = held.box ?? receipt.decision.box;
  const exitCode =
    box === undefined || boxes === undefined
      ? await carriedOut(given, calls, held, call.cwd ?? cwd)
      : await carriedOutInBox(
          given,
          { calls, boxes, waitMs, inbox: people.inbox },
          { held, box, call: { ...call, id: receipt.id }, startFrom: wordsIn(given, call.cwd ?? cwd) },
        );
  keep(given, { ...receipt, exitCode }, people);
  return exitCode;
}

async function inBackground(given: CommandInput, gate: Holding, receipt: Receipt, people: HelpTexts): Promise<number> {
  const { attempt, executionId, decision } = receipt;
  if (decision.box === undefined) {
    const error = "it was not decided for a box, and a program in the background runs only in one";
    if (attempt !== undefined && executionId !== undefined)
      await gate.settle(executionId, attempt, { ok: false, error });
    throw new Failure(5, `nothing was run: ${error}`, "leave out --background");
  }
  const exitCode = await (await import("../../kept/keeping.ts")).startKeeper(given, receipt);
  keep({ ...given, out: { ...given.out, json: false } }, receipt, people);
  return exitCode;
}

/**
 * A call that was allowed at once is already claimed. A call that a person approved is claimed now, and checked
 * again.
 */
async function heldBy(
  gate: Holding,
  receipt: Receipt,
  executionId: ExecutionId,
  args: JsonObject,
): Promise<HeldCall | { refused: Receipt }> {
  if (receipt.attempt !== undefined) return { executionId, attempt: receipt.attempt, args };
  try {
    return await gate.claim(executionId);
  } catch (error) {
    if (!(error instanceof LeewayRefusal)) throw error;
    return { refused: { ...receipt, outcome: "denied", code: error.code, reason: error.reason } };
  }
}

/** Waits until the question is answered, it expires, or --wait is over. */
async function answered(
  given: CommandInput,
  calls: CommandCalls,
  receipt: Receipt,
  { agent, waitMs, inbox }: { agent: string; waitMs: number; inbox: string },
): Promise<Receipt> {
  const { outcome, approvalId } = receipt;
  if (outcome !== "pending" || approvalId === undefined) return receipt;
  const told = await calls.unanswerable(receipt, agent);
  if (told !== undefined) return told;
  const answer = await waitForAnswer(given.io, calls, { approvalId, waitMs, inbox });
  return answer === "left" ? receipt : answer;
}

function wordsIn({ io }: CommandInput, cwd: string) {
  return (args: JsonObject) => startOf(commandWords(args), { cwd, env: commandEnvironment(args, io.env) });
}

/** The words come from the approved call, so that an edited call runs as edited. */
async function carriedOut(given: CommandInput, gate: Holding, held: HeldCall, cwd: string): Promise<number> {
  const stdout = given.out.json ? 2 : "inherit";
  try {
    const ended = await carryOut(gate, held, (args: HeldCall["args"], { signal }) =>
      spawnCommand(commandWords(args), { cwd, env: commandEnvironment(args, given.io.env), stdout, signal }),
    );
    return ended.exitCode;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    if (error.code === 126 || error.code === 127) notFound(given, error.message);
    return error.code;
  }
}

function notFound(given: CommandInput, what: string): number {
  given.io.stderr.write(`leeway: ${shown(what)}\n  hint: check the command's name\n`);
  return 127;
}

function refused(given: CommandInput, receipt: Receipt, people: HelpTexts): number {
  keep(given, receipt, people);
  const code = receipt.code ?? receipt.decision.code;
  const why = receipt.reason ?? receipt.decision.because.join("; ");
  throw new Failure(
    OUTCOME_EXITS[receipt.outcome],
    `${HAPPENED[receipt.outcome]}: ${why}${code === undefined ? "" : ` (${code})`}`,
    hintOf(receipt, code, people),
  );
}

const HAPPENED: Record<Receipt["outcome"], string> = {
  run: "the command has already run",
  pending: "the command has not run: nobody has answered yet",
  not_executed: "the command was recorded but did not run",
  denied: "the command did not run",
  delegated: "the command did not run",
};

function hintOf({ id, outcome, approvalId }: Receipt, code: Code | undefined, { why, inbox }: HelpTexts): string {
  if (code === "LEEWAY_NO_REVIEWER") return "run `leeway init`";
  if (code === "LEEWAY_POLICY_INVALID")
    return "`leeway policy check` shows every error of the policy and how to correct it; no call runs before";
  // There is no decision that could be looked up.
  if (code === "LEEWAY_AUDIT_UNAVAILABLE") return "do what the message says; then the same command may run";
  const isOpen = outcome !== "denied" || code === "LEEWAY_NEEDS_HUMAN";
  if (approvalId !== undefined && isOpen)
    return `approve ${shortId(approvalId)} in ${inbox}; then the same command runs once`;
  const isLasting = outcome === "denied" && (code === undefined || !CODES[code].retryable);
  if (isLasting) return `${why(id)} explains the decision; do not retry`;
  return outcome === "denied"
    ? `${why(id)} explains the decision; the same command may run later`
    : `${why(id)} explains the decision`;
}

/** Checked before anything is asked or run, not after. */
function openReceipt(given: CommandInput): void {
  const file = text(given, "receipt");
  if (file === undefined) return;
  try {
    closeSync(openSync(resolve(given.io.cwd, file), "a"));
  } catch (error) {
    throw usage(
      `the receipt cannot be written to ${file} (${codeOf(error)})`,
      "name a file in a folder that you can write to",
    );
  }
}

/** Programs read this to tell a refusal from the command's own exit code. */
function keep(given: CommandInput, receipt: Receipt & { exitCode?: number }, { why }: HelpTexts): void {
  const file = text(given, "receipt");
  try {
    if (file !== undefined) writeFileSync(resolve(given.io.cwd, file), `${JSON.stringify(receipt, null, 2)}\n`);
  } catch (error) {
    const ended = receipt.exitCode === undefined ? "" : `: the command ended with ${receipt.exitCode}`;
    const hint = `${why(receipt.id)} says the same`;
    throw new Failure(1, `the receipt cannot be written to ${file} (${codeOf(error)})${ended}`, hint);
  }
  if (given.out.json) given.out.answer(receipt, () => "");
}
