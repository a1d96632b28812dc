import type { ToolCall } from "../call.ts";
import type { Declaration } from "../declaration.ts";
import { type Effect, type EffectClass, graver, lessUnderstood, onlyReads, type Part } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import type { ToolDeclaration } from "../policy.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../tables/tools.ts";
import { toolName } from "../tool-name.ts";
import { isGlob } from "../values/glob.ts";
import type { JsonObject } from "../values/json.ts";
import { collect, guess, NAMED_MAX, startFolders, textsCalled, textsIn } from "./arguments.ts";
import { commandArguments } from "./command-arguments.ts";
import { declarationOn, NOTHING_DECLARED, wordOn } from "./declared.ts";
import { type Mentioned, type Reading, TOO_LARGE } from "./effect-draft.ts";
import { gathered, globRoots } from "./glob.ts";
import { shownBelow } from "./hidden-files.ts";
import type { Knowledge } from "./knowledge.ts";
import { commandsOf, effectOf, folderOf } from "./parts.ts";
import { commandPaths, commandSettings } from "./parts-command.ts";
import { patchedFiles } from "./patch.ts";
import { isAbsolute } from "./path.ts";
import { type Act, protectionOf } from "./protect.ts";
import { holdsSecret, SENDS_SECRET } from "./sending.ts";
import type { SettingsAsked } from "./settings.ts";
import { isTooMuch } from "./size-limits.ts";
import { suggestionFor } from "./suggested-class.ts";
import { DRESSED, type FoundRow, rowFor } from "./tool-row.ts";

/** What the call would do to the world. Pure, linear, never throws on data; doubt shows as less understanding. */
export function classify(call: ToolCall, knowledge: Knowledge): Effect<Message> {
  if (isTooMuch(call) || knowledge.facts?.tooMany === true) return TOO_LARGE_EFFECT;
  const { says, fears } = wordOn(knowledge.declared, call.tool);
  const declaration = declarationOn(knowledge.declared, call);
  const plain = withFears(call, effectOf(call, readingOf(call, says), knowledge), fears);
  const effect = declaration === undefined ? plain : withDeclaration(call, plain, declaration, says, knowledge);
  if (!effect.parts.some(asksOutside) || !holdsSecret(call.args)) return effect;
  return { ...effect, understood: lessUnderstood(effect.understood, "partly"), notes: [...effect.notes, SENDS_SECRET] };
}

/** Looking something up also sends: the address, the headers and the words that are searched for. */
function asksOutside({ class: kind, reach }: Part): boolean {
  return (kind === "network.read" || kind === "browser.read") && reach === "outside";
}

/** A person's declaration explains a tool that nobody knows; of any other tool it can only say that it is graver. */
function withDeclaration(
  call: ToolCall,
  plain: Effect<Message>,
  { id, class: kind, about }: Declaration,
  says: ToolDeclaration | undefined,
  knowledge: Knowledge,
): Effect<Message> {
  const found = rowFor(call.tool);
  const declared: ToolDeclaration = { name: call.tool, class: kind, at: { file: id, line: 1, column: 1 } };
  if (says !== undefined || (found !== undefined && found.doubt === undefined)) {
    return withFears(call, plain, [declared]);
  }
  if (takesCommands(found) || (about.of === "server" && seemsGraver(call, kind))) return plain;
  const effect = effectOf(call, declaredReading(call, declared), knowledge);
  const { parts, understood, notes } = plain;
  return { ...effect, declared: { id, without: { parts, understood, notes } } };
}

/** Words that may only tighten: each adds what it says, where that is graver than what is known. */
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

/** That nobody knows a tool takes nothing away from what is feared of it. */
function isGraverThan(kind: EffectClass, known: EffectClass): boolean {
  return kind !== known && (known === "unknown" || graver(kind, known) === kind);
}

/** A word on many tools at once does not speak for one whose name or hints suggest that it does something graver. */
function seemsGraver(call: ToolCall, kind: EffectClass): boolean {
  const suggested = suggestionFor(call)?.class;
  if (suggested === undefined || suggested === kind) return false;
  return !(onlyReads(suggested) && onlyReads(kind)) && graver(suggested, kind) === suggested;
}

function takesCommands(found: FoundRow | undefined): boolean {
  return found?.row.command !== undefined || found?.row.code !== undefined;
}

/** The paths that a call names, for whoever can look where they lead. */
export function namedPaths(call: ToolCall): readonly string[] {
  if (isTooMuch(call)) return [];
  const { args } = call;
  const row = rowFor(call.tool)?.row;
  const found: string[] = [];
  if (row !== undefined) {
    for (const names of [row.reads, row.writes, row.deletes])
      for (const path of collect(args, names).slice(0, NAMED_MAX)) found.push(path);
    for (const text of collect(args, row.patch)) for (const { path } of patchedFiles(text)) found.push(path);
    if (row.leaves !== undefined) found.push(row.leaves);
    if (row.globs !== undefined) found.push(...globRoots(args, row.globs).slice(0, NAMED_MAX), ...gathered(args, row));
    if (row.seeks !== undefined) found.push(...shownBelow(row, args));
  }
  found.push(...guess(args).paths);
  if (row?.command !== undefined && row.foreign !== true) {
    const { commands, folders } = commandArguments(args, row);
    for (const command of commands) for (const path of commandPaths(command)) found.push(path, ...below(folders, path));
  } else {
    const folders = startFolders(args, [row?.reads, row?.writes, row?.deletes]);
    if (folders.length > 0) found.push(...found.slice(0, PATHS_TRIED).flatMap((path) => below(folders, path)));
  }
  return found.length < 2 ? found : [...new Set(found)];
}

/** Whether a call hands a text to a shell, and not only words to a program. */
export function isText({ tool, args }: ToolCall): boolean {
  const row = rowFor(tool)?.row;
  const named = row?.command === undefined ? { command: COMMAND_WORDS } : row;
  return commandArguments(args, named).commands.some((command) => "line" in command);
}

/** The settings that programs of a call would obey, for whoever can look at them. */
export function namedSettings(call: ToolCall, project: string): readonly SettingsAsked[] {
  const row = isTooMuch(call) ? undefined : rowFor(call.tool)?.row;
  if (row === undefined || row.foreign === true) return [];
  const base = folderOf(call, row, { declared: NOTHING_DECLARED, project }) ?? project;
  return commandsOf(call, row).flatMap((command) => commandSettings(command, base));
}

/** No more folders than this are tried for each path, and no more paths. */
const FOLDERS_TRIED = 4;
const PATHS_TRIED = 100;

/** A relative path counts from the folder that the tool is told to start in. */
function below(folders: readonly string[], path: string): readonly string[] {
  if (folders.length === 0 || folders.length > FOLDERS_TRIED || isAbsolute(path) || path.startsWith("~")) return [];
  return folders.map((folder) => `${folder}/${path}`);
}

/** What is said of a call that nobody looked into. */
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
 * A word on a tool explains one that the table does not know, and makes a known one graver, never milder: of the table's
 * class and the declared one the graver counts. On a tool that takes commands no word counts.
 */
function readingOf(call: ToolCall, says: ToolDeclaration | undefined): Reading {
  const found = rowFor(call.tool);
  if (says !== undefined && !takesCommands(found) && !isMilder(says, found)) {
    if (!isGlob(says.name) || !seemsGraver(call, says.class)) return declaredReading(call, says);
  }
  if (found === undefined) return unknownReading(call);
  const { doubt } = found;
  return {
    row: found.row,
    understood: doubt === undefined ? "fully" : "partly",
    notes: doubt === undefined ? [] : [doubt],
    mentioned: NOTHING,
  };
}

/** A familiar name in doubt is not a known tool. */
function isMilder(declared: ToolDeclaration, found: FoundRow | undefined): boolean {
  if (found === undefined || found.doubt !== undefined || found.row.class === "unknown") return false;
  return graver(declared.class, found.row.class) !== declared.class;
}

const NOTHING: Mentioned = { act: "any", paths: [] };

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

/** A statement that says what it is by its signs as well; a sentence may begin with the same word. */
const SEEMS_STATEMENT = /[(;]|\*|\bfrom\b|\binto\b|\bto\s+(program\b|')|^\s*kill\s+(\w+\s+)?\d+\s*$/i;

/** A tool that was declared to read a database still gets its statement read; other tools where the name says what it is. */
function statementsOf(args: JsonObject, kind: EffectClass): readonly string[] {
  const named = textsCalled(args, SQL_NAMES);
  if (kind !== "db.read") return onlyReads(kind) ? named : [];
  const asked = textsCalled(args, QUERY_NAMES).filter((text) => STARTS_STATEMENT.test(text));
  const others = textsIn(args).filter(
    (text) => CHANGES.test(text) || (STARTS_STATEMENT.test(text) && SEEMS_STATEMENT.test(text)),
  );
  return [...new Set([...named, ...asked, ...others])];
}

/** The name is compared without what cannot be seen of it; whoever adds that may mean another tool. */
function isDressed(tool: string): boolean {
  return toolName(tool).dressed;
}

function declaredReading(call: ToolCall, declared: ToolDeclaration): Reading {
  const guessed = guess(call.args);
  const commands = guessed.commands.length > 0 || declared.class === "process.exec";
  const doubts = [...(commands ? [say("note.tool_takes_commands")] : []), ...(isDressed(call.tool) ? [DRESSED] : [])];
  const act = ACTS[declared.class];
  const row: ToolRow = {
    tools: call.tool,
    class: declared.class,
    ...(declared.domain === undefined ? {} : { domain: declared.domain }),
    ...(declared.reversible === undefined ? {} : { reversible: declared.reversible }),
    ...(commands ? { command: COMMAND_WORDS } : {}),
    ...(/^(network|browser)\./.test(declared.class) && guessed.urls.length > 0 ? { urls: URL_WORDS } : {}),
    example: {},
  };
  return {
    row,
    statements: statementsOf(call.args, declared.class),
    understood: doubts.length > 0 ? "partly" : "fully",
    notes: doubts,
    // The operator said what the tool does; a path that is more than a file still counts.
    mentioned:
      act === undefined
        ? { act: "any", paths: guessed.paths.filter((path) => protectionOf("/" + path, "any") !== undefined) }
        : { act, paths: [...new Set(guessed.paths)] },
  };
}

function unknownReading(call: ToolCall): Reading {
  return {
    row: { tools: call.tool, class: "unknown", command: COMMAND_WORDS, urls: URL_WORDS, example: {} },
    understood: "not",
    notes: [say("note.tool_unknown")],
    mentioned: { act: "any", paths: guess(call.args).paths },
  };
}

const COMMAND_WORDS = "command commands cmd command_line shell script exec argv code program bash powershell";
const URL_WORDS = "url urls uri href endpoint webhook link";
