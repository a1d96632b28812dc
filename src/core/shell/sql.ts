import type { EffectClass } from "../effect.ts";
import { QUIET_SQL_NAMES } from "../tables/sql-functions.ts";

type SqlEffect = {
  class: Extract<EffectClass, "db.read" | "db.write" | "permissions.change">;
  reversible: boolean;
};

const READS = /^(select|with|show|explain|describe|desc|values|table|pragma)$/;
const WRITES =
  /^(insert|update|delete|merge|replace|upsert|create|alter|drop|truncate|rename|copy|load|call|do|exec|execute|vacuum|lock|into|attach|detach|import|refresh|cluster|reindex|set|begin|commit)$/;
const RIGHTS = /^(grant|revoke)$/;
/** A longer statement is not parsed, so it counts as a write. */
const LETTERS_MAX = 32_768;
const RIGHTS_ANYWHERE = /\b(?:grant|revoke)\b/i;
const GONE = /^(drop|truncate|delete|update|alter|grant|revoke|replace|merge)$/;

/** Functions that read files, connect to other machines or change settings inside a plain `select`. */
const ACTING_NAME =
  "\\b(?:pg_(?!get_|size_|total_|relation_|table_|database_size|typeof|encoding|column)|lo_|dblink|xp_|sp_|sys_|load_|setval|nextval|set_config|query_to_|copy_|writefile|readfile|edit)\\w*";
/** Tables of ClickHouse and similar databases that are a program, a file or another machine. */
const REACHING = "\\b(?:executable(?:pool)?|file|url|hdfs|jdbc|odbc|remote(?:secure)?|external_query)";
/** Where databases store logins. */
const LOGIN_NAMES =
  "pg_shadow|pg_authid|pg_user_mappings?|pg_subscription|user_mapping_options|slave_master_info|refresh_tokens|encrypted_password|authentication_string|decrypted_secrets?|sql_logins|syslogins|dba_users|user\\$|show\\s+create\\s+user";
/** A name, the dot and the next name, with the quotes that databases allow around each and comments between them. */
const GAP = '(?:[\\s"`[\\]]|/\\*(?:(?!\\*/).)*\\*/|(?:--|#)[^\\n]*\\n)*';
const LOGINS = new RegExp(
  `\\b(?:${LOGIN_NAMES}|vault${GAP}\\.${GAP}(?:decrypted_)?secrets|mysql${GAP}\\.${GAP}(?:user|global_priv|proxies_priv|servers))(?![\\w$])`,
  "is",
);
const ACTING = new RegExp(`(?:${ACTING_NAME}|${REACHING})[\\s"\`\\]]*\\(`, "i");
const ACTING_ANYWHERE = new RegExp(ACTING_NAME, "i");
/** A sequence returns each number only once, so reading it changes it. */
const NEXT_VALUE = /\bnext\s+value\s+for\b|\.\s*nextval\b/i;
/** For databases that read files, a table with the name of a file is that file. */
const FILE_TABLE =
  /(?<!["'])\b(?:from|join|table|describe|summarize|pivot)\b(?:\s|\(|\/\*(?:(?!\*\/).)*\*\/|--[^\n]*\n)*["'][^"']*[./][^"']*["']|,\s*"[^"]*[./][^"]*"/is;
/** A name in Postgres may be written with the numbers of its letters, and then nothing here would recognise it. */
const SPELLED_BY_NUMBER = /\bu&\s*["']/i;
/** `show create table` shows how a table was made. */
const SHOWN = /(^\s*|;\s*)show[ \t]+create[ \t]/gi;
/** Settings of SQLite that only describe what is there, of one table or of all. */
const DESCRIBED =
  /^\s*pragma\s+(?:\w+\.)?(?:table_x?info|table_list|index_list|index_x?info|foreign_key_list|foreign_key_check|integrity_check|quick_check)\s*(?:\(\s*\w*\s*\)\s*)?$/i;
const PRAGMA_ACTS = /[=(]|optimize|vacuum|checkpoint/;

/**
 * Characters by which databases differ about where a string or a comment ends: escapes, dollar quotes, names in backticks
 * or brackets, `#` comments, comments that MySQL runs, `--` that is no comment in MySQL, a lone return, quotes with `q`.
 */
const DISPUTED = /[\\$`[#\0]|\/\*M?!|--(?![ \t\r\n]|$)|\r(?!\n)|\bn?q'/i;

/** What a statement would do, by the words outside of its strings and comments: a word in doubt counts as a write. */
export function sqlEffect(sql: string): SqlEffect {
  if (sql.length > LETTERS_MAX)
    return { class: RIGHTS_ANYWHERE.test(sql) ? "permissions.change" : "db.write", reversible: false };
  const outside = bare(sql);
  // If the quoting is ambiguous nothing is removed, so that every word of the whole text counts.
  const judged = (outside?.words ?? sql).replace(SHOWN, "$1show ");
  const words = wordsOf(judged);
  if (words.some((word) => RIGHTS.test(word))) return { class: "permissions.change", reversible: false };
  const statements = judged.split(";").filter((statement) => statement.trim() !== "");
  const reads =
    statements.length > 0 &&
    statements.every(isReading) &&
    !words.some((word) => WRITES.test(word)) &&
    !FILE_TABLE.test(sql) &&
    !NEXT_VALUE.test(judged) &&
    !acts(sql, outside?.names);
  return { class: reads ? "db.read" : "db.write", reversible: reads || !words.some((word) => GONE.test(word)) };
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((word) => word !== "");
}

function isReading(statement: string): boolean {
  if (DESCRIBED.test(statement)) return true;
  const first = /^[\s(]*([a-z]+)(?![\w])/i.exec(statement)?.[1]?.toLowerCase() ?? "";
  return READS.test(first) && !(wordsOf(statement).includes("pragma") && PRAGMA_ACTS.test(statement.toLowerCase()));
}

function acts(sql: string, names: string | undefined): boolean {
  if (SPELLED_BY_NUMBER.test(sql)) return true;
  if (callsUnknown(names ?? sql) || LOGINS.test(names ?? sql)) return true;
  if (names !== undefined) return ACTING.test(names);
  // A comment that was not removed may be between the name and its bracket.
  return (/\/\*|--|#/.test(sql) ? ACTING_ANYWHERE : ACTING).test(sql);
}

/** An unknown function may be a stored one, and those can write. */
function callsUnknown(text: string): boolean {
  for (const [, name = ""] of text.matchAll(CALLED)) if (!QUIET_SQL_NAMES.has(name.toLowerCase())) return true;
  return false;
}

const CALLED = /([A-Za-z_][A-Za-z0-9_]*)["`\]]?[ \t\r\n]*\(/g;

/**
 * The statement without its strings and comments: once without quoted names, which are not words of the language, and
 * once with them, because a function may be called by one. Undefined if databases disagree on what is quoted.
 */
function bare(sql: string): { words: string; names: string } | undefined {
  if (DISPUTED.test(sql)) return undefined;
  let words = "";
  let names = "";
  for (let at = 0; at < sql.length; ) {
    const char = sql[at] as string;
    const close =
      char === "'" || char === '"' ? char : sql.startsWith("--", at) ? "\n" : sql.startsWith("/*", at) ? "*/" : "";
    if (close === "") {
      words += char;
      names += char;
      at++;
      continue;
    }
    const found = sql.indexOf(close, at + (close === "*/" ? 2 : 1));
    // The end of the text ends the last line, and with it a comment until the end of the line.
    const end = found === -1 && close === "\n" ? sql.length : found;
    // An unclosed string could hide all the rest, and where a nested comment ends depends on the database.
    if (end === -1 || (close === "*/" && sql.slice(at + 2, end).includes("/*"))) return undefined;
    words += " ";
    names += char === '"' ? sql.slice(at, end + 1) : " ";
    at = end + close.length;
  }
  return { words, names };
}
