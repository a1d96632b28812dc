import { EFFECT_CLASSES, type EffectClass, type Level, REACHES, type Reach } from "../effect.ts";
import { isObject, type JsonObject } from "../values/json.ts";
import { parseJsonText } from "../values/json-text.ts";
import {
  type Fact,
  type FactTable,
  type Form,
  factsIn,
  faultAt,
  faultOf,
  namesIn,
  oneOf,
  type Paragraph,
  withGroups,
} from "./facts.ts";
import { KNOWN_TOOLS } from "./known-tools.ts";

/**
 * What the tools of the known agent hosts and servers do, as `known-tools.ts` says it with these words. Arguments are named
 * by the words that tools use for them, separated by spaces; `edits.path` goes into a list or an object.
 */
export type ToolRow = {
  /** Names, separated by spaces. `server/tool` belongs to an MCP server. A name that is not listed is not known. */
  tools: string;
  class: EffectClass;
  /** Paths that are read, written, deleted; the folder of the call where `here` is set and none is given. */
  reads?: string;
  writes?: string;
  deletes?: string;
  here?: true;
  /** Patterns of file names; one that leaves the folder is a path of its own. */
  globs?: string;
  /** Works on everything below its paths. */
  deep?: true;
  /** What it looks for in files, the hidden ones too. */
  seeks?: string;
  /** Shows the lines that it finds unless the arguments say otherwise. */
  lines?: true;
  /** A patch text that names its own files. */
  patch?: string;
  /** A file written beside what the tool is for. */
  saves?: string;
  /** Words that are handed to git, which takes one that begins with a dash for an option. */
  refs?: string;
  /** The command of git that the tool stands for, run in its folder with those words. */
  words?: string;
  command?: string;
  /** Objects in the arguments in which the tool takes the command apart: `task task.options`. */
  within?: string;
  /** All arguments that the tool takes; another one makes it another tool. Tools for files have a table of their own. */
  knows?: string;
  /** The argument that says what the tool does, the values with which it only looks, and the others that are known. */
  verb?: string;
  looks?: string;
  acts?: string;
  /** A file that the tool changes whatever the arguments say. */
  leaves?: string;
  /** The command is for another shell than bash, whose grammar is not ours. */
  foreign?: true;
  /** Source text of a program: never examined, so never fully understood. */
  code?: string;
  urls?: string;
  /** Makes requests of any kind, so that an argument nobody knows may change what is sent. */
  sends?: true;
  /** The method that the tool's name says. */
  method?: string;
  sql?: string;
  domain?: string;
  reach?: Reach;
  reversible?: boolean;
  /** Arguments that classify as this line says. */
  example: JsonObject;
};

/** What every class means where a line says nothing else. */
export const CLASS_DEFAULTS: Record<
  EffectClass,
  { capability: string; level: Level; reach: Reach; reversible: boolean }
> = {
  none: { capability: "none", level: "none", reach: "local", reversible: true },
  "fs.read": { capability: "workspace.read_text", level: "read", reach: "host", reversible: true },
  "fs.write": { capability: "workspace.write_text", level: "write", reach: "host", reversible: true },
  "fs.mkdir": { capability: "workspace.write_text", level: "write", reach: "host", reversible: true },
  "fs.copy": { capability: "workspace.write_text", level: "write", reach: "host", reversible: true },
  "fs.move": { capability: "workspace.write_text", level: "write", reach: "host", reversible: true },
  "fs.delete": { capability: "workspace.delete", level: "admin", reach: "host", reversible: false },
  "process.exec": { capability: "process.exec", level: "execute", reach: "host", reversible: false },
  "host.call": { capability: "host.call", level: "execute", reach: "host", reversible: false },
  "store.write": { capability: "store.write", level: "write", reach: "local", reversible: true },
  "metadata.write": { capability: "metadata.write", level: "write", reach: "local", reversible: true },
  "checkpoint.write": { capability: "checkpoint.write", level: "write", reach: "local", reversible: true },
  "agent_state.write": { capability: "agent_state.write", level: "write", reach: "local", reversible: true },
  "mcp.release": { capability: "mcp.release", level: "write", reach: "local", reversible: true },
  "network.read": { capability: "network.read", level: "read", reach: "outside", reversible: true },
  "network.write": { capability: "network.write", level: "write", reach: "outside", reversible: false },
  "network.sse.write": { capability: "network.sse", level: "write", reach: "outside", reversible: false },
  "git.write": { capability: "git.write", level: "write", reach: "project", reversible: true },
  "message.send": { capability: "message.send", level: "write", reach: "outside", reversible: false },
  "db.read": { capability: "db.read", level: "read", reach: "project", reversible: true },
  "db.write": { capability: "db.write", level: "write", reach: "project", reversible: false },
  "browser.read": { capability: "browser.read", level: "read", reach: "outside", reversible: true },
  "browser.act": { capability: "browser.act", level: "execute", reach: "outside", reversible: false },
  "agent.spawn": { capability: "agent.spawn", level: "execute", reach: "local", reversible: true },
  "schedule.write": { capability: "schedule.write", level: "write", reach: "outside", reversible: true },
  "deploy.write": { capability: "deploy.write", level: "admin", reach: "outside", reversible: false },
  "payments.move": { capability: "payments.move", level: "admin", reach: "outside", reversible: false },
  "secrets.read": { capability: "secrets.read", level: "admin", reach: "host", reversible: false },
  "permissions.change": { capability: "permissions.change", level: "admin", reach: "host", reversible: false },
  unknown: { capability: "unknown", level: "admin", reach: "outside", reversible: false },
};

export const TOOL_TABLE: FactTable = { file: "known-tools.ts", text: KNOWN_TOOLS };

const FORM: Form = {
  class: "once",
  reads: "often",
  writes: "often",
  deletes: "often",
  here: "alone",
  globs: "often",
  deep: "alone",
  seeks: "often",
  lines: "alone",
  patch: "often",
  saves: "often",
  refs: "often",
  words: "once",
  command: "often",
  within: "often",
  knows: "any",
  verb: "once",
  looks: "often",
  acts: "often",
  leaves: "once",
  foreign: "alone",
  code: "often",
  urls: "often",
  sends: "alone",
  method: "once",
  sql: "often",
  domain: "once",
  reach: "once",
  reversible: "once",
  example: "once",
};

type Draft = Omit<ToolRow, "class" | "example"> & { class?: EffectClass; example?: JsonObject };

/** What a paragraph says of its tools. */
export function toolFrom(paragraph: Paragraph): ToolRow {
  const row: Draft = { tools: namesIn(paragraph).join(" ") };
  for (const fact of factsIn(paragraph, FORM)) add(row, fact);
  const { class: said, example } = row;
  if (said === undefined) throw faultAt(paragraph, paragraph.start, `\`${row.tools}\` has no \`class\``);
  if (example === undefined) throw faultAt(paragraph, paragraph.start, `\`${row.tools}\` has no \`example\``);
  return { ...row, class: said, example };
}

function add(row: Draft, fact: Fact): void {
  const { word, rest } = fact;
  switch (word) {
    case "class":
      row.class = oneOf(fact, EFFECT_CLASSES);
      break;
    case "reach":
      row.reach = oneOf(fact, REACHES);
      break;
    case "reversible":
      row.reversible = oneOf(fact, ["yes", "no"]) === "yes";
      break;
    case "example":
      row.example = exampleFrom(fact);
      break;
    case "here":
    case "deep":
    case "lines":
    case "foreign":
    case "sends":
      row[word] = true;
      break;
    case "words":
    case "verb":
    case "leaves":
    case "method":
    case "domain":
      row[word] = rest;
      break;
    default:
      addNames(row, fact);
  }
}

/** Names of arguments, and of values that an argument may have. */
const LISTS = [
  ...(["reads", "writes", "deletes", "globs", "seeks", "patch", "saves", "refs", "command", "within"] as const),
  ...(["knows", "looks", "acts", "code", "urls", "sql"] as const),
] as const;

function addNames(row: Draft, fact: Fact): void {
  const list = oneOf({ ...fact, rest: fact.word }, LISTS);
  const names = withGroups(fact, "names");
  const before = row[list];
  row[list] = before === undefined ? names : `${before} ${names}`;
}

function exampleFrom(fact: Fact): JsonObject {
  const read = parseJsonText(fact.rest);
  if (!read.ok || !isObject(read.value))
    throw faultOf(fact, "an example is a JSON object with the arguments of a call");
  return read.value;
}
