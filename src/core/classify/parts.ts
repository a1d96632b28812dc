import { type Effect, graver, type Part } from "../effect.ts";
import { type Message, Notes, say } from "../messages/message.ts";
import { TEXT_MAX } from "../shell/script.ts";
import { sqlEffect } from "../shell/sql.ts";
import type { GivenCommand } from "../shell/understand.ts";
import { doubtsOfInherited, usualName } from "../shell/variables.ts";
import { UNREAD } from "../tables/unread.ts";
import { HOOKED } from "../tables/variables.ts";
import { addAddresses } from "./addresses/parts-address.ts";
import { strayValues } from "./addresses/sending.ts";
import { type Arguments, collect, guess, NAMED_MAX } from "./arguments.ts";
import { type ReadCommand, readCommand } from "./commands/command-places.ts";
import { isOverspent } from "./commands/other-readings.ts";
import { partsOfCommand } from "./commands/parts-command.ts";
import { addGuessedHosts } from "./commands/possible-words.ts";
import { doubt, type EffectDraft, levelOf, maybeOf, newDraft, partsFrom, TOO_LARGE } from "./effect-draft.ts";
import { addGuessedClasses, addGuessedMethod, addNamedInArguments } from "./guessed.ts";
import type { Knowledge } from "./knowledge.ts";
import { asTold, hasForeignArgument } from "./known-tool.ts";
import { addPaths } from "./parts-path.ts";
import { normalise } from "./path.ts";
import { baseOf, folderFrom } from "./path-places.ts";
import { type CallReading, lettersOf, type ReadCommands, type ToolReading } from "./reading.ts";

/** With more targets than this the call counts as not understood, because nobody can check them all. Rules still see them all. */
const TARGETS_MAX = 1_000;

/** What the call would do, if its tool is read in this way. */
export function effectOf(reading: CallReading, tool: ToolReading, knowledge: Knowledge): Effect<Message> {
  const { call, args } = reading;
  const told = asTold(tool.row, args);
  const { row } = told;
  const draft = newDraft(row, tool.understood, new Notes(tool.notes));
  if (!told.known) doubt(draft, say("note.tool_action_unknown"));
  if (hasForeignArgument(args, row)) doubt(draft, say("note.arguments_of_another_tool"));
  addPaths(draft, reading, tool.mentioned, knowledge);
  if (row.urls !== undefined || LOOKS_OUTSIDE.test(row.class)) addAddresses(draft, reading, knowledge);
  if (row.code !== undefined) doubt(draft, say("note.code_not_examined"));
  if (row.command !== undefined || row.words !== undefined) addCommands(draft, reading, tool.commands, knowledge);
  if (row.sql !== undefined || tool.statements.length > 0) addStatements(draft, args, tool.statements);
  if (row.domain !== undefined) {
    draft.targets.push({ kind: "domain", domain: row.domain, level: levelOf(draft) });
    draft.reaches.push(row.reach ?? "outside");
  }
  // A tool that works elsewhere does so whatever paths it names: `git.push` names a folder here.
  if (row.reach === "outside") draft.reaches.push(row.reach);
  if (row.class === "unknown") addGuessed(draft, reading, tool.commands, knowledge);
  addNamed(draft, reading, tool.commands, knowledge);
  if (args.texts.length > NAMED_MAX) doubt(draft, UNREAD.arguments, "not");
  if (draft.targets.length > TARGETS_MAX) doubt(draft, say("note.call_names_too_much", { max: TARGETS_MAX }), "not");
  const parts = partsFrom(draft, call.tool);
  const { understood, refused } = draft;
  const notes = [...draft.notes];
  const maybe = maybeOf(draft.maybe);
  return refused === undefined
    ? { parts, understood, notes, ...maybe }
    : { parts, understood, notes, ...maybe, refused };
}

/** A tool that only reads from the network may still be sent to an address in an argument that the table does not name. */
const LOOKS_OUTSIDE = /^(browser|network)\.read$/;

/** What an unknown tool may do with texts that look like addresses and commands. */
function addGuessed(draft: EffectDraft, reading: CallReading, read: ReadCommands, knowledge: Knowledge): void {
  const { urls, commands } = guess(reading.args);
  addGuessedHosts(draft, urls);
  const where = { cwd: folderOf(reading, read, knowledge), env: [] };
  const apart = newDraft(draft.row, "not", new Notes(), draft.maybe);
  if (commands.length > GUESSED_MAX || lettersOf(commands) > TEXT_MAX) doubt(draft, UNREAD.arguments, "not");
  else
    for (const { line } of commands) {
      const command = read.commands.find(({ given }) => isLine(given, line)) ?? readCommand({ line });
      draft.maybe.parts.push(...partsOfCommand(apart, command, where, knowledge));
    }
  // Notes about these commands are not kept, except the note that some of them were not read.
  if (isOverspent(draft.maybe.work)) doubt(draft, UNREAD.arguments, "not");
}

function isLine(given: GivenCommand, line: string): boolean {
  return "line" in given && given.line === line && given.shell === undefined;
}

/** With more texts that look like commands than this, none of them is read. */
const GUESSED_MAX = 500;

/** What else the arguments name, if the table does not say what each argument is for. */
function addNamed(draft: EffectDraft, reading: CallReading, read: ReadCommands, knowledge: Knowledge): void {
  const { class: kind } = draft.row;
  if (kind === "unknown") addGuessedClasses(draft, reading);
  if (kind === "unknown" || kind === "network.read") addGuessedMethod(draft, reading);
  const isKnown = draft.understood === "fully" && (kind === "none" || /^(fs|db|git|store|agent)\./.test(kind));
  const takesCommands = draft.row.command !== undefined && kind !== "unknown";
  if (isKnown || takesCommands) return;
  const base = folderOf(reading, read, knowledge);
  addNamedInArguments(draft, reading, { base, home: knowledge.facts?.home });
}

function addCommands(draft: EffectDraft, reading: CallReading, read: ReadCommands, knowledge: Knowledge): void {
  const { commands, sets, doubts, tooMuch, shellUnknown } = read;
  // An unknown tool is doubtful anyway, and its arguments may mean anything.
  if (draft.row.class !== "unknown") for (const why of doubts) doubt(draft, why);
  if (shellUnknown) doubt(draft, say("note.shell_unknown"));
  if (tooMuch) {
    draft.refused = TOO_LARGE;
    return;
  }
  if (commands.length === 0 && draft.row.class !== "unknown") doubt(draft, say("note.no_command_found"));
  const where = { cwd: folderOf(reading, read, knowledge), env: sets.map(({ name }) => name) };
  for (const command of commands) draft.commands.push(...partsOfCommand(draft, command, where, knowledge));
  if (sets.length === 0) return;
  for (const why of doubtsOfInherited(listenerOf(commands, draft.commands), sets)) doubt(draft, why);
}

/**
 * The name of the one program that gets the variables of a call. Empty if other programs get them too: a line is read by
 * a shell, and some programs start others.
 */
function listenerOf(commands: readonly ReadCommand[], parts: readonly Part[]): string {
  const [only, ...others] = commands.map(({ given }) => given);
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

/** The folder in which a command runs: the folder that the tool is given, which may be relative to the call's folder. */
export function folderOf({ call }: CallReading, { folders }: ReadCommands, knowledge: Knowledge): string | undefined {
  const [given] = folders;
  const outer = baseOf(call.cwd, knowledge);
  const folder = given === undefined ? outer : folderFrom(given, outer, knowledge);
  return folder === undefined ? undefined : normalise(folder);
}

/** `mentioned`: statements in arguments that the table does not name. */
function addStatements(draft: EffectDraft, args: Arguments, mentioned: readonly string[]): void {
  const { sql: names } = draft.row;
  const statements = [...collect(args, names), ...mentioned];
  if (statements.length > NAMED_MAX) draft.refused = TOO_LARGE;
  if (names !== undefined) {
    if (statements.length === 0) doubt(draft, say("note.no_statement_found"));
    if (strayValues(args, names).length > 0) doubt(draft, say("note.statement_not_text"));
  }
  for (const sql of statements.slice(0, NAMED_MAX)) {
    const effect = sqlEffect(sql);
    draft.class = graver(draft.class, effect.class);
    draft.reversible &&= effect.reversible;
  }
}
