import type { ToolCall } from "../call.ts";
import { collect } from "../classify/arguments.ts";
import { maskArgs } from "../show/redact.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** A line, and which piece of which argument it shows, where it shows one as it is. */
export type ExactLine = { text: string; of?: { key: string; at: number; lead: number } };

/** Exactly what would be carried out, line by line, secrets masked: every argument, and edits also as differences. */
export function exactLines(call: ToolCall): readonly ExactLine[] {
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

function differenceLines({ path, before, after }: Change): readonly ExactLine[] {
  const lines = [path === undefined ? "change:" : `change in ${path}:`, ...led(before, "- "), ...led(after, "+ ")];
  return lines.map((text) => ({ text }));
}

/** One argument a line; a text of several lines keeps its lines. */
function argumentLines(key: string, value: Json): readonly ExactLine[] {
  if (typeof value !== "string") return [{ text: `${key}: ${JSON.stringify(value)}` }];
  if (!value.includes("\n")) return [{ text: `${key}: ${value}`, of: { key, at: 0, lead: key.length + 2 } }];
  let at = 0;
  const lines = value.split("\n").map((line): ExactLine => {
    const shown = { text: `| ${line}`, of: { key, at, lead: 2 } };
    at += line.length + 1;
    return shown;
  });
  return [{ text: `${key}:` }, ...lines];
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function led(text: string, lead: string): readonly string[] {
  return text.split("\n").map((line) => lead + line);
}
