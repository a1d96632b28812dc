import { collect } from "./arguments.ts";
import type { ToolCall } from "./call.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { redact, redactText } from "./redact.ts";

/** Exactly what would be carried out, line by line, secrets masked: a command as it is, an edit as its difference. */
export function exactLines(call: ToolCall): readonly string[] {
  const args = redact(call.args);
  const lines: string[] = [];
  const shown = new Set<string>();
  for (const key of Object.keys(args)) {
    const value = args[key];
    if (typeof value === "string" && /^(command|cmd|script|code|patch|input)$/i.test(key) && value.includes("\n")) {
      lines.push(`${key}:`, ...marked(value, "| "));
      shown.add(key);
    }
  }
  const changes = [args, ...objectsIn(args.edits), ...objectsIn(args.replacements)].flatMap((edit) =>
    changeLines(edit),
  );
  if (changes.length > 0) {
    lines.push(...changes);
    for (const key of [
      "old_string",
      "new_string",
      "oldString",
      "newString",
      "old_str",
      "new_str",
      "edits",
      "replacements",
    ])
      shown.add(key);
  }
  const rest = Object.fromEntries(Object.entries(args).filter(([key]) => !shown.has(key)));
  return [...jsonLines(rest), ...lines];
}

/** Old lines and new lines of an edit that names both. */
function changeLines(edit: JsonObject): readonly string[] {
  const [before] = collect(edit, "old_string old_str old_text");
  const [after] = collect(edit, "new_string new_str new_text");
  if (before === undefined || after === undefined) return [];
  const [path] = collect(edit, "path file_path");
  return [
    ...(path === undefined ? [] : [`change in ${path}:`]),
    ...marked(redactText(before), "- "),
    ...marked(redactText(after), "+ "),
  ];
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function marked(text: string, mark: string): readonly string[] {
  return text.split("\n").map((line) => mark + line);
}

/** One argument a line; texts of several lines keep their lines. */
function jsonLines(args: JsonObject): readonly string[] {
  return Object.keys(args).flatMap((key) => {
    const value = args[key] as Json;
    if (typeof value === "string" && value.includes("\n")) return [`${key}:`, ...marked(value, "| ")];
    return [`${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`];
  });
}
