import type { ToolCall } from "../call.ts";
import { type Effect, graver, type Part } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import { Notes } from "../messages/notes.ts";
import { SYSTEM_SHELL } from "../shell/dialects.ts";
import { TEXT_MAX } from "../shell/script.ts";
import { sqlEffect } from "../shell/sql.ts";
import type { GivenCommand } from "../shell/understand.ts";
import { doubtsOfInherited, usualName } from "../shell/variables.ts";
import type { ToolRow } from "../tables/tools.ts";
import { UNREAD } from "../tables/unread.ts";
import { HOOKED } from "../tables/variables.ts";
import type { JsonObject } from "../values/json.ts";
import { argumentsIn, type Command, collect, guess, holdsMany, NAMED_MAX } from "./arguments.ts";
import { commandArguments } from "./command-arguments.ts";
import type { Where } from "./command-targets.ts";
import { doubt, type EffectDraft, levelOf, newDraft, partsFrom, type Reading, TOO_LARGE } from "./effect-draft.ts";
import { hasForeignArgument } from "./foreign-argument.ts";
import { addGuessedClasses, addGuessedMethod, addNamedInArguments } from "./guessed.ts";
import type { Knowledge } from "./knowledge.ts";
import { isOverspent } from "./other-readings.ts";
import { addAddresses } from "./parts-address.ts";
import { partsOfCommand } from "./parts-command.ts";
import { addPaths } from "./parts-path.ts";
import { normalise } from "./path.ts";
import { baseOf, folderFrom } from "./path-places.ts";
import { addGuessedHosts, maybeOf } from "./possible-words.ts";
import { asTold } from "./row-for-call.ts";
import { strayValues } from "./sending.ts";

/** More places than this are not looked through by anybody; rules still see all of them. */
const TARGETS_MAX = 1_000;

/** Reads the arguments as the line says, and adds up what they would do. */
export function effectOf(call: ToolCall, reading: Reading, knowledge: Knowledge): Effect<Message> {
  const told = asTold(reading.row, call.args);
  const draft = newDraft(told.row, reading.understood, new Notes(reading.notes));
  if (!told.known) doubt(draft, say("note.tool_action_unknown"));
  if (hasForeignArgument(call.args, draft.row)) doubt(draft, say("note.arguments_of_another_tool"));
  addPaths(draft, call, reading.mentioned, knowledge);
  addAddresses(draft, call, knowledge);
  addCommands(draft, call, knowledge);
  addStatements(draft, call, reading.statements ?? []);
  const { domain, reach } = draft.row;
  if (domain !== undefined) {
    draft.targets.push({ kind: "domain", domain, level: levelOf(draft) });
    draft.reaches.push(reach ?? "outside");
  }
  if (draft.row.class === "unknown") addGuessed(draft, call, knowledge);
  addNamed(draft, call, knowledge);
  if (holdsMany(call.args)) doubt(draft, UNREAD.arguments, "not");
  if (draft.targets.length > TARGETS_MAX) doubt(draft, say("note.call_names_too_much", { max: TARGETS_MAX }), "not");
  const parts = partsFrom(draft, call.tool);
  const { understood, refused } = draft;
  const notes = [...draft.notes];
  const maybe = maybeOf(draft.maybe);
  return refused === undefined
    ? { parts, understood, notes, ...maybe }
    : { parts, understood, notes, ...maybe, refused };
}

/** What a tool that nobody knows may do with texts that look like addresses and commands. */
function addGuessed(draft: EffectDraft, call: ToolCall, knowledge: Knowledge): void {
  const { urls, commands } = guess(call.args);
  addGuessedHosts(draft, urls);
  const where = { cwd: folderOf(call, draft.row, knowledge), env: [] };
  const apart = newDraft(draft.row, "not", new Notes(), draft.maybe);
  if (commands.length > GUESSED_MAX || lettersOf(commands) > TEXT_MAX) doubt(draft, UNREAD.arguments, "not");
  else for (const command of commands) draft.maybe.parts.push(...partsOfCommand(apart, command, where, knowledge));
  // What is noted of these commands is not kept, but that some were not read has to be.
  if (isOverspent(draft.maybe.work)) doubt(draft, UNREAD.arguments, "not");
}

/** What else the arguments of a tool name, where the table does not say of every one of them what it is. */
function addNamed(draft: EffectDraft, call: ToolCall, knowledge: Knowledge): void {
  const { class: kind } = draft.row;
  if (kind === "unknown") addGuessedClasses(draft, call);
  if (kind === "unknown" || kind === "network.read") addGuessedMethod(draft, call);
  const isKnown = draft.understood === "fully" && (kind === "none" || /^(fs|db|git|store|agent)\./.test(kind));
  const takesCommands = draft.row.command !== undefined && kind !== "unknown";
  if (isKnown || takesCommands) return;
  const base = folderOf(call, draft.row, knowledge);
  addNamedInArguments(draft, call, { base, home: knowledge.facts?.home });
}

/** More texts that look like commands than these are not read. */
const GUESSED_MAX = 500;

function addCommands(draft: EffectDraft, call: ToolCall, knowledge: Knowledge): void {
  const { row } = draft;
  if (row.code !== undefined) doubt(draft, say("note.code_not_examined"));
  if (row.command === undefined && row.words === undefined) return;
  const { sets, doubts } = commandArguments(call.args, row);
  if (sets.length > VARIABLES_MAX) {
    draft.refused = TOO_LARGE;
    return;
  }
  // A tool that nobody knows is in doubt already, and its arguments may mean anything.
  for (const why of row.class === "unknown" ? [] : doubts) doubt(draft, why);
  const commands = commandsOf(call, row);
  const shell = shellOf(call.args);
  if (shell === undefined) doubt(draft, say("note.shell_unknown"));
  const where = { cwd: folderOf(call, row, knowledge), env: sets.map(({ name }) => name) };
  if (commands.length === 0 && row.class !== "unknown") doubt(draft, say("note.no_command_found"));
  // Each of them may be as long as the longest one that is read.
  if (commands.length > 1 && lettersOf(commands) > 2 * TEXT_MAX) {
    draft.refused = TOO_LARGE;
    return;
  }
  for (const command of commands)
    addCommand(draft, row.foreign === true ? foreign(command) : inShell(command, shell), where, knowledge);
  for (const why of doubtsOfInherited(hearing(commands, draft.commands), sets)) doubt(draft, why);
}

/** The commands that a tool is handed, or the one that it stands for. */
export function commandsOf({ args }: ToolCall, row: ToolRow): readonly Command[] {
  if (row.words === undefined) return commandArguments(args, row).commands;
  const [program = "", ...rest] = row.words.split(" ");
  const [folder] = collect(args, row.reads ?? row.writes);
  return [{ words: [program, ...(folder === undefined ? [] : ["-C", folder]), ...rest, ...collect(args, row.refs)] }];
}

/** No command is given as many, and every one of them may change what it does. */
const VARIABLES_MAX = 500;

/**
 * Words name the one program that sees the variables, unless it starts others with them. A line is read by a shell,
 * which hears everything; so does whatever has no name here.
 */
function hearing([only, ...others]: readonly Command[], parts: readonly Part[]): string {
  const first = only !== undefined && "words" in only && others.length === 0 ? (only.words[0] ?? "") : "";
  const program = usualName(first);
  const startsOthers = parts.some(
    ({ class: kind, targets }) =>
      kind === "process.exec" ||
      (HOOKED.has(program) && !READING.test(kind)) ||
      targets.some((target) => target.kind === "command" && target.words[0] !== first),
  );
  return startsOthers ? "" : program;
}

const READING = /^(none|fs\.read|network\.read)$/;

function lettersOf(commands: readonly Command[]): number {
  let letters = 0;
  for (const command of commands)
    for (const text of "line" in command ? [command.line] : command.words) letters += text.length + 1;
  return letters;
}

const SHELL = /^(?:(?:\/usr)?\/bin\/)?((?:ba|z|da)?sh)$/;

/** A tool may let the caller choose the shell, or write into the program's input. Undefined where nobody can say which it is. */
function shellOf(args: JsonObject): string | undefined {
  let shell = "bash";
  for (const { name, value } of argumentsIn(args)) {
    if (!name.holds.has("shell") || value === false || value === null) continue;
    // Who says only that a shell is wanted gets the system's.
    const [, named] = value === true ? [undefined, SYSTEM_SHELL] : (SHELL.exec(String(value)) ?? []);
    if (named === undefined || (shell !== "bash" && shell !== named)) return undefined;
    shell = named;
  }
  return shell;
}

/** A text is read with bash's grammar; where another shell runs it, what that reads otherwise is in doubt. */
function inShell(command: Command, shell: string | undefined): GivenCommand {
  return "line" in command && shell !== undefined && shell !== "bash" ? { ...command, shell } : command;
}

/** Where a command runs: the tool's own working folder, which is relative to the call's. */
export function folderOf(call: ToolCall, row: ToolRow, knowledge: Knowledge): string | undefined {
  const [given] = commandArguments(call.args, row).folders;
  const outer = baseOf(call.cwd, knowledge);
  const folder = given === undefined ? outer : folderFrom(given, outer, knowledge);
  return folder === undefined ? undefined : normalise(folder);
}

/** A text for a shell of another grammar; words are words in any shell. */
function foreign(command: Command): GivenCommand {
  return "line" in command ? { foreign: command.line } : command;
}

/** The programs that a command starts stand for the tool that starts them. */
function addCommand(draft: EffectDraft, command: GivenCommand, where: Where, knowledge: Knowledge): void {
  draft.commands.push(...partsOfCommand(draft, command, where, knowledge));
}

function addStatements(draft: EffectDraft, call: ToolCall, mentioned: readonly string[]): void {
  const { sql: names } = draft.row;
  const statements = [...collect(call.args, names), ...mentioned];
  if (statements.length > NAMED_MAX) draft.refused = TOO_LARGE;
  if (names !== undefined) {
    if (statements.length === 0) doubt(draft, say("note.no_statement_found"));
    if (strayValues(call.args, names).length > 0) doubt(draft, say("note.statement_not_text"));
  }
  for (const sql of statements.slice(0, NAMED_MAX)) {
    const effect = sqlEffect(sql);
    draft.class = graver(draft.class, effect.class);
    draft.reversible &&= effect.reversible;
  }
}
