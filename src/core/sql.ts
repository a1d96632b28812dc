import type { EffectClass } from "./effect.ts";

export type SqlEffect = {
  class: Extract<EffectClass, "db.read" | "db.write" | "permissions.change">;
  reversible: boolean;
};

const READS = /^(select|with|show|explain|describe|desc|values|table|pragma)$/;
const WRITES =
  /^(insert|update|delete|merge|replace|upsert|create|alter|drop|truncate|rename|copy|load|call|do|exec|execute|vacuum|lock|into|attach|detach|import|refresh|cluster|reindex|set|begin|commit)$/;
const RIGHTS = /^(grant|revoke)$/;
const GONE = /^(drop|truncate|delete|update|alter|grant|revoke|replace|merge)$/;

/** What a statement would do, by the words outside of its texts and comments: a word in doubt counts as a write. */
export function sqlEffect(sql: string): SqlEffect {
  const words = bare(sql)
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((word) => word !== "");
  if (words.some((word) => RIGHTS.test(word))) return { class: "permissions.change", reversible: false };
  const reads = READS.test(words[0] ?? "") && !words.some((word) => WRITES.test(word));
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
