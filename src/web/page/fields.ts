import { say } from "../../core/messages/message.ts";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import { parseJsonText } from "../../core/values/json-text.ts";
import type { HttpRequest } from "../../http/request.ts";
import { badInput } from "../../service/refusal.ts";

/** The fields of a form, each of which must be sent at most once. */
export function fieldsOf({ body }: HttpRequest): Readonly<Record<string, string | undefined>> {
  if (body === undefined || !isObject(body)) return {};
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(body)) if (typeof value === "string") fields[name] = value;
  return fields;
}

/** A field that may be sent several times. */
export function listField({ body }: HttpRequest, name: string): readonly string[] {
  const value = body !== undefined && isObject(body) ? body[name] : undefined;
  const all = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === "string");
}

/** The arguments of a call as a person wrote them into a form. */
export function argsOf(text: string): JsonObject {
  if (text.trim() === "") return {};
  const parsed = parseJsonText(text);
  if (!parsed.ok)
    throw badInput(
      "args",
      say("refusal.json_at", { line: parsed.line, column: parsed.column, why: parsed.said }),
      say("hint.write_json"),
    );
  if (isObject(parsed.value)) return parsed.value;
  throw badInput("args", say("refusal.no_object"), say("hint.write_arguments"));
}

/** Arguments that a person wrote in place of others. Nothing written is no version: a call without arguments is written as `{}`. */
export function versionOf(text: string): JsonObject {
  if (text.trim() === "") throw badInput("args", say("refusal.no_object"), say("hint.write_arguments"));
  return argsOf(text);
}
