import { usualName } from "../../../core/shell/variables.ts";
import { reads, runChanging } from "../../../core/tables/variables.ts";
import { visible, visibleJson } from "../../../core/values/text.ts";
import { HOST_NAMES } from "../../../hooks/hosts/index.ts";
import { batchCall, type CallGiven, commandCall, jsonArgs } from "../../calls.ts";
import { OUTCOME_EXITS, usage } from "../../failure.ts";
import type { CheckedBoxes, CommandGate } from "../../gate/command-gate.ts";
import { POLICY_OPTION } from "../../gate/database.ts";
import { withGate } from "../../gate/with-gate.ts";
import { type CommandInput, type CommandSpec, text } from "../../spec.ts";
import { fileText, stdinText } from "../../terminal/files.ts";
import { type CheckedLine, checkText } from "../../views/texts.ts";

const DOORS = ["run", "library", "hook", ...HOST_NAMES];

export const check: CommandSpec = {
  name: "check",
  summary: "show what Leeway would decide about a call; records nothing",
  options: [
    ["--agent <name>", "the agent that makes the call (default: cli)"],
    ["--tool <name>", "the tool that would be called"],
    ["--args <json>", "its arguments"],
    ["--command <line>", "a shell command, instead of a tool and its arguments"],
    ["--batch <file>", "read one call per line from a file (`-`: from stdin); print one JSON line for each"],
    [
      "--door <door>",
      `who would run the call: ${DOORS.join(", ")} (default: run). Where boxes can be made, \`leeway run\` makes one for every command, a library none, and a hook what its host can start in one; \`hook\` stands for every host that has the tool`,
    ],
    POLICY_OPTION,
  ],
  examples: [
    "leeway check --command 'git push --force'",
    `leeway check --agent coder --tool write_file --args '{"path":"src/a.ts","text":"…"}'`,
    "leeway check --batch calls.jsonl",
  ],
  exits: [0, 1, 2, 3, 4, 5],
  act: (given) =>
    withGate(given, async (gate) => {
      const code = text(given, "batch") === undefined ? await one(given, gate) : await batch(given, gate);
      if (!given.out.json) for (const line of await gate.policyNotes()) given.out.note(line);
      return code;
    }),
};

async function one(given: CommandInput, gate: CommandGate): Promise<number> {
  const asked = await callGiven(given);
  const { checked, call, said } = await gate.check(asked, await boxesAt(doorOf(given), asked));
  given.out.answer(checked, () => checkText(given.out, call, checked, said));
  noteVariables(given);
  return OUTCOME_EXITS[checked.outcome];
}

function doorOf(given: CommandInput): string {
  const asked = text(given, "door") ?? "run";
  const door = DOORS.find((name) => name === asked);
  if (door === undefined) throw usage(`there is no door called ${asked}`, `use one of: ${DOORS.join(", ")}`);
  return door;
}

/** The boxes that this door would make for a call, if this machine can make any. */
async function boxesAt(door: string, { tool, args }: CallGiven): Promise<CheckedBoxes> {
  if (door === "run" || door === "library") return door === "run";
  const { findHostBox } = await import("../../../hooks/hosts/boxes.ts");
  return (await findHostBox(door === "hook" ? HOST_NAMES : [door], { tool, args })) || "kept";
}

/**
 * `check` judges a command as if an agent sent it, so the variables of this shell do not count; they count only for
 * `leeway run`.
 */
function noteVariables(given: CommandInput): void {
  const line = text(given, "command");
  if (line === undefined || given.out.json) return;
  const [program = ""] = /^[\w./-]+(?=( [\w./@%+=:,-]+)*$)/.exec(line) ?? [];
  const names = Object.keys(runChanging(given.io.env)).filter((name) => reads(usualName(program), name));
  if (names.length === 0) return;
  given.out.note(
    `not considered here: ${names.map(visible).join(", ")}, which is set in this environment; \`leeway run\` asks if a program reads it`,
  );
}

/** A hook hears of a command as its host's shell tool. */
async function shellOf(door: string): Promise<{ tool?: string }> {
  if (door === "run" || door === "library") return {};
  const { shellToolOf } = await import("../../../hooks/hosts/boxes.ts");
  const tool = door === "hook" ? "Bash" : await shellToolOf(door);
  return tool === undefined ? {} : { tool };
}

async function callGiven(given: CommandInput): Promise<CallGiven> {
  const agent = text(given, "agent");
  const command = text(given, "command");
  const tool = text(given, "tool");
  const who = { ...(agent === undefined ? {} : { agent }), cwd: given.io.cwd };
  if (command !== undefined && tool !== undefined)
    throw usage("--command and --tool cannot be used together", "give one of them");
  if (tool === undefined && text(given, "args") !== undefined)
    throw usage("--args needs --tool", "name the tool, as in --tool write_file");
  if (command !== undefined) return { ...who, ...commandCall(command), ...(await shellOf(doorOf(given))) };
  if (tool === undefined)
    throw usage("nothing to check", "give --command LINE, --tool NAME --args JSON or --batch FILE");
  return { ...who, tool, args: jsonArgs(text(given, "args") ?? "{}") };
}

/** Each input line gets one output line, in the same order; a line that cannot be read is answered as denied. */
async function batch(given: CommandInput, gate: CommandGate): Promise<number> {
  const beside = ["agent", "tool", "args", "command"].find((name) => text(given, name) !== undefined);
  if (beside !== undefined)
    throw usage(`--batch and --${beside} cannot be used together`, "each line of the batch names its own call");
  const path = text(given, "batch") ?? "-";
  const input = path === "-" ? await stdinText(given.io) : fileText(path);
  const door = doorOf(given);
  let bad = 0;
  for (const line of input.split("\n").filter((part) => part.trim() !== "")) {
    const read = batchCall(line);
    if (!read.ok) bad++;
    const checked = read.ok ? await checkedAt(gate, door, { cwd: given.io.cwd, ...read.call }) : unread(read.why);
    given.io.stdout.write(`${visibleJson(checked)}\n`);
  }
  if (bad > 0)
    throw usage(
      `${bad === 1 ? "1 line is not a call" : `${bad} of the lines are not calls`}`,
      `one line is {"agent":"coder","tool":"shell","args":{…}}`,
    );
  return 0;
}

async function checkedAt(gate: CommandGate, door: string, call: CallGiven): Promise<CheckedLine> {
  return (await gate.check(call, await boxesAt(door, call))).checked;
}

function unread(why: string): CheckedLine {
  return {
    tier: "deny",
    outcome: "denied",
    code: "LEEWAY_BAD_CALL",
    classes: ["unknown"],
    understood: "not",
    targets: [],
    rules: [],
    because: [`the line is not a call: ${why}`],
    box: null,
  };
}
