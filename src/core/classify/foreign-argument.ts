import { LOOKING_ARGUMENTS, USUAL_ARGUMENTS, WRITING_ARGUMENTS } from "../tables/tool-arguments.ts";
import type { ToolRow } from "../tables/tools.ts";
import { flat } from "../tool-name.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { argumentsIn } from "./arguments.ts";

// Whoever passes an argument that the tool of the table does not take calls another tool of that name.

/** What a file in a drive of some service is known by; an editor's file is known by its path. */
const ELSEWHERE =
  /^(file|folder|parent|drive|document|doc|spreadsheet|site|space|workspace|bucket|container)ids?$|^(parents|mimetype|bucket|email|emails|recipients?|sharewith|permissions?|owner|repo)$/;

/** Switches by these names do more than choose how a file is looked at or written. */
const ACTING =
  /(delet|remov|unlink|purge|drop|^run|run$|exec|chmod|permission|install|commit|push|upload|send|share|publish|deploy|inplace|symlink|stage|merge|kill|sudo|admin|trigger|apply|fix|update|^mark)/;

/** Rights of a file are numbers or signs; other modes are words. */
const WORDED = /^[a-z][a-z_ -]*$/i;

export function hasForeignArgument(args: JsonObject, row: ToolRow): boolean {
  const isFile = row.class.startsWith("fs.");
  const known = knownNames(row);
  return argumentsIn(args).some(({ name, value }) => {
    if (isNothing(value)) return false;
    if (isFile && row.domain === undefined && ELSEWHERE.test(name.flat)) return true;
    if (known === undefined) return row.domain !== undefined && value === true && ACTING.test(name.flat);
    if (name.flat === "mode" && known.has("mode")) return typeof value !== "string" || !WORDED.test(value);
    if (known.has(name.flat) || (row.knows === undefined && name.holds.has("folder"))) return false;
    // A number or a switch that nobody has heard of chooses how, unless its name says that it does something.
    return row.knows !== undefined || typeof value === "string" || typeof value === "object" || ACTING.test(name.flat);
  });
}

function isNothing(value: Json): boolean {
  if (value === null || value === false || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** Rows are few and stay the same. */
const kept = new WeakMap<ToolRow, ReadonlySet<string> | undefined>();

/** Every argument that the tool takes; undefined where the table does not say. */
function knownNames(row: ToolRow): ReadonlySet<string> | undefined {
  if (kept.has(row)) return kept.get(row);
  const found = row.knows === undefined ? namesForFiles(row) : flatNames([row.knows, row.verb]);
  kept.set(row, found);
  return found;
}

function namesForFiles(row: ToolRow): ReadonlySet<string> | undefined {
  const { reads, writes, deletes, patch, saves, command, code } = row;
  const touched = [reads, writes, deletes, patch, saves].filter((names) => names !== undefined);
  if (touched.length === 0 || command !== undefined || code !== undefined) return undefined;
  // What changes more than a file asks anyway.
  if (!/^(fs\.(read|write|mkdir|copy|move)|browser\.read)$/.test(row.class)) return undefined;
  const looks = row.class.endsWith(".read");
  const { globs, seeks, refs, urls, verb } = row;
  return flatNames([
    ...touched,
    globs,
    seeks,
    refs,
    urls,
    verb,
    USUAL_ARGUMENTS,
    looks ? LOOKING_ARGUMENTS : WRITING_ARGUMENTS,
  ]);
}

function flatNames(lists: readonly (string | undefined)[]): ReadonlySet<string> {
  const ways = lists.flatMap((names) => names?.split(" ") ?? []);
  return new Set(ways.map((way) => flat(way.split(".")[0] ?? "")));
}
