import { basename } from "node:path";
import { nameText } from "../../../core/letters/name-text.ts";
import type { Receipt } from "../../../core/receipt.ts";
import type { PlannedCall, PlanReceipt } from "../../../service/plans.ts";
import type { PlanCallInput } from "../../../service/shapes/plan.ts";
import { planLine } from "../../calls.ts";
import { Failure, OUTCOME_EXITS, usage } from "../../failure.ts";
import type { CommandGate } from "../../gate/command-gate.ts";
import { POLICY_OPTION } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { type CommandInput, type CommandSpec, text } from "../../spec.ts";
import { fileText, stdinText } from "../../terminal/files.ts";
import { table } from "../../terminal/table.ts";
import { durationMs } from "../../terminal/time.ts";
import { waitForAnswer } from "../../terminal/wait-for-answer.ts";
import { shortId } from "../../views/texts.ts";

export const plan: CommandSpec = {
  name: "plan",
  summary:
    "ask a person once to approve several calls; nothing runs, and after the approval each call that needed one may run once",
  args: [["<file>", "one call per line as JSON, at most 50 (`-`: from stdin)"]],
  options: [
    ["--title <text>", "what the plan is for (default: the name of the file)"],
    ["--agent <name>", "the agent that will make the calls (default: cli)"],
    ["--session <id>", "the calls count only in this session of the agent"],
    ["--wait <span>", "how long to wait for an answer, as in 15m (default: until there is one)"],
    POLICY_OPTION,
  ],
  examples: [
    "leeway plan release.jsonl --title 'Release 1.4'",
    `printf '%s\\n' '{"argv":["git","push"]}' '{"argv":["npm","publish"]}' | leeway plan - --agent release-bot`,
  ],
  exits: [0, 1, 2, 3, 4, 5],
  endsWith:
    'A line is {"argv":[…]} for a command that `leeway run` will run, or {"tool":"write_file","args":{…}}; with "width":"targets", "near" or "wide" it allows more than exactly this call.',
  act: (given) =>
    withGate(given, async (gate) => {
      await gate.keepTime();
      return planned(given, gate);
    }),
};

async function planned(given: CommandInput, gate: CommandGate): Promise<number> {
  const [path = "-"] = given.args;
  const waiting = text(given, "wait");
  const waitMs = waiting === undefined ? Number.POSITIVE_INFINITY : durationMs(waiting);
  const calls = callsIn(given, path === "-" ? await stdinText(given.io) : fileText(path));
  const [agent, session] = [text(given, "agent"), text(given, "session")];
  const sent = await gate.submitPlan({
    title: text(given, "title") ?? (path === "-" ? countedTitle(calls.length, agent ?? "cli") : basename(path)),
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    cwd: given.io.cwd,
    calls,
  });
  if (!given.out.json) given.io.stdout.write(`${stepsText(given, calls, sent)}\n`);
  const receipt = await answered(given, gate, sent.receipt, { agent: agent ?? "cli", waitMs });
  if (given.out.json) given.out.answer({ ...sent, ...(receipt === undefined ? {} : { receipt }) }, () => "");
  if (receipt === undefined) {
    given.out.note("no call of this plan waits for an approval of the plan, so nobody was asked");
    return 0;
  }
  if (receipt.outcome === "run") {
    given.out.note("approved: each call that the plan covers may run once");
    return 0;
  }
  throw notApproved(gate, receipt);
}

function countedTitle(count: number, agent: string): string {
  return `${count === 1 ? "1 call" : `${count} calls`} of ${nameText(agent)}`;
}

/** Every line must be a call: a plan with a gap is not what somebody would approve. */
function callsIn({ io }: CommandInput, input: string): readonly PlanCallInput[] {
  const lines = input.split("\n").map((line, at) => ({ line, number: at + 1 }));
  return lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, number }) => {
      const read = planLine(line, io.env);
      if (read.ok) return read.call;
      throw usage(
        `line ${number} is not a call: ${read.why}`,
        `a line is {"argv":["git","push"]} or {"tool":"shell","args":{…}}`,
      );
    });
}

function stepsText({ out }: CommandInput, calls: readonly PlanCallInput[], { steps }: PlanReceipt): string {
  const rows = steps.map((step, at) => [
    String(at + 1),
    BECOMES[step.is],
    step.decision.tier,
    callText(calls[at]),
    whyText(step),
  ]);
  return table(out, ["", "becomes", "tier", "call", "because"], rows);
}

const BECOMES: Record<PlannedCall["is"], string> = {
  covered: "allowed once if approved",
  runs: "needs no approval",
  asks: "asked separately",
  human: "needs its own review",
  proposed: "only recorded",
  denied: "denied",
};

function callText({ tool, args }: PlanCallInput = { tool: "" }): string {
  const words = (args as { argv?: readonly string[] } | undefined)?.argv;
  return words === undefined ? `${tool} ${JSON.stringify(args ?? {})}` : words.join(" ");
}

function whyText({ decision, allows, changedBy }: PlannedCall): string {
  if (changedBy !== undefined) return `step ${changedBy} changes a file that it uses`;
  return allows === undefined ? decision.because.join("; ") : `allows ${allows}`;
}

/** Waits until the question is answered, it expires, or --wait is over. */
async function answered(
  given: CommandInput,
  gate: CommandGate,
  receipt: Receipt | undefined,
  { agent, waitMs }: { agent: string; waitMs: number },
): Promise<Receipt | undefined> {
  if (receipt?.outcome !== "pending" || receipt.approvalId === undefined) return receipt;
  const calls = await gate.calls();
  const told = await calls.unanswerable(receipt, agent);
  if (told !== undefined) return told;
  const { inbox } = gate.whereabouts;
  const answer = await waitForAnswer(given.io, calls, { approvalId: receipt.approvalId, waitMs, inbox });
  return answer === "left" ? receipt : answer;
}

function notApproved(
  { whereabouts }: CommandGate,
  { id, outcome, code, reason, approvalId, decision }: Receipt,
): Failure {
  const why = reason ?? decision.because.join("; ");
  const isOpen = approvalId !== undefined && (outcome !== "denied" || code === "LEEWAY_NEEDS_HUMAN");
  return new Failure(
    OUTCOME_EXITS[outcome],
    `${isOpen ? "nobody has approved the plan yet" : "the plan was not approved"}: ${why}${code === undefined ? "" : ` (${code})`}`,
    isOpen ? `approve ${shortId(approvalId)} in ${whereabouts.inbox}` : `${whereabouts.why(id)} explains the decision`,
  );
}
