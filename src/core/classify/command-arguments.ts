import { type Message, say } from "../messages/message.ts";
import { Notes } from "../messages/notes.ts";
import { plain, type Word } from "../shell/script.ts";
import type { ToolRow } from "../tables/tools.ts";
import { flat } from "../tool-name.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { argumentsIn, type Command, commandsIn, isCommandValue } from "./arguments.ts";

// The arguments of a tool that runs commands. Each of them has to be one whose meaning is known: the command, further
// words of it, the folder, the variables, the shell, or something that changes nothing. Anything else is doubt.

export type CommandArguments = {
  commands: readonly Command[];
  /** Folders to start in; of several different ones nobody knows which one counts. */
  folders: readonly string[];
  sets: readonly { name: string; value: Word }[];
  doubts: readonly Message[];
};

/** How a tool takes commands, as its line of the table says. */
type Taking = Pick<ToolRow, "command" | "within">;

const FOLDERS = namesIn(
  "cwd workdir work_dir working_dir working_directory current_dir current_directory directory dir dir_path directory_path " +
    "cd folder folder_path start_dir starting_directory base_dir root_dir workspace_folder workspace_dir project_dir",
);
const VARIABLES = namesIn(
  "env envs environment env_vars environment_variables environment_vars variables vars envvars extra_env",
);
/** What changes neither the command nor where it runs: words for people, and how long and how quietly it runs. */
const HARMLESS = namesIn(
  "description explanation reason summary goal title label justification thought note purpose intent message " +
    "timeout timeout_ms timeout_seconds timeout_secs timeout_sec hard_timeout soft_timeout max_time wait wait_ms wait_ms_before_async " +
    "wait_for yield_time_ms delay max_output_tokens max_output_length max_output_chars output_limit truncate verbose_timing " +
    "background is_background run_in_background in_background blocking async detach detached " +
    "requires_approval require_user_approval safe_to_auto_run security_risk risk is_dangerous confirm " +
    "id call_id tool_call_id session session_id terminal_id terminal_name target_terminal new_terminal name " +
    "tty pty login mode group problem_matcher type presentation reveal restart parallel toolaction toolsummary",
);
/** Whatever these are set to beside nothing, the command runs with more rights than it was judged by. */
const ESCALATING = /(escalat|sandbox|sudo|root|admin|privileg|elevat|unsafe|dangerous)/;

const NO_COMMAND: CommandArguments = { commands: [], folders: [], sets: [], doubts: [] };

export function commandArguments(args: JsonObject, { command: names, within }: Taking): CommandArguments {
  if (names === undefined) return NO_COMMAND;
  const scopes = scopesIn(args, within);
  const folders = new Set<string>();
  const sets = new Map<string, Word>();
  const doubts = new Notes();
  const commands: Command[] = [];
  for (const scope of scopes) {
    commands.push(...commandsIn(scope, names));
    for (const { name, value } of argumentsIn(scope)) {
      if (FOLDERS.has(name.flat)) addFolder(value, folders, doubts);
      else if (VARIABLES.has(name.flat)) addVariables(value, sets, doubts);
      else if (!isMeaningKnown(name.flat, value, { names, within }, scope)) doubts.add(doubtAbout(name.flat));
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

/** The arguments themselves, and the objects in them in which a tool takes a command apart: `task`, `task.options`. */
function scopesIn(args: JsonObject, within: string | undefined): readonly JsonObject[] {
  const ways = (within ?? "").split(" ").filter((way) => way !== "");
  return [args, ...ways.flatMap((way) => objectsAt(args, way.split(".").map(flat)))];
}

function objectsAt(value: Json, [next, ...rest]: readonly string[]): readonly JsonObject[] {
  if (Array.isArray(value))
    return value.flatMap((item) => objectsAt(item as Json, next === undefined ? [] : [next, ...rest]));
  if (!isObject(value)) return [];
  if (next === undefined) return [value];
  return Object.keys(value).flatMap((key) => (flat(key) === next ? objectsAt(value[key] as Json, rest) : []));
}

function isMeaningKnown(
  name: string,
  value: Json,
  { names, within }: { names: string; within: string | undefined },
  scope: JsonObject,
): boolean {
  if (value === null || value === false || value === "" || isEmpty(value)) return true;
  if (isCommandName(name, names)) return isCommandValue(value);
  if (isShellName(scope, name)) return true;
  if (within?.split(" ").some((way) => way.split(".").map(flat).includes(name)) === true) return isObject(value);
  return HARMLESS.has(name) && (typeof value !== "object" || name === "problemmatcher" || name === "presentation");
}

function isEmpty(value: Json): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

function isCommandName(name: string, names: string): boolean {
  return names.split(" ").some((way) => flat(way) === name);
}

/** Which shell it is, is looked at elsewhere. */
function isShellName(scope: JsonObject, name: string): boolean {
  return argumentsIn(scope).some((one) => one.name.flat === name && one.name.holds.has("shell"));
}

function doubtAbout(name: string): Message {
  return ESCALATING.test(name) ? say("note.command_has_other_rights") : say("note.argument_unknown");
}

function addFolder(value: Json, folders: Set<string>, doubts: Notes): void {
  if (typeof value === "string" && value !== "") folders.add(value);
  else if (value !== null && value !== "") doubts.add(say("note.folder_not_text"));
}

/** As an object, as a list of `NAME=value` or of objects with a name and a value, or as such lines. */
function addVariables(value: Json, sets: Map<string, Word>, doubts: Notes): void {
  if (value === null || value === "") return;
  if (typeof value === "string") {
    const assignments = value.split(/[\n\0]/).filter((line) => line.trim() !== "");
    // In one line nobody knows where one ends and the next begins.
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
