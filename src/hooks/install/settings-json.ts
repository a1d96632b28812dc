import { applyEdits, type JSONPath, modify, type ParseError, parse, visit } from "jsonc-parser";
import { isObject, type Json, type JsonObject } from "../../core/values/json.ts";

// Changes to a host's settings file that leave everything else as it is: comments, order and spaces.

/** A changed text, or why it must not be changed. */
export type Changed<Text> = { ok: true; after: Text } | { ok: false; why: string };

/** The file as JSON with comments, or where it cannot be read. */
export function parsedSettings(text: string): { ok: true; value: JsonObject } | { ok: false; why: string } {
  const errors: ParseError[] = [];
  const value = (parse(text, errors, { allowTrailingComma: true }) ?? {}) as Json;
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    return { ok: false, why: `line ${line} is not JSON` };
  }
  const twice = repeatedKey(text);
  if (twice !== undefined) return { ok: false, why: `line ${twice.line} has the key \`${twice.key}\` a second time` };
  return isObject(value) ? { ok: true, value } : { ok: false, why: "it is not a JSON object" };
}

/** Of a key that stands twice in an object, a host may read the one and a change may be made to the other. */
function repeatedKey(text: string): { key: string; line: number } | undefined {
  const open: Set<string>[] = [];
  let found: { key: string; line: number } | undefined;
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectProperty: (key, _offset, _length, line) => {
      if (open.at(-1)?.has(key)) found ??= { key, line: line + 1 };
      open.at(-1)?.add(key);
    },
    onObjectEnd: () => void open.pop(),
  });
  return found;
}

/** The text with this value at this place; `undefined` takes it away. */
export function changed(text: string, path: JSONPath, value: Json | undefined): string {
  const insertSpaces = !/^\t/m.test(text);
  const tabSize = insertSpaces ? (/^( +)"/m.exec(text)?.[1]?.length ?? 2) : 1;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const isInsertion = typeof path.at(-1) === "number" && value !== undefined;
  const edits = modify(text, path, value, {
    formattingOptions: { insertSpaces, tabSize, eol },
    isArrayInsertion: isInsertion,
  });
  return applyEdits(text, edits);
}
