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
const ACTING =
  /\b(?:pg_(?!get_|size_|total_|relation_|table_|database_size|typeof|encoding|column)|lo_|dblink|xp_|sp_|sys_|load_|setval|nextval|set_config|query_to_|copy_|writefile|readfile|edit)\w*\s{0,8}\(/i;

/** What a statement would do, by the words outside of its texts and comments: a word in doubt counts as a write. */
export function sqlEffect(sql: string): SqlEffect {
  const text = bare(sql);
  const words = text
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((word) => word !== "");
  if (words.some((word) => RIGHTS.test(word))) return { class: "permissions.change", reversible: false };
  const acts = ACTING.test(text) || (words[0] === "pragma" && text.includes("="));
  const reads = READS.test(words[0] ?? "") && !acts && !words.some((word) => WRITES.test(word));
  return { class: reads ? "db.read" : "db.write", reversible: reads || !words.some((word) => GONE.test(word)) };
}

/** One pass over quotes and comments. A text that never ends takes nothing away, so that it can hide nothing. */
function bare(sql: string): string {
  let kept = "";
  for (let at = 0; at < sql.length; ) {
    const char = sql[at] as string;
    const close =
      char === "'" || char === '"' ? char : sql.startsWith("--", at) ? "\n" : sql.startsWith("/*", at) ? "*/" : "";
    // MySQL runs what stands in `/*! … */`, so that such a comment is read like the rest.
    const end = close === "" || sql.startsWith("/*!", at) ? -1 : sql.indexOf(close, at + (close === "*/" ? 2 : 1));
    if (end === -1) {
      kept += char;
      at++;
    } else {
      kept += " ";
      at = end + close.length;
    }
  }
  return kept;
}
