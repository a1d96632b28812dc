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
import { AGENT_LANGUAGE_TOOLS } from "./known-tools/agent-language.ts";
import { CHAT_ASSISTANT_TOOLS } from "./known-tools/chat-assistants.ts";
import { CLAUDE_CODE_TOOLS } from "./known-tools/claude-code.ts";
import { CODEX_TOOLS } from "./known-tools/codex.ts";
import { COPILOT_TOOLS } from "./known-tools/copilot.ts";
import { CURSOR_TOOLS } from "./known-tools/cursor.ts";
import { GEMINI_TOOLS } from "./known-tools/gemini.ts";
import { TOOL_GROUPS } from "./known-tools/groups.ts";
import { LEEWAY_TOOLS } from "./known-tools/leeway.ts";
import { MCP_BROWSER_TOOLS } from "./known-tools/mcp-browser.ts";
import { MCP_FILE_TOOLS } from "./known-tools/mcp-files.ts";
import { MCP_GITHUB_TOOLS } from "./known-tools/mcp-github.ts";
import { MCP_SERVICE_TOOLS } from "./known-tools/mcp-services.ts";
import { OPENCODE_TOOLS } from "./known-tools/opencode.ts";
import { PLAINLY_NAMED_TOOLS } from "./known-tools/plain-names.ts";
import { VS_CODE_TOOLS } from "./known-tools/vs-code.ts";

/**
 * What the tools of the known agent hosts and servers do, as the files in `known-tools/` describe it. Arguments are named by the
 * words that tools use for them, separated by spaces; `edits.path` goes into a list or an object.
 */
export type ToolRow = {
  /** Names, separated by spaces. `server/tool` belongs to an MCP server. A name that is not listed is unknown. */
  tools: string;
  class: EffectClass;
  /** Paths that are read, written, deleted; the folder of the call if `here` is set and none is given. */
  reads?: string;
  writes?: string;
  deletes?: string;
  here?: true;
  /** Patterns of file names; one that leaves the folder counts as a path. */
  globs?: string;
  /** Works on everything below its paths. */
  deep?: true;
  /** What it searches for in files, including hidden ones. */
  seeks?: string;
  /** Shows the matching lines unless the arguments say otherwise. */
  lines?: true;
  /** A patch text that names its files. */
  patch?: string;
  /** A file that the tool writes in addition. */
  saves?: string;
  /** Words that are passed to git, which reads one that begins with a dash as an option. */
  refs?: string;
  /** The git command that the tool stands for, run in its folder with those words. */
  words?: string;
  command?: string;
  /** Objects in the arguments that contain parts of the command: `task task.options`. */
  within?: string;
  /** All arguments that the tool takes; another one makes it another tool. Tools for files have a separate table. */
  knows?: string;
  /** The argument that says what the tool does, the values with which it only reads, and the other known values. */
  verb?: string;
  looks?: string;
  acts?: string;
  /** A file that the tool changes whatever the arguments are. */
  leaves?: string;
  /** The command is for another shell than bash, with another grammar. */
  foreign?: true;
  /** Source text of a program: never examined, so never fully understood. */
  code?: string;
  urls?: string;
  /** Makes requests of any kind, so an unknown argument may change what is sent. */
  sends?: true;
  /** The method in the tool's name. */
  method?: string;
  sql?: string;
  domain?: string;
  reach?: Reach;
  reversible?: boolean;
  /** Arguments that are classified as this line says. */
  example: JsonObject;
};

/** The defaults of every class. */
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

/** Groups of names that the tables of tools share. */
const GROUPS: FactTable = { file: "known-tools/groups.ts", text: TOOL_GROUPS };

/** The tables of tools, one for each agent host or family of servers. */
export const TOOL_TABLES: readonly FactTable[] = [
  { file: "known-tools/agent-language.ts", text: AGENT_LANGUAGE_TOOLS, groups: GROUPS },
  { file: "known-tools/chat-assistants.ts", text: CHAT_ASSISTANT_TOOLS, groups: GROUPS },
  { file: "known-tools/claude-code.ts", text: CLAUDE_CODE_TOOLS, groups: GROUPS },
  { file: "known-tools/codex.ts", text: CODEX_TOOLS, groups: GROUPS },
  { file: "known-tools/copilot.ts", text: COPILOT_TOOLS, groups: GROUPS },
  { file: "known-tools/gemini.ts", text: GEMINI_TOOLS, groups: GROUPS },
  { file: "known-tools/opencode.ts", text: OPENCODE_TOOLS, groups: GROUPS },
  { file: "known-tools/vs-code.ts", text: VS_CODE_TOOLS, groups: GROUPS },
  { file: "known-tools/cursor.ts", text: CURSOR_TOOLS, groups: GROUPS },
  { file: "known-tools/plain-names.ts", text: PLAINLY_NAMED_TOOLS, groups: GROUPS },
  { file: "known-tools/mcp-files.ts", text: MCP_FILE_TOOLS, groups: GROUPS },
  { file: "known-tools/mcp-github.ts", text: MCP_GITHUB_TOOLS, groups: GROUPS },
  { file: "known-tools/leeway.ts", text: LEEWAY_TOOLS, groups: GROUPS },
  { file: "known-tools/mcp-browser.ts", text: MCP_BROWSER_TOOLS, groups: GROUPS },
  { file: "known-tools/mcp-services.ts", text: MCP_SERVICE_TOOLS, groups: GROUPS },
];

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

/** What a paragraph says about its tools. */
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
    throw faultOf(fact, "an example must be a JSON object with the arguments of a call");
  return read.value;
}

// Arguments of tools for files and pages that change neither which files are meant nor what is done to them: data only.

/** What every such tool may take: the place in a file, the amount, and texts for people. */
export const USUAL_ARGUMENTS =
  "offset limit head tail start end line lines line_number line_count line_range line_ranges start_line end_line line_start line_end " +
  "start_line_one_indexed end_line_one_indexed_inclusive start_line_number_base_zero end_line_number_base_zero view_range range ranges " +
  "indentation encoding format recursive depth max_depth max_results max_lines max_bytes max_count head_limit count timeout timeout_ms " +
  "description explanation reason justification summary title thought goal purpose message note task_progress tool_call_id call_id id " +
  "toolaction toolsummary instruction instructions mode";

/** Arguments of tools that search files and pages: what they search for, and how they report results. */
export const LOOKING_ARGUMENTS =
  "pattern patterns query queries regex search search_term text keyword keywords names symbol symbol_name symbols kind severity " +
  "type types file_type file_types extension extensions output_mode -A -B -C -n -i -o context before after context_lines lines_before lines_after " +
  "multiline case_sensitive ignore_case is_regex is_regexp literal fixed_strings whole_word " +
  "exclude excludes exclude_pattern exclude_patterns ignore ignore_patterns ignore_globs respect_git_ignore file_filtering_options " +
  "use_default_excludes include_hidden show_hidden hidden sort sort_by order pages page page_idx page_id page_size cursor " +
  "character position detail source_control_state branch_type " +
  // Pages in a browser.
  "level only_errors ref element selector uid time text_gone width height quality verbose index reqid msgid resource_types name encoded";

/** Arguments of tools that write files: the text itself and its place in the file. */
export const WRITING_ARGUMENTS =
  "content contents text new_text old_text file_text new_source new_content old_content old_string new_string old_str new_str " +
  "insert_text insert_line insert_after code code_edit diff edits edit replacements changes blocks search replace replacement search_replace_blocks " +
  "expected_replacements occurrences replace_all allow_multiple cell_id cell_number cell_idx cell_type edit_mode is_new_cell cell_language language " +
  "overwrite append create_if_missing dry_run should_write ai_proposed_content modified_by_user";
