import { type Entry, type Link, saltedBody } from "../ledger.ts";
import { type Message, say } from "../messages/message.ts";
import { canonical } from "../values/canonical.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";

// One entry as one line of JSON: the format for exporting and reading a ledger.

export function lineOf(entry: Entry): string {
  return canonical(entry as unknown as JsonObject);
}

const KEYS = ["actor", "atMs", "bodyHash", "hash", "index", "kind", "previous", "subject", "workspace"];
const SALT = /^[0-9a-f]{32}$/;

/**
 * No field may be missing or added, because the hash would not cover it. A line that is not in canonical form (a
 * duplicate key, a rounded number) could be read differently by a person and by the hash.
 */
export function parseLine(line: string): { ok: true; link: Link } | { ok: false; why: Message } {
  const value = parsed(line);
  if (!isObject(value)) return { ok: false, why: say("record.line_no_object") };
  if (canonical(value) !== line) return { ok: false, why: say("record.line_not_canonical") };
  const { body, subject, ...rest } = value;
  const keys = Object.keys(value).filter((key) => key !== "body");
  if (keys.sort().join() !== KEYS.join()) return { ok: false, why: say("record.entry_keys") };
  if (!isObject(subject) || Object.values(subject).some((text) => typeof text !== "string")) {
    return { ok: false, why: say("record.subject_texts") };
  }
  const link = { ...rest, subject: canonical(subject) } as unknown as Link;
  if (body === undefined) return { ok: true, link };
  const { salt, json } = isObject(body) ? body : {};
  if (!isObject(body) || Object.keys(body).length !== 2 || typeof salt !== "string" || !isObject(json)) {
    return { ok: false, why: say("record.body_no_salt_and_object") };
  }
  if (!SALT.test(salt)) return { ok: false, why: say("record.body_no_salt") };
  return { ok: true, link: { ...link, body: saltedBody(salt, canonical(json)) } };
}

function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    // Not ignored: the caller reports a missing value as a line that is not JSON.
    return undefined;
  }
}
