import type { ToolCall } from "../call.ts";
import { type Effect, type EffectClass, graver, lessUnderstood, onlyReads, type Part } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import type { ToolDeclaration } from "../policy.ts";
import type { Declaration } from "../standing/declaration.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../tables/tools.ts";
import { toolName } from "../tool-name.ts";
import { canonical } from "../values/canonical.ts";
import { isGlob } from "../values/glob.ts";
import type { Json } from "../values/json.ts";
import { holdsSecret, SENDS_SECRET } from "./addresses/sending.ts";
import { type Arguments, collect, guess, NAMED_MAX, startFolders, textsCalled } from "./arguments.ts";
import { commandPaths } from "./commands/parts-command.ts";
import { settingsOfLines } from "./commands/parts-settings.ts";
import { type Mentioned, TOO_LARGE } from "./effect-draft.ts";
import { gathered, globRoots } from "./glob.ts";
import { shownBelow } from "./hidden-files.ts";
import type { Knowledge } from "./knowledge.ts";
import { DRESSED, declarationOn, type FoundRow, NOTHING_DECLARED, organisationsWord, wordOn } from "./known-tool.ts";
import { effectOf, folderOf } from "./parts.ts";
import { patchedFiles } from "./patch.ts";
import { isAbsolute } from "./path.ts";
import { type Act, protectionOf } from "./protect.ts";
import { type CallReading, COMMAND_WORDS, NO_COMMANDS, readCommands, type ToolReading } from "./reading.ts";
import type { SettingsAsked } from "./settings.ts";
import { suggestionFor } from "./suggested-class.ts";

/** What the call would do to the world. Pure and linear. It never throws on data: doubt shows as less understanding. */
export function classify(reading: CallReading, knowledge: Knowledge): Effect<Message> {
  if (reading.tooMuch || knowledge.facts?.tooMany === true) return TOO_LARGE_EFFECT;
  const { call } = reading;
  const { says, fears } = wordOn(knowledge.declared, call.tool);
  const declaration = knowledge.declared.people.size === 0 ? undefined : declarationOn(knowledge.declared, call);
  const read = effectOf(reading, toolReading(reading, says), knowledge);
  const plain = fears.length === 0 ? read : withFears(call, read, fears);
  const explained = declaration === undefined ? plain : withDeclaration(reading, plain, declaration, says, knowledge);
  const effect =
    knowledge.declared.hasOrganisation === true ? withOrganisation(reading, explained, knowledge) : explained;
  if (!effect.parts.some(asksOutside) || !holdsSecret(call.args)) return effect;
  return { ...effect, understood: lessUnderstood(effect.understood, "partly"), notes: [...effect.notes, SENDS_SECRET] };
}

/** A request that only reads also sends something: the address, the headers and the words that are searched for. */
function asksOutside({ class: kind, reach }: Part): boolean {
  return (kind === "network.read" || kind === "browser.read") && reach === "outside";
}

/** The classification by the organisation's declarations alone, if others have explained the tool differently. */
function withOrganisation(reading: CallReading, effect: Effect<Message>, knowledge: Knowledge): Effect<Message> {
  const { call } = reading;
  const { says, fears } = organisationsWord(knowledge.declared, call.tool);
  const own = withFears(call, effectOf(reading, toolReading(reading, says), knowledge), fears);
  const { parts, understood, notes, maybe } = own;
  if (sightOf(own) === sightOf(effect)) return effect;
  return { ...effect, byOrganisation: { parts, understood, notes, ...(maybe === undefined ? {} : { maybe }) } };
}

function sightOf({ parts, understood, maybe }: Effect): string {
  return canonical([parts, understood, maybe ?? null] as unknown as Json);
}

/** A person's declaration explains an unknown tool. For any other tool it can only make the effect more serious. */
function withDeclaration(
  reading: CallReading,
  plain: Effect<Message>,
  { id, class: kind, about }: Declaration,
  says: ToolDeclaration | undefined,
  knowledge: Knowledge,
): Effect<Message> {
  const { call, found } = reading;
  const declared: ToolDeclaration = { name: call.tool, class: kind, at: { file: id, line: 1, column: 1 } };
  if (says !== undefined || (found !== undefined && found.doubt === undefined)) {
    return withFears(call, plain, [declared]);
  }
  if (takesCommands(found) || (about.of === "server" && seemsGraver(call, kind))) return plain;
  const effect = effectOf(reading, declaredReading(reading, declared), knowledge);
  const { parts, understood, notes } = plain;
  return { ...effect, declared: { id, without: { parts, understood, notes } } };
}

/** Declarations that can only make the effect more serious: each adds its class, if that is more serious than what is known. */
function withFears(call: ToolCall, effect: Effect<Message>, fears: readonly ToolDeclaration[]): Effect<Message> {
  const added = fears
    .map((fear) => fear.class)
    .filter((kind) => !onlyReads(kind) && effect.parts.every((part) => isGraverThan(kind, part.class)))
    .map((kind): Part => {
      const { capability, level, reversible, reach } = CLASS_DEFAULTS[kind];
      const targets = [{ kind: "tool", tool: call.tool, level } as const];
      return { class: kind, capability, level, targets, reversible, reach };
    });
  if (added.length === 0) return effect;
  const [first, ...rest] = [...added, ...effect.parts];
  return { ...effect, parts: [first ?? effect.parts[0], ...rest] };
}

/** A declared class also counts as more serious than `unknown`. */
function isGraverThan(kind: EffectClass, known: EffectClass): boolean {
  return kind !== known && (known === "unknown" || graver(kind, known) === kind);
}

/** A declaration about many tools does not count for a tool whose name or hints suggest something more serious. */
function seemsGraver(call: ToolCall, kind: EffectClass): boolean {
  const suggested = suggestionFor(call)?.class;
  if (suggested === undefined || suggested === kind) return false;
  return !(onlyReads(suggested) && onlyReads(kind)) && graver(suggested, kind) === suggested;
}

function takesCommands(found: FoundRow | undefined): boolean {
  return found?.row.command !== undefined || found?.row.code !== undefined;
}

/** The paths that a call names. The door, which has access to the disk, looks up where they lead. */
export function namedPaths({ args, found: tool, commands, tooMuch }: CallReading): readonly string[] {
  if (tooMuch) return [];
  const row = tool?.row;
  const found: string[] = row === undefined ? [] : namedByRow(args, row);
  found.push(...guess(args).paths);
  if (row?.command !== undefined && row.foreign !== true) {
    for (const command of commands.commands)
      for (const path of commandPaths(command)) found.push(path, ...below(commands.folders, path));
  } else {
    const folders = startFolders(args, [row?.reads, row?.writes, row?.deletes]);
    if (folders.length > 0) found.push(...found.slice(0, PATHS_TRIED).flatMap((path) => below(folders, path)));
  }
  return found.length < 2 ? found : [...new Set(found)];
}

/** The paths in the arguments that the table names. */
function namedByRow(args: Arguments, row: ToolRow): string[] {
  const found: string[] = [];
  for (const names of [row.reads, row.writes, row.deletes]) found.push(...collect(args, names).slice(0, NAMED_MAX));
  for (const text of collect(args, row.patch)) for (const { path } of patchedFiles(text)) found.push(path);
  if (row.leaves !== undefined) found.push(row.leaves);
  if (row.globs !== undefined) found.push(...globRoots(args, row.globs).slice(0, NAMED_MAX), ...gathered(args, row));
  if (row.seeks !== undefined) found.push(...shownBelow(row, args));
  return found;
}

/** The settings files that programs of a call would obey. The door, which has access to the disk, reads them. */
export function namedSettings(reading: CallReading, project: string): readonly SettingsAsked[] {
  const { found, commands } = reading;
  if (found === undefined || found.row.foreign === true || commands.commands.length === 0) return [];
  const base = folderOf(reading, commands, { declared: NOTHING_DECLARED, project }) ?? project;
  return commands.commands.flatMap((command) => settingsOfLines(command.found.lines, base));
}

/** At most this many folders are tried for each path, and at most this many paths. */
const FOLDERS_TRIED = 4;
const PATHS_TRIED = 100;

/** A relative path starts from the folder that the tool is told to start in. */
function below(folders: readonly string[], path: string): readonly string[] {
  if (folders.length === 0 || folders.length > FOLDERS_TRIED || isAbsolute(path) || path.startsWith("~")) return [];
  return folders.map((folder) => `${folder}/${path}`);
}

/** The effect of a call that was not examined. */
const UNKNOWN_EFFECT: Effect<Message> = {
  parts: [
    { class: "unknown", capability: "unknown", level: "admin", targets: [], reversible: false, reach: "outside" },
  ],
  understood: "not",
  notes: [say("note.tool_unknown")],
};

export const TOO_LARGE_EFFECT: Effect<Message> = {
  ...UNKNOWN_EFFECT,
  notes: [TOO_LARGE.because],
  refused: TOO_LARGE,
};

/**
 * A declaration explains a tool that is not in the table. It can make a known tool more serious, never milder: of the table's
 * class and the declared class, the more serious one counts. For a tool that takes commands, no declaration counts.
 */
function toolReading(reading: CallReading, says: ToolDeclaration | undefined): ToolReading {
  const { call, args, found, commands } = reading;
  if (says !== undefined && !takesCommands(found) && !isMilder(says, found)) {
    if (!isGlob(says.name) || !seemsGraver(call, says.class)) return declaredReading(reading, says);
  }
  if (found !== undefined) {
    const { row, doubt } = found;
    const understood = doubt === undefined ? "fully" : "partly";
    const notes = doubt === undefined ? NO_NOTES : [doubt];
    return { row, understood, notes, mentioned: NOT_MENTIONED, statements: NO_STATEMENTS, commands };
  }
  const row: ToolRow = { tools: call.tool, class: "unknown", command: COMMAND_WORDS, urls: URL_WORDS, example: {} };
  return {
    row,
    understood: "not",
    notes: [say("note.tool_unknown")],
    mentioned: { act: "any", paths: guess(args).paths },
    statements: NO_STATEMENTS,
    commands: readCommands(args, row),
  };
}

const NO_NOTES: readonly Message[] = [];
const NO_STATEMENTS: readonly string[] = [];
const NOT_MENTIONED: Mentioned = { act: "any", paths: [] };

/** A tool whose familiar name is in doubt does not count as known. */
function isMilder(declared: ToolDeclaration, found: FoundRow | undefined): boolean {
  if (found === undefined || found.doubt !== undefined || found.row.class === "unknown") return false;
  return graver(declared.class, found.row.class) !== declared.class;
}

const ACTS: Partial<Record<EffectClass, Act>> = {
  "fs.read": "read",
  "secrets.read": "read",
  "fs.write": "write",
  "fs.mkdir": "write",
  "fs.copy": "replace",
  "fs.move": "replace",
  "fs.delete": "replace",
};

const SQL_NAMES = new Set("sql statement statements sqlquery sqlstatement".split(" "));
const QUERY_NAMES = new Set("query queries q text".split(" "));
const STARTS_STATEMENT =
  /^[\s(;]*(select|with|insert|update|delete|drop|truncate|alter|create|grant|revoke|merge|replace|call|exec|execute|copy|vacuum|attach|pragma|set|lock|explain|begin|do|load|unload|kill|notify|listen|handler|flush|rename|optimize|refresh|reindex|detach|shutdown|put|import|export)\b[\s\S]/i;
const CHANGES =
  /\b(delete\s+from|insert\s+(or\s+\w+\s+)?into|replace\s+into|update\s+\S+\s+set|drop\s+(table|database|schema|view|index|user|role)|truncate\s+\S|alter\s+(table|database|role|user)|create\s+(table|user|role|database)|grant\s+[\s\S]+\s+to)\b/i;

/** Besides its first word, a statement also has such signs. A sentence may begin with the same word. */
const SEEMS_STATEMENT = /[(;]|\*|\bfrom\b|\binto\b|\bto\s+(program\b|')|^\s*kill\s+(\w+\s+)?\d+\s*$/i;

/**
 * If a tool was declared to read a database, all its arguments are searched for statements. For other tools that only
 * read, only arguments whose name says that they hold a statement.
 */
function statementsOf(args: Arguments, kind: EffectClass): readonly string[] {
  if (!onlyReads(kind)) return NO_STATEMENTS;
  const named = textsCalled(args, SQL_NAMES);
  if (kind !== "db.read") return named;
  const asked = textsCalled(args, QUERY_NAMES).filter((text) => STARTS_STATEMENT.test(text));
  const others = args.texts
    .map(({ text }) => text)
    .filter((text) => CHANGES.test(text) || (STARTS_STATEMENT.test(text) && SEEMS_STATEMENT.test(text)));
  return [...new Set([...named, ...asked, ...others])];
}

function declaredReading({ call, args }: CallReading, declared: ToolDeclaration): ToolReading {
  const guessed = guess(args);
  const takes = guessed.commands.length > 0 || declared.class === "process.exec";
  const doubts: Message[] = takes ? [say("note.tool_takes_commands")] : [];
  // Names are compared without hidden signs. Somebody who adds hidden signs may mean another tool.
  if (toolName(call.tool).dressed) doubts.push(DRESSED);
  const act = ACTS[declared.class];
  const row: ToolRow = { tools: call.tool, class: declared.class, example: {} };
  if (declared.domain !== undefined) row.domain = declared.domain;
  if (declared.reversible !== undefined) row.reversible = declared.reversible;
  if (takes) row.command = COMMAND_WORDS;
  if (/^(network|browser)\./.test(declared.class) && guessed.urls.length > 0) row.urls = URL_WORDS;
  return {
    row,
    understood: doubts.length > 0 ? "partly" : "fully",
    notes: doubts,
    // The declaration says what the tool does. A path that is more than a file still counts.
    mentioned:
      act === undefined
        ? { act: "any", paths: guessed.paths.filter((path) => protectionOf("/" + path, "any") !== undefined) }
        : { act, paths: [...new Set(guessed.paths)] },
    statements: statementsOf(args, declared.class),
    commands: takes ? readCommands(args, row) : NO_COMMANDS,
  };
}

const URL_WORDS = "url urls uri href endpoint webhook link";
