import type { ToolCall } from "../call.ts";
import { collect } from "../classify/arguments.ts";
import { maskArgs } from "../show/redact.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** Exactly what would be carried out, line by line, secrets masked: every argument, and edits also as differences. */
export function exactLines(call: ToolCall): readonly string[] {
  const args = maskArgs(call.args);
  const own = changeOf(args);
  // Only what the difference shows in full is not shown again.
  const told = Object.keys(args).filter((key) => own === undefined || !isToldBy(own, key, args[key] as Json));
  return [
    ...told.flatMap((key) => argumentLines(key, args[key] as Json)),
    ...(own === undefined ? [] : differenceLines(own)),
    ...[...objectsIn(args.edits), ...objectsIn(args.replacements)].flatMap((edit) => {
      const change = changeOf(edit);
      return change === undefined ? [] : differenceLines(change);
    }),
  ];
}

const BEFORE = "old_string old_str old_text";
const AFTER = "new_string new_str new_text";

type Change = { path?: string; before: string; after: string };

function changeOf(edit: JsonObject): Change | undefined {
  const [before] = collect(edit, BEFORE);
  const [after] = collect(edit, AFTER);
  if (before === undefined || after === undefined) return undefined;
  const [path] = collect(edit, "path file_path");
  return { before, after, ...(path === undefined ? {} : { path }) };
}

function isToldBy(change: Change, key: string, value: Json): boolean {
  const alone = { [key]: value };
  return (
    (typeof value === "string" && value === change.before && collect(alone, BEFORE).length > 0) ||
    (typeof value === "string" && value === change.after && collect(alone, AFTER).length > 0)
  );
}

function differenceLines({ path, before, after }: Change): readonly string[] {
  return [path === undefined ? "change:" : `change in ${path}:`, ...marked(before, "- "), ...marked(after, "+ ")];
}

/** One argument a line; a text of several lines keeps its lines. */
function argumentLines(key: string, value: Json): readonly string[] {
  if (typeof value === "string" && value.includes("\n")) return [`${key}:`, ...marked(value, "| ")];
  return [`${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`];
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function marked(text: string, mark: string): readonly string[] {
  return text.split("\n").map((line) => mark + line);
}
