import type { ToolCall } from "../call.ts";
import type { Understood } from "../effect.ts";
import { type Message, Notes, say } from "../messages/message.ts";
import { SYSTEM_SHELL } from "../shell/other-shells.ts";
import { plain, TEXT_MAX, type Word } from "../shell/script.ts";
import type { GivenCommand } from "../shell/understand.ts";
import type { ToolRow } from "../tables/tools.ts";
import { flat } from "../tool-name.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import {
  type Argument,
  type Arguments,
  argumentsOf,
  type Command,
  collect,
  commandsIn,
  isCommandValue,
  isTooMuch,
  readArguments,
} from "./arguments.ts";
import { type ReadCommand, readCommand } from "./commands/command-places.ts";
import type { Mentioned } from "./effect-draft.ts";
import { type FoundRow, isNothing, rowFor } from "./known-tool.ts";

/**
 * One reading of a call: what the call says by itself, without policies and without a look at the disk. It is made
 * once. Then it is used to list the paths and settings to look at (`namedPaths`, `namedSettings`), and to find out
 * what the call would do (`classify`).
 */
export type CallReading = {
  readonly call: ToolCall;
  /** The call is larger than the gate examines: then nothing else was read. */
  readonly tooMuch: boolean;
  readonly args: Arguments;
  /** What the table of tools says about the tool. */
  readonly found: FoundRow | undefined;
  /** The commands that the tool is given, if the table says how it takes them. */
  readonly commands: ReadCommands;
};

export function readCall(call: ToolCall): CallReading {
  const found = rowFor(call.tool);
  if (isTooMuch(call)) return { call, tooMuch: true, args: NO_ARGUMENTS, found, commands: NO_COMMANDS };
  const args = readArguments(call.args);
  const row = found?.row;
  const takes = row?.command !== undefined || row?.words !== undefined;
  const commands = takes ? readCommands(args, isForWindows(call) ? { ...row, foreign: true } : row) : NO_COMMANDS;
  return { call, tooMuch: false, args, found, commands };
}

/** A folder with a drive or on another machine. */
const WINDOWS_FOLDER = /^([a-z]:|[\\/]{2}[^\\/])/i;

/**
 * On Windows hosts give command lines to PowerShell or cmd. Only Claude Code's tool with exactly this name always uses
 * bash.
 */
function isForWindows({ tool, cwd }: ToolCall): boolean {
  return cwd !== undefined && WINDOWS_FOLDER.test(cwd) && tool !== "Bash";
}

const NO_ARGUMENTS = readArguments({});

/** Names of arguments that hold a command, for tools that are not in the table. */
export const COMMAND_WORDS = "command commands cmd command_line shell script exec argv code program bash powershell";

const TAKES_ANY_COMMAND: CommandTaking = { command: COMMAND_WORDS };

/** How a tool takes commands, according to its row. */
type CommandTaking = Pick<ToolRow, "command" | "within" | "words" | "reads" | "writes" | "refs" | "foreign">;

/** How a tool is read: by its row in the table, by a declaration, or by a guess. */
export type ToolReading = {
  readonly row: ToolRow;
  readonly understood: Understood;
  readonly notes: readonly Message[];
  readonly mentioned: Mentioned;
  /** SQL statements in arguments that the table does not name. */
  readonly statements: readonly string[];
  readonly commands: ReadCommands;
};

/** The commands that a tool is given, read once. */
export type ReadCommands = {
  readonly commands: readonly ReadCommand[];
  /** The folders to start in. If there are several different ones, it is unknown which one counts. */
  readonly folders: readonly string[];
  /** The variables that are set for the commands. */
  readonly sets: readonly { name: string; value: Word }[];
  readonly doubts: readonly Message[];
  /** There are more variables or longer commands than the gate examines: then no command was read. */
  readonly tooMuch: boolean;
  /** The shell cannot be determined. */
  readonly shellUnknown: boolean;
};

export const NO_COMMANDS: ReadCommands = {
  commands: [],
  folders: [],
  sets: [],
  doubts: [],
  tooMuch: false,
  shellUnknown: false,
};

/** No tool sets so many variables, and each of them may change what a command does. */
const VARIABLES_MAX = 500;

export function readCommands(args: Arguments, row: CommandTaking): ReadCommands {
  const { commands: taken, folders, sets, doubts } = commandArguments(args, row);
  if (sets.length > VARIABLES_MAX) return { ...NO_COMMANDS, tooMuch: true };
  const commands = row.words === undefined ? taken : [ownCommand(args, row.words, row)];
  const shell = shellOf(args);
  // One command may be as long as the longest that is read. Several together may be twice as long.
  const tooMuch = commands.length > 1 && lettersOf(commands) > 2 * TEXT_MAX;
  return {
    commands: tooMuch
      ? []
      : commands.map((one) =>
          readCommand(row.foreign === true ? foreign(one) : shell === "bash" ? one : inShell(one, shell)),
        ),
    folders,
    sets,
    doubts,
    tooMuch,
    shellUnknown: shell === undefined,
  };
}

/** The one command that a tool such as `git_status` stands for. */
function ownCommand(args: Arguments, words: string, row: CommandTaking): Command {
  const [program = "", ...rest] = words.split(" ");
  const [folder] = collect(args, row.reads ?? row.writes);
  return { words: [program, ...(folder === undefined ? [] : ["-C", folder]), ...rest, ...collect(args, row.refs)] };
}

/** The number of letters of all commands together. */
export function lettersOf(commands: readonly Command[]): number {
  let letters = 0;
  for (const command of commands)
    for (const text of "line" in command ? [command.line] : command.words) letters += text.length + 1;
  return letters;
}

const SHELL = /^(?:(?:\/usr)?\/bin\/)?((?:ba|z|da)?sh)$/;

/** The shell, which some tools let the caller choose. Undefined if it cannot be determined, or if the caller writes to its input. */
function shellOf(args: Arguments): string | undefined {
  let shell = "bash";
  for (const { name, value } of args.list) {
    if (!name.holds.has("shell") || value === false || value === null) continue;
    // `shell: true` means the system's shell.
    const [, named] = value === true ? [undefined, SYSTEM_SHELL] : (SHELL.exec(String(value)) ?? []);
    if (named === undefined || (shell !== "bash" && shell !== named)) return undefined;
    shell = named;
  }
  return shell;
}

/** A line is parsed with bash's grammar. If another shell runs it, constructs that it reads in another way are doubtful. */
function inShell(command: Command, shell: string | undefined): GivenCommand {
  return "line" in command && shell !== undefined ? { ...command, shell } : command;
}

/** A line for a shell with another grammar. Words are the same in every shell. */
function foreign(command: Command): GivenCommand {
  return "line" in command ? { foreign: command.line } : command;
}

/** Whether the call gives a line to a shell, and not only words to a program. */
export function givesLine({ found, args, commands }: CallReading): boolean {
  if (found?.row.command !== undefined) return commands.commands.some(({ given }) => !("words" in given));
  return commandArguments(args, TAKES_ANY_COMMAND).commands.some((command) => "line" in command);
}

// The arguments of a tool that runs commands. The meaning of each argument must be known: the command, further words of
// it, the folder, the variables, the shell, or something without effect. Any other argument makes the call doubtful.

type CommandArguments = Pick<ReadCommands, "folders" | "sets" | "doubts"> & { commands: readonly Command[] };

const FOLDERS = namesIn(
  "cwd workdir work_dir working_dir working_directory current_dir current_directory directory dir dir_path directory_path " +
    "cd folder folder_path start_dir starting_directory base_dir root_dir workspace_folder workspace_dir project_dir",
);
const VARIABLES = namesIn(
  "env envs environment env_vars environment_variables environment_vars variables vars envvars extra_env",
);
/** Arguments that change neither the command nor where it runs: texts for people, time limits, how the output is shown. */
const HARMLESS = namesIn(
  "description explanation reason summary goal title label justification thought note purpose intent message " +
    "timeout timeout_ms timeout_seconds timeout_secs timeout_sec hard_timeout soft_timeout max_time wait wait_ms wait_ms_before_async " +
    "wait_for initial_wait yield_time_ms delay max_output_tokens max_output_length max_output_chars output_limit truncate verbose_timing " +
    "background is_background run_in_background in_background blocking async detach detached " +
    "requires_approval require_user_approval safe_to_auto_run security_risk risk is_dangerous confirm " +
    "id call_id tool_call_id session session_id terminal_id terminal_name target_terminal new_terminal name " +
    "tty pty login mode group problem_matcher type presentation reveal restart parallel toolaction toolsummary",
);
/** If such an argument is set, the command runs with more rights than it is judged by. */
const ESCALATING = /(escalat|sandbox|sudo|root|admin|privileg|elevat|unsafe|dangerous)/;

const NO_ARGUMENTS_FOR_COMMANDS: CommandArguments = { commands: [], folders: [], sets: [], doubts: [] };

function commandArguments(args: Arguments, { command: names, within }: CommandTaking): CommandArguments {
  if (names === undefined) return NO_ARGUMENTS_FOR_COMMANDS;
  const folders = new Set<string>();
  const sets = new Map<string, Word>();
  const doubts = new Notes();
  const commands: Command[] = [];
  for (const scope of within === undefined ? [args.list] : scopesIn(args, within)) {
    commands.push(...commandsIn(scope, names));
    for (const argument of scope) {
      const { name, value } = argument;
      if (FOLDERS.has(name.flat)) addFolder(value, folders, doubts);
      else if (VARIABLES.has(name.flat)) addVariables(value, sets, doubts);
      else if (!isMeaningKnown(argument, names, within)) doubts.add(doubtAbout(name.flat));
    }
  }
  if (folders.size > 1) doubts.add(say("note.several_folders_given"));
  return {
    commands,
    folders: [...folders],
    sets: [...sets].map(([name, value]) => ({ name, value })),
    doubts: [...doubts],
  };
}

/** The arguments themselves, and those in the objects in which a tool takes a command: `task`, `task.options`. */
function scopesIn(args: Arguments, within: string): readonly (readonly Argument[])[] {
  const objects = within.split(" ").flatMap((way) => objectsAt(args.json, way.split(".").map(flat)));
  return [args.list, ...objects.map(argumentsOf)];
}

function objectsAt(value: Json, [next, ...rest]: readonly string[]): readonly JsonObject[] {
  if (Array.isArray(value))
    return value.flatMap((item) => objectsAt(item as Json, next === undefined ? [] : [next, ...rest]));
  if (!isObject(value)) return [];
  if (next === undefined) return [value];
  return Object.keys(value).flatMap((key) => (flat(key) === next ? objectsAt(value[key] as Json, rest) : []));
}

function isMeaningKnown({ name, value }: Argument, names: string, within: string | undefined): boolean {
  if (isNothing(value)) return true;
  if (flatWays(names).has(name.flat)) return isCommandValue(value);
  // Which shell is meant is checked in `shellOf`.
  if (name.holds.has("shell")) return true;
  if (within?.split(" ").some((way) => way.split(".").map(flat).includes(name.flat)) === true) return isObject(value);
  if (!HARMLESS.has(name.flat)) return false;
  return typeof value !== "object" || name.flat === "problemmatcher" || name.flat === "presentation";
}

/** Each text is split once. The texts come from the table of tools, so there are few. */
const split = new Map<string, ReadonlySet<string>>();

function flatWays(names: string): ReadonlySet<string> {
  const known = split.get(names);
  if (known !== undefined) return known;
  const ways = namesIn(names);
  split.set(names, ways);
  return ways;
}

function doubtAbout(name: string): Message {
  return ESCALATING.test(name) ? say("note.command_has_other_rights") : say("note.argument_unknown");
}

function addFolder(value: Json, folders: Set<string>, doubts: Notes): void {
  if (typeof value === "string" && value !== "") folders.add(value);
  else if (value !== null && value !== "") doubts.add(say("note.folder_not_text"));
}

/** Variables are given as an object, as a list of `NAME=value` texts or of objects with name and value, or as one text. */
function addVariables(value: Json, sets: Map<string, Word>, doubts: Notes): void {
  if (value === null || value === "") return;
  if (typeof value === "string") {
    const assignments = value.split(/[\n\0]/).filter((line) => line.trim() !== "");
    // If there are several in one line, it is unknown where one ends and the next begins.
    if (assignments.length > 1 || /\s/.test(value.trim())) doubts.add(say("note.variables_unknown"));
    for (const line of assignments) addAssignment(line, sets, doubts);
  } else if (Array.isArray(value)) {
    for (const item of value) addVariable(item as Json, sets, doubts);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) sets.set(name, setTo(value[name]));
  } else doubts.add(say("note.variables_unknown"));
}

function addVariable(item: Json, sets: Map<string, Word>, doubts: Notes): void {
  if (typeof item === "string") {
    addAssignment(item, sets, doubts);
    return;
  }
  if (!isObject(item)) {
    doubts.add(say("note.variables_unknown"));
    return;
  }
  const keys = new Map(Object.keys(item).map((key) => [flat(key), item[key] as Json]));
  const name = keys.get("name") ?? keys.get("key");
  if (typeof name === "string") sets.set(name, setTo(keys.get("value")));
  else for (const key of Object.keys(item)) sets.set(key, setTo(item[key]));
}

function addAssignment(text: string, sets: Map<string, Word>, doubts: Notes): void {
  const at = text.indexOf("=");
  if (at <= 0) doubts.add(say("note.variables_unknown"));
  else sets.set(text.slice(0, at).trim(), plain(text.slice(at + 1)));
}

function setTo(value: Json | undefined): Word {
  return typeof value === "string" ? plain(value) : { kind: "open", text: "", start: "", split: false };
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(" ").map(flat));
}
