import type { ToolCall } from "../call.ts";
import { collect, readArguments } from "../classify/arguments.ts";
import { maskArgs } from "../masking/redact.ts";
import type { Say } from "../say/say.ts";
import { offerIn, PIN_TOOL, pinAgent } from "../standing/pin.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { allChanged, type DiffLine, diffLines } from "./diff.ts";

/** A line, and which part of which argument it shows unchanged; for a change, what it does to the text. */
export type ExactLine = { text: string; of?: { key: string; at: number; lead: number }; is?: DiffLine["is"] };

/** Exactly what would run, line by line, with secrets masked: every argument, and edits also as differences. */
export function exactLines(call: ToolCall, say: Say): readonly ExactLine[] {
  const args = maskArgs(call.args);
  const own = changeOf(args);
  // Only what the difference shows in full is not repeated.
  const told = Object.keys(args)
    .filter((key) => own === undefined || !isToldBy(own, key, args[key] as Json))
    .filter((key) => !isSaid(call, key));
  const edits = editsIn(args);
  const real = editsIn(call.args);
  return [
    ...told.flatMap((key) => argumentLines(key, args[key] as Json)),
    ...(own === undefined ? [] : differenceLines(own, changeOf(call.args), say)),
    ...edits.flatMap((edit, at) => {
      const change = changeOf(edit);
      const meant = real[at];
      return change === undefined ? [] : differenceLines(change, meant && changeOf(meant), say);
    }),
  ];
}

/** What an MCP server asks a person to accept is named by the sentence above, in words; the text itself is shown here. */
function isSaid({ tool, agent, args }: ToolCall, key: string): boolean {
  const offer = tool === PIN_TOOL ? offerIn(args) : undefined;
  return offer !== undefined && agent === pinAgent(offer.upstream) && ["upstream", "of", "name"].includes(key);
}

/** Consecutive lines of a change of the same kind; `to` is the first line after them. */
export type Changed = { is: DiffLine["is"]; from: number; to: number };

/** The kinds of the lines of all changes, with positions in the list of exact lines. */
export function changesIn(lines: readonly ExactLine[], first: number): readonly Changed[] {
  const found: Changed[] = [];
  for (const [at, { is }] of lines.entries()) {
    if (is === undefined) continue;
    const last = found.at(-1);
    if (last?.is === is && last.to === first + at) last.to++;
    else found.push({ is, from: first + at, to: first + at + 1 });
  }
  return found;
}

const BEFORE = "old_string old_str old_text";
const AFTER = "new_string new_str new_text";

type Change = { path?: string; before: string; after: string };

function changeOf(edit: JsonObject): Change | undefined {
  const args = readArguments(edit);
  const [before] = collect(args, BEFORE);
  const [after] = collect(args, AFTER);
  if (before === undefined || after === undefined) return undefined;
  const [path] = collect(args, "path file_path");
  return { before, after, ...(path === undefined ? {} : { path }) };
}

function isToldBy(change: Change, key: string, value: Json): boolean {
  const alone = readArguments({ [key]: value });
  return (
    (typeof value === "string" && value === change.before && collect(alone, BEFORE).length > 0) ||
    (typeof value === "string" && value === change.after && collect(alone, AFTER).length > 0)
  );
}

export const DIFF_SIGNS = { same: " ", removed: "-", added: "+" } as const;

/**
 * Lines are compared by the real text, because two secrets with the same mask are different. If masking changed the
 * number of lines, no line counts as unchanged.
 */
function differenceLines(shown: Change, real: Change | undefined, say: Say): readonly ExactLine[] {
  const [before, after] = [shown.before.split("\n"), shown.after.split("\n")];
  const [was, will] = [real?.before.split("\n"), real?.after.split("\n")];
  const aligned = was?.length === before.length && will?.length === after.length;
  const found = aligned ? diffLines(was, will) : allChanged(before.length, after.length);
  const digits = String(Math.max(before.length, after.length)).length;
  const lines = found.map((line): ExactLine => {
    const [at, text] = line.is === "removed" ? [line.before, before[line.before]] : [line.after, after[line.after]];
    return { text: `${DIFF_SIGNS[line.is]} ${String(at + 1).padStart(digits)} | ${text ?? ""}`, is: line.is };
  });
  return [{ text: say.change(shown.path) }, ...lines];
}

function editsIn(args: JsonObject): readonly JsonObject[] {
  return [...objectsIn(args.edits), ...objectsIn(args.replacements)];
}

/** A long or nested list or object is shown on several lines, indented by depth. */
const ON_ONE_LINE_MAX = 60;

function jsonLines(value: Json, indent = ""): readonly string[] {
  const text = JSON.stringify(value);
  if (typeof value !== "object" || value === null || (text.length <= ON_ONE_LINE_MAX && !isNested(value)))
    return [text];
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const names = Array.isArray(value)
    ? value.map(() => "")
    : Object.keys(value).map((key) => `${JSON.stringify(key)}: `);
  const inner = `${indent}  `;
  const items = Object.values(value).flatMap((item: Json, at) => {
    const [first = "", ...rest] = jsonLines(item, inner);
    const lines = [`${inner}${names[at]}${first}`, ...rest];
    return at === names.length - 1 ? lines : [...lines.slice(0, -1), `${lines.at(-1)},`];
  });
  return [open, ...items, `${indent}${close}`];
}

/** One argument per line; a text of several lines keeps its lines, and nested values are indented. */
function argumentLines(key: string, value: Json): readonly ExactLine[] {
  if (typeof value !== "string") {
    return jsonLines(value).map((line, at) => ({ text: at === 0 ? `${key}: ${line}` : line }));
  }
  if (!value.includes("\n")) return [{ text: `${key}: ${value}`, of: { key, at: 0, lead: key.length + 2 } }];
  let at = 0;
  const lines = value.split("\n").map((line): ExactLine => {
    const shown = { text: `| ${line}`, of: { key, at, lead: 2 } };
    at += line.length + 1;
    return shown;
  });
  return [{ text: `${key}:` }, ...lines];
}

function isNested(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.values(value).some(isFilled);
}

function isFilled(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
