import { closeSync, openSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { codeOf } from "../../config/environment.ts";
import type { ToolCall } from "../../core/call.ts";
import { CODES, type Code } from "../../core/codes.ts";
import type { ExecutionId } from "../../core/ids.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { cancel } from "../../gate/approvals/cancel.ts";
import { MANNER, submit } from "../../gate/calls/submit.ts";
import { wait } from "../../gate/calls/wait.ts";
import { type Calls, type Holding, holdingOf } from "../../library/calls.ts";
import { carryOut } from "../../library/carry.ts";
import type { HeldCall } from "../../service/claimed.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { type CallGiven, callOf, commandEnvironment, commandWords, execCall } from "../calls.ts";
import { Failure, orFail, shown, usage } from "../failure.ts";
import { type Opened, POLICY_OPTION, withGate } from "../gate.ts";
import { CommandFailed, isThere, spawnCommand } from "../spawn.ts";
import { type CommandSpec, type Given, text } from "../spec.ts";
import { shortId } from "../texts.ts";
import { durationMs } from "../time.ts";
import { keepTime } from "../timekeeping.ts";
import { waitForAnswer } from "../waiting.ts";
import { OUTCOME_EXITS } from "./check.ts";

export const run: CommandSpec = {
  name: "run",
  summary: "gate a command: it runs if it may, waits while a person is asked, and is recorded",
  args: [["<command...>", "the program and its arguments, after --"]],
  options: [
    ["--agent <name>", "who asks (default: cli)"],
    [
      "--wait <span>",
      "wait this long for an answer, as in 15m (default: until there is one); what needs a human is refused at once, and passes once it is approved",
    ],
    ["--receipt <file>", "write the receipt there as JSON: it tells a refusal from the command's own exit code"],
    POLICY_OPTION,
  ],
  examples: [
    "leeway run -- npm publish",
    "leeway run --wait 15m -- npm test",
    "leeway run --agent release-bot --receipt r.json -- ./deploy.sh production",
  ],
  exits: [0, 1, 2, 3, 4, 5],
  endsWith:
    "A command that ran ends with its own code, one that was not found with 127; --receipt tells that from a refusal.",
  act: (given) =>
    withGate(given, async (deps) => {
      await keepTime(deps);
      return gated(given, gateHere(deps));
    }),
};

/** What a command is put before: the gate of this machine, or a server's. */
type CommandGate = Holding &
  Pick<Calls, "wait"> & {
    submit(call: CallGiven): Promise<{ call: ToolCall; receipt: Receipt }>;
    /** What the caller is told where nobody is there to answer; nothing where somebody is. */
    unanswerable(receipt: Receipt, agent: string): Promise<Receipt | undefined>;
    people: Whereabouts;
  };

/** Where people look: what explains a call, and what answers a question. */
type Whereabouts = { why(call: string): string; inbox: string };

const HERE: Whereabouts = { why: (call) => `\`leeway why ${call}\``, inbox: "`leeway inbox`" };

function gateHere(deps: Opened): CommandGate {
  return {
    ...holdingOf(deps),
    submit: async (given) => {
      const call = callOf(deps, given);
      return { call, receipt: await submit(deps, call, MANNER) };
    },
    wait: (approvalId, how) => wait(deps, approvalId, how),
    unanswerable: async (receipt, agent) => {
      const { people } = (await deps.standing.current()).rows;
      if (people.some((person) => person.state === "active" && !person.auditor)) return undefined;
      // A question that nobody can see would only be found by surprise once somebody is set up.
      orFail(await cancel(deps, receipt.approvalId ?? "", { agent }));
      const asked = receipt.decision.because.join("; ");
      const reason = `nobody is set up to answer, and it has to be asked: ${asked}`;
      return { ...receipt, outcome: "denied", code: "LEEWAY_NO_REVIEWER", reason };
    },
    people: HERE,
  };
}

export async function gated(given: Given, gate: CommandGate): Promise<number> {
  const { cwd, env } = given.io;
  const [program = ""] = given.args;
  // Nobody should be asked about a slip of the keys.
  if (!isThere(program, { cwd, env })) return notFound(given, `${program} was not found`);
  openReceipt(given);
  const agent = text(given, "agent");
  const wanted = text(given, "wait");
  const waitMs = wanted === undefined ? Number.POSITIVE_INFINITY : durationMs(wanted);
  const sent = { ...(agent === undefined ? {} : { agent }), ...execCall(given.args, env), cwd };
  const { call, receipt: first } = await gate.submit(sent);
  const receipt = await answered(given, gate, first, { agent: call.agent, waitMs });
  if (receipt.outcome !== "run" || receipt.executionId === undefined) return refused(given, receipt, gate.people);
  const held = await heldBy(gate, receipt, receipt.executionId, call.args);
  if ("refused" in held) return refused(given, held.refused, gate.people);
  const exitCode = await carriedOut(given, gate, held, call.cwd ?? cwd);
  keep(given, { ...receipt, exitCode }, gate.people);
  return exitCode;
}

/** Allowed at once, the call came claimed; approved by a person, it is claimed now, and judged once more for that. */
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

/** The caller stays until somebody answered, its time is over, or it has waited as long as it wanted to. */
async function answered(
  given: Given,
  gate: CommandGate,
  receipt: Receipt,
  asking: { agent: string; waitMs: number },
): Promise<Receipt> {
  const { outcome, approvalId } = receipt;
  if (outcome !== "pending" || approvalId === undefined) return receipt;
  const told = await gate.unanswerable(receipt, asking.agent);
  if (told !== undefined) return told;
  const { inbox } = gate.people;
  const answer = await waitForAnswer(given.io, gate, { approvalId, waitMs: asking.waitMs, inbox });
  return answer === "left" ? receipt : answer;
}

/** The words come from what was approved, so that an edit is what runs. */
async function carriedOut(given: Given, gate: Holding, held: HeldCall, cwd: string): Promise<number> {
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

function notFound(given: Given, what: string): number {
  given.io.stderr.write(`leeway: ${shown(what)}\n  hint: check the command's name\n`);
  return 127;
}

function refused(given: Given, receipt: Receipt, people: Whereabouts): number {
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
  run: "the command has run before",
  pending: "the command has not run: nobody has answered yet",
  not_executed: "the command was recorded and not carried out",
  denied: "the command was not carried out",
  delegated: "the command was not carried out",
};

function hintOf({ id, outcome, approvalId }: Receipt, code: Code | undefined, { why, inbox }: Whereabouts): string {
  if (code === "LEEWAY_NO_REVIEWER") return "run `leeway init`";
  const isOpen = outcome !== "denied" || code === "LEEWAY_NEEDS_HUMAN";
  if (approvalId !== undefined && isOpen)
    return `once ${shortId(approvalId)} is approved in ${inbox}, the same command passes once`;
  const isLasting = outcome === "denied" && (code === undefined || !CODES[code].retryable);
  if (isLasting) return `${why(id)} explains it; do not retry`;
  return outcome === "denied" ? `${why(id)} explains it; the same command may pass later` : `${why(id)} explains it`;
}

/** A receipt that cannot be written is found before anything is asked or run, not after. */
function openReceipt(given: Given): void {
  const file = text(given, "receipt");
  if (file === undefined) return;
  try {
    closeSync(openSync(resolve(given.io.cwd, file), "a"));
  } catch (error) {
    throw usage(
      `the receipt cannot be written to ${file} (${codeOf(error)})`,
      "name a file in a folder you may write to",
    );
  }
}

/** What programs read to tell a refusal from the command's own exit code. */
function keep(given: Given, receipt: Receipt & { exitCode?: number }, { why }: Whereabouts): void {
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
