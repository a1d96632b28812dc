import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { type BoxMaker, isUnmade, type ProgramStart } from "../box-port.ts";
import type { WallRefusal } from "../core/box.ts";
import { passedOn } from "../core/tables/variables.ts";
import { bashStart, findProgram, PATH_WITHOUT } from "../programs.ts";
import { runProgram } from "./program-run.ts";

// A command that a program runs in walls of its own choice. Nothing is decided, and nothing is recorded.

export type BoxedCommand = {
  /** A text is run by bash, a list of words directly. */
  command: string | readonly string[];
  cwd: string;
  /** Files and folders that can be changed, relative to `cwd`. */
  write: readonly string[];
  /** Domains that can be reached. */
  network: readonly string[];
};

export type BoxedResult = {
  /** Null if a signal ended it. */
  code: number | null;
  signal?: string;
  stdout: string;
  stderr: string;
  /** What the walls did not let it do. */
  refused: readonly WallRefusal[];
};

/** Throws if the command cannot be started, or not in a box. */
export async function runInWalls(maker: BoxMaker, given: BoxedCommand): Promise<BoxedResult> {
  const cwd = realpathSync.native(given.cwd);
  const start = startOf(given.command, cwd);
  const write = given.write.map((path) => realpathSync.native(resolve(cwd, path)));
  const walls = { write, network: given.network, reveal: [] };
  const prepared = await maker.prepare(start, walls, { rehearse: false, project: cwd });
  const outcome = await runProgram(prepared.start, new AbortController().signal);
  const result = "result" in outcome ? (outcome.result as Omit<BoxedResult, "refused">) : undefined;
  const report = await prepared.ended(result?.stderr ?? "");
  const { refused } = report;
  if (result !== undefined && isUnmade(report, result.code))
    throw new Error(`the box could not be made: ${result.stderr}`);
  if (result === undefined) throw new Error(outcome.ok ? "it said nothing" : outcome.error);
  return { ...result, refused };
}

function startOf(command: BoxedCommand["command"], cwd: string): ProgramStart {
  const env = { PATH: PATH_WITHOUT, ...passedOn(process.env) };
  if (typeof command === "string") {
    const bash = bashStart(command, env);
    if (!bash.ok) throw new Error(bash.why);
    return { program: bash.program, args: bash.args, name: "bash", cwd, env };
  }
  const [name = "", ...args] = command;
  const program = name.includes("/") ? resolve(cwd, name) : findProgram(name, { cwd, env })?.path;
  if (program === undefined) throw new Error(`the program ${name} was not found`);
  return { program, name, args, cwd, env };
}
