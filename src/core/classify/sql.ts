import type { EffectClass } from "../effect.ts";

export type SqlEffect = {
  class: Extract<EffectClass, "db.read" | "db.write" | "permissions.change">;
  reversible: boolean;
};

const READS = /^(select|with|show|explain|describe|desc|values|table|pragma)$/;
const WRITES =
  /^(insert|update|delete|merge|replace|upsert|create|alter|drop|truncate|rename|copy|load|call|do|exec|execute|vacuum|lock|into|attach|detach|import|refresh|cluster|reindex|set|begin|commit)$/;
const RIGHTS = /^(grant|revoke)$/;
const GONE = /^(drop|truncate|delete|update|alter|grant|revoke|replace|merge)$/;

/** Functions that read files, reach other machines or change settings from inside a plain `select`. */
const ACTING_NAME =
  "\\b(?:pg_(?!get_|size_|total_|relation_|table_|database_size|typeof|encoding|column)|lo_|dblink|xp_|sp_|sys_|load_|setval|nextval|set_config|query_to_|copy_|writefile|readfile|edit)\\w*";
const ACTING = new RegExp(`${ACTING_NAME}[\\s"\`\\]]*\\(`, "i");
const ACTING_ANYWHERE = new RegExp(ACTING_NAME, "i");
/** A name in Postgres may be spelled by the numbers of its letters, and then nothing here would recognise it. */
const SPELLED_BY_NUMBER = /\bu&\s*["']/i;
const PRAGMA_ACTS = /[=(]|optimize|vacuum|checkpoint/;

/**
 * Signs by which databases differ on where a text or a comment ends: escapes, dollar quotes, names in backticks or
 * brackets, `#` comments, comments that MySQL runs, `--` that is no comment to MySQL, a lone return, quotes with `q`.
 */
const DISPUTED = /[\\$`[#\0]|\/\*M?!|--(?![ \t\r\n]|$)|\r(?!\n)|\bn?q'/i;

/** What a statement would do, by the words outside of its texts and comments: a word in doubt counts as a write. */
export function sqlEffect(sql: string): SqlEffect {
  const outside = bare(sql);
  // Where the quoting is open to dispute nothing is taken away, so that every word of the whole text counts.
  const judged = outside?.words ?? sql;
  const words = wordsOf(judged);
  if (words.some((word) => RIGHTS.test(word))) return { class: "permissions.change", reversible: false };
  const statements = judged.split(";").filter((statement) => statement.trim() !== "");
  const reads =
    statements.length > 0 &&
    statements.every(isReading) &&
    !words.some((word) => WRITES.test(word)) &&
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
  const first = /^[\s(]*([a-z]+)(?![\w])/i.exec(statement)?.[1]?.toLowerCase() ?? "";
  return READS.test(first) && !(wordsOf(statement).includes("pragma") && PRAGMA_ACTS.test(statement.toLowerCase()));
}

function acts(sql: string, names: string | undefined): boolean {
  if (SPELLED_BY_NUMBER.test(sql)) return true;
  if (names !== undefined) return ACTING.test(names);
  // A comment that nobody took away may stand between the name and its bracket.
  return (/\/\*|--|#/.test(sql) ? ACTING_ANYWHERE : ACTING).test(sql);
}

/**
 * The statement without its texts and comments: once without quoted names, which are no words of the language, and
 * once with them, because a function may be called by one. Nothing where databases disagree on what is quoted.
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
    const end = sql.indexOf(close, at + (close === "*/" ? 2 : 1));
    // What never ends could hide all the rest, and a comment within a comment ends where the database likes.
    if (end === -1 || (close === "*/" && sql.slice(at + 2, end).includes("/*"))) return undefined;
    words += " ";
    names += char === '"' ? sql.slice(at, end + 1) : " ";
    at = end + close.length;
  }
  return { words, names };
}
