import { realpathSync } from "node:fs";
import { type BoxMaker, isUnmade, type PreparedBox } from "../box-port.ts";
import type { Box } from "../core/box.ts";
import { normalise } from "../core/classify/path.ts";
import type { Fact } from "../core/effect.ts";
import { changesShell, type Environment, passedOn } from "../core/tables/variables.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import type { Runner, Running, RunOutcome } from "../ports.ts";
import { bashStart, findProgram, PATH_WITHOUT } from "../programs.ts";
import { runProgram } from "./program-run.ts";

/** What an approved call runs, exactly. A shell is used only if a text for a shell was approved. */
type CommandLine = { argv: readonly string[] } | { shell: string };

type CommandOptions = {
  idempotent: boolean;
  /**
   * Variables for the program, besides PATH, HOME, language and similar ones. Other variables of the gate are not
   * passed on.
   */
  env: Readonly<Record<string, string>>;
  /** What makes boxes, if this machine can: then calls run in the box that was decided. */
  boxes?: BoxMaker;
};

/** Runs a command as its own process group, so that everything it starts can be ended. */
export function commandRunner(name: string, options: CommandOptions): Runner {
  // Copied once, so that later changes of the environment do not affect approved calls.
  const given = { PATH: PATH_WITHOUT, ...passedOn(process.env), ...options.env };
  const changing = Object.entries(options.env).find(([variable, value]) => changesShell(variable, value));
  if (changing !== undefined) {
    throw new Error(`the variable ${changing[0]} of runner ${name} changes how bash reads commands; leave it out`);
  }
  return {
    name,
    idempotent: options.idempotent,
    shell: "bash",
    env: given,
    ...(options.boxes === undefined ? {} : { boxes: true as const }),
    run: async (running) => {
      const line = lineOf(running.args);
      const env = extraEnv(running.args);
      if (line === undefined || env === undefined || !runsHere(running)) {
        return { ok: false, error: "the call has no command that can be run", started: false };
      }
      const start = startOf(line, running, { ...given, ...env });
      if (!start.ok) return { ok: false, error: start.why, started: false };
      const { box } = running.call.decision;
      return box === undefined ? runProgram(start, running.signal) : runInBox(start, running, options.boxes, box);
    },
  };
}

/** Names that other tools use for a command or folder: a reviewer may have read them as such. */
const OTHER_WORDS =
  "args cmd command_line script input stdin commands program workdir working_directory work_dir directory working_dir dir_path cd".split(
    " ",
  );
const BASH = /^((\/usr)?\/bin\/)?bash$/;

/**
 * `argv` or a list under `command` is run directly; a text under `command` is run by bash. Other arguments are
 * refused.
 */
function lineOf(args: JsonObject): CommandLine | undefined {
  if (OTHER_WORDS.some((word) => word in args) || ("argv" in args && "command" in args)) return undefined;
  const { shell } = args;
  if (shell !== undefined && !(typeof shell === "string" && BASH.test(shell))) return undefined;
  const words = args["argv"] ?? args["command"];
  if (typeof words === "string") return words === "" || "argv" in args ? undefined : { shell: words };
  if (!Array.isArray(words) || words.length === 0) return undefined;
  return words.every((word): word is string => typeof word === "string") ? { argv: words } : undefined;
}

/** The card says where a command runs; another folder among the arguments is refused, not ignored. */
function runsHere({ call, args }: Running): boolean {
  const { cwd } = args;
  if (cwd === undefined) return true;
  if (typeof cwd !== "string" || call.cwd === undefined) return false;
  return normalise(cwd.startsWith("/") ? cwd : `${call.cwd}/${cwd}`) === normalise(call.cwd);
}

/** What is started: a file by its absolute path, under its usual name, in a folder without links. */
type Start = {
  ok: true;
  program: string;
  name: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
};

/** Uses the folder, shell and program that were checked when the call was judged. */
function startOf(
  line: CommandLine,
  { call }: Running,
  env: Record<string, string>,
): Start | { ok: false; why: string } {
  const facts = call.effect?.facts ?? [];
  const cwd = realFolder(call.cwd ?? folderIn(facts) ?? process.cwd());
  if (cwd === undefined) return { ok: false, why: "the folder in which the command runs does not exist" };
  if ((folderIn(facts) ?? cwd) !== cwd) return { ok: false, why: elsewhere("the folder that the command runs in") };
  if ("shell" in line) {
    const start = bashStart(line.shell, env);
    if (!start.ok) return start;
    if ((placeIn(facts, "bash") ?? start.program) !== start.program) return { ok: false, why: elsewhere("bash") };
    return { ...start, name: "bash", cwd, env };
  }
  const [name = "", ...args] = line.argv;
  const isPath = name.includes("/");
  const program = isPath ? name : placeOf(name, cwd, env);
  if (program === undefined) return { ok: false, why: `the program ${name} was not found` };
  if (!isPath && (placeIn(facts, name) ?? program) !== program) return { ok: false, why: elsewhere(name) };
  return { ok: true, program, name, args, cwd, env };
}

function elsewhere(what: string): string {
  return `${what} has changed since the call was judged: submit the call again`;
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    // Missing or not accessible: nothing could be started there.
    return undefined;
  }
}

function folderIn(facts: readonly Fact[]): string | undefined {
  return facts.find((fact) => fact.of === "folder")?.path;
}

function placeIn(facts: readonly Fact[], name: string): string | undefined {
  for (const fact of facts) if (fact.of === "found" && fact.name === name) return fact.path;
  return undefined;
}

function placeOf(name: string, cwd: string, env: Environment): string | undefined {
  return findProgram(name, { cwd, env })?.path;
}

/**
 * What runs for the gate was approved, so its walls are those of what was decided, and its files are changed where they are.
 * If the box cannot be made, nothing starts.
 */
async function runInBox(start: Start, running: Running, boxes: BoxMaker | undefined, box: Box): Promise<RunOutcome> {
  const project = start.cwd;
  let prepared: PreparedBox;
  try {
    if (boxes === undefined) throw new Error("this runner makes no boxes");
    prepared = await boxes.prepare(start, box.walls, { rehearse: false, project });
  } catch (error) {
    return { ok: false, error: `the box could not be made: ${(error as Error).message}`, started: false };
  }
  const outcome = await runProgram(prepared.start, running.signal);
  const report = await prepared.ended("");
  return isUnmade(report, exitCodeOf(outcome)) ? { ok: false, error: NOT_MADE, started: false } : outcome;
}

const NOT_MADE = "the box could not be made, so nothing was run; `leeway doctor` says what to do";

function exitCodeOf(outcome: RunOutcome): number | null {
  const code = isObject(outcome.result) ? outcome.result["code"] : null;
  return typeof code === "number" ? code : null;
}

/** Variables in the approved call; anything except text is refused. */
function extraEnv(args: JsonObject): Record<string, string> | undefined {
  const env = args["env"];
  if (env === undefined) return {};
  if (!isObject(env) || Object.values(env).some((value) => typeof value !== "string")) return undefined;
  return { ...(env as { [key: string]: string }) };
}
