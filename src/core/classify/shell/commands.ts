import type { CommandTarget } from "../../effect.ts";
import { GRAVE, INTERPRETERS, programOf, wordsOfWrapper } from "../../tables/launchers.ts";
import type { Command } from "../arguments.ts";
import { type Scanned, type Simple, scan } from "./scan.ts";

/** What was found in a command. It is never fully understood: no table of programs says what they do. */
export type CommandEffect = {
  targets: readonly CommandTarget[];
  notes: readonly string[];
  readable: boolean;
  runsLeeway: boolean;
};

/** `bash -c "bash -c …"` is followed this far; what lies deeper is not seen, and the call asks. */
const DEPTH_MAX = 4;

export function commandEffect(command: Command, where: { cwd?: string; env: readonly string[] }): CommandEffect {
  const scanned: Scanned =
    "line" in command
      ? scan(command.line)
      : { commands: [{ words: command.words, env: [] }], notes: [], readable: true };
  const commands = unfold(scanned.commands, 0);
  return {
    targets: commands.map((simple) => targetOf(simple, where)),
    notes: ["what the program does is not known", ...scanned.notes],
    readable: scanned.readable,
    runsLeeway: commands.some(runsLeeway),
  };
}

function targetOf(simple: Simple, where: { cwd?: string; env: readonly string[] }): CommandTarget {
  return {
    kind: "command",
    words: simple.words,
    ...(where.cwd === undefined ? {} : { cwd: where.cwd }),
    env: [...new Set([...where.env, ...simple.env])],
    level: simple.words.some((word) => GRAVE.has(programOf(word))) ? "admin" : "execute",
  };
}

/** Each command, and the commands inside wrappers and inside the text handed to a shell. */
function unfold(commands: readonly Simple[], depth: number): Simple[] {
  return commands.flatMap((simple) => [simple, ...(depth < DEPTH_MAX ? unfold(inner(simple), depth + 1) : [])]);
}

function inner(simple: Simple): readonly Simple[] {
  const [first = "", ...rest] = simple.words;
  const program = programOf(first);
  if (program === "eval") return scan(rest.join(" ")).commands;
  if (INTERPRETERS.has(program)) {
    const flag = rest.findIndex((word) => /^-[a-z]*c[a-z]*$/i.test(word));
    const text = flag === -1 ? undefined : rest[flag + 1];
    if (text !== undefined) return scan(text).commands;
  }
  const wrapped = wordsOfWrapper(program, rest);
  const start = wrapped.findIndex(
    (word) => !word.startsWith("-") && !/^[A-Za-z_]\w*=/.test(word) && !/^[\d.]+[smhd]?$/.test(word),
  );
  return start === -1 ? [] : [{ words: wrapped.slice(start), env: simple.env }];
}

const RUNS_A_WORD = new Set(
  (
    "sudo doas su pkexec env command builtin exec nohup timeout nice ionice time watch xargs parallel setsid stdbuf " +
    "npx bunx pnpx uvx npm pnpm yarn bun deno tsx ts-node corepack busybox caffeinate"
  ).split(" "),
);
/** A package manager that fetches or looks at the package does not run it. */
const PACKAGE_VERBS = new Set(
  "install i add remove uninstall rm update up view info ls list why outdated audit pack".split(" "),
);
const OWN = /^leeway(@[\w.^~-]+)?$|^leeway\.(mjs|js|cmd|ps1|exe)$/i;

/** An agent that runs the gate's own program would answer its own questions. */
function runsLeeway(simple: Simple): boolean {
  const [first = "", ...rest] = simple.words;
  if (isOwn(first)) return true;
  const program = programOf(first);
  if (!RUNS_A_WORD.has(program) && !INTERPRETERS.has(program)) return false;
  // Which words are the wrapper's own depends on the wrapper: here any that names the gate counts.
  return !PACKAGE_VERBS.has(rest[0] ?? "") && rest.some(isOwn);
}

function isOwn(word: string): boolean {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return OWN.test(name) || OWN.test(word.replaceAll("\\", "/").split("/").at(-1) ?? "");
}
