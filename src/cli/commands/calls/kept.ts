import { createReadStream, readFileSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { stateFolderOf } from "../../../config/server-file.ts";
import { sizeText } from "../../../core/values/size.ts";
import { visible } from "../../../core/values/text.ts";
import { Failure, usage } from "../../failure.ts";
import { boxPids, type KeptBox, memoryOf, Register, stateOf } from "../../kept/register.ts";
import { type CommandInput, type CommandSpec, flag } from "../../spec.ts";
import { table } from "../../terminal/table.ts";
import { shortId } from "../../views/texts.ts";

const ID = ["<call>", "the id of the call, or its beginning"] as const;
const LOOK_MS = 200;

const list: CommandSpec = {
  name: "box list",
  summary: "list the programs that run in the background, each in its box",
  options: [["--all", "also those that have ended in the last seven days"]],
  examples: ["leeway box list", "leeway box list --all --json"],
  exits: [0, 1, 2],
  act: async (given) => {
    const boxes = registerOf(given)
      .all()
      .map((box) => ({ ...box, state: stateOf(box) }))
      .filter(({ state }) => state === "running" || flag(given, "all"))
      .map((box) => ({ ...box, memoryBytes: box.state === "running" ? memoryOf(box) : 0 }));
    given.out.answer(
      boxes.map(({ keeper: _, ...box }) => box),
      () => {
        if (boxes.length === 0) return "No program runs in the background. `leeway run --background -- …` starts one.";
        const rows = boxes.map((box) => [
          shortId(box.call),
          visible(box.agent),
          box.ended === undefined ? box.state : `ended with ${box.ended.exitCode}`,
          new Date(box.sinceMs).toISOString().slice(0, 19).replace("T", " "),
          box.state === "running" ? sizeText(box.memoryBytes) : "",
          visible(box.folder),
          visible(box.command),
        ]);
        return table(given.out, ["CALL", "AGENT", "STATE", "SINCE", "MEMORY", "FOLDER", "COMMAND"], rows);
      },
    );
    return 0;
  },
};

const show: CommandSpec = {
  name: "box show",
  summary: "print what a program in the background has written",
  args: [ID],
  options: [["--follow", "keep running, and print what it writes until it has ended"]],
  examples: ["leeway box show call_01ABC", "leeway box show call_01ABC --follow", "leeway box show call_01ABC --json"],
  exits: [0, 1, 2],
  act: async (given) => {
    const register = registerOf(given);
    const box = meant(given, register);
    const { call } = box;
    const file = register.outputOf(call);
    if (statSync(file, { throwIfNoEntry: false }) === undefined)
      throw new Failure(1, `the output of ${call} is with the program that started it`, "look there");
    if (given.out.json) return answerOutput(given, register, box);
    for (let from = 0; ; ) {
      const now = register.read(call);
      const isOver = now === undefined || stateOf(now) !== "running" || !flag(given, "follow");
      const { size } = statSync(file);
      if (size > from)
        await pipeline(createReadStream(file, { start: from, end: size - 1 }), given.io.stdout, { end: false });
      from = size;
      if (isOver) return 0;
      await pause();
    }
  },
};

/** One answer: what it has written until now, or with --follow until its end. */
async function answerOutput(given: CommandInput, register: Register, found: KeptBox): Promise<number> {
  let box = found;
  while (flag(given, "follow") && stateOf(box) === "running") {
    await pause();
    box = register.read(box.call) ?? box;
  }
  const { call, ended } = box;
  const output = readFileSync(register.outputOf(call), "utf8");
  given.out.answer({ call, state: stateOf(box), exitCode: ended?.exitCode ?? null, output }, () => output);
  return 0;
}

/** A program that is told to end may first put away what it has begun. */
const END_WITHIN_MS = 5_000;

const stop: CommandSpec = {
  name: "box stop",
  summary: "end a program in the background, with everything that it started",
  args: [ID],
  examples: ["leeway box stop call_01ABC"],
  exits: [0, 1, 2],
  act: async (given) => {
    const register = registerOf(given);
    const box = meant(given, register);
    if (stateOf(box) !== "running")
      throw new Failure(1, `${box.call} does not run any more`, "`leeway box list --all`");
    process.kill(box.keeper.pid, "SIGTERM");
    if (!(await hasEnded(register, box, END_WITHIN_MS))) {
      // The keeper stays: it records how the program ended.
      for (const pid of boxPids(box)) process.kill(pid, "SIGKILL");
      await hasEnded(register, box, END_WITHIN_MS);
    }
    const now = register.read(box.call);
    if (now === undefined || stateOf(now) === "running")
      throw new Failure(1, `${box.call} has not ended`, "try it again, or look at its processes");
    const { exitCode = null } = now.ended ?? {};
    given.out.answer({ call: box.call, exitCode }, () =>
      exitCode === null ? `${box.call} ended; nobody knows how` : `${box.call} ended with code ${exitCode}`,
    );
    return 0;
  },
};

async function hasEnded(register: Register, { call }: KeptBox, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += LOOK_MS) {
    const box = register.read(call);
    if (box === undefined || stateOf(box) !== "running") return true;
    await pause();
  }
  return false;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

function registerOf({ io }: CommandInput): Register {
  return new Register(stateFolderOf(io.env));
}

function meant(given: CommandInput, register: Register): KeptBox {
  const [id = ""] = given.args;
  const found = register.all().filter(({ call }) => call.startsWith(id));
  const [only] = found;
  if (id === "" || only === undefined)
    throw new Failure(1, `no program in the background has the id ${id}`, "`leeway box list --all` lists them");
  if (found.length > 1) throw usage(`several ids begin with ${id}`, "give more of it");
  return only;
}

export const kept: readonly CommandSpec[] = [list, show, stop];
