import { type Entry, type Link, saltedBody } from "../ledger.ts";
import { canonical } from "../values/canonical.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";

// One entry on one line of JSON: how a ledger leaves Leeway, and how it is read again.

export function lineOf(entry: Entry): string {
  return canonical(entry as unknown as JsonObject);
}

const KEYS = ["actor", "atMs", "bodyHash", "hash", "index", "kind", "previous", "subject", "workspace"];
const SALT = /^[0-9a-f]{32}$/;

/**
 * Nothing may be missing and nothing added: what the hash does not cover must not be there. A line that is not its own
 * canonical form (a key twice, a number that is rounded) says one thing to whoever reads it and another to the hash.
 */
export function parseLine(line: string): { ok: true; link: Link } | { ok: false; why: string } {
  const value = parsed(line);
  if (!isObject(value)) return { ok: false, why: "the line is not a JSON object" };
  if (canonical(value) !== line) return { ok: false, why: "the line is not in its canonical form" };
  const { body, subject, ...rest } = value;
  const keys = Object.keys(value).filter((key) => key !== "body");
  if (keys.sort().join() !== KEYS.join()) return { ok: false, why: "it does not have exactly the keys of an entry" };
  if (!isObject(subject) || Object.values(subject).some((text) => typeof text !== "string")) {
    return { ok: false, why: "its subject does not hold texts alone" };
  }
  const link = { ...rest, subject: canonical(subject) } as unknown as Link;
  if (body === undefined) return { ok: true, link };
  const { salt, json } = isObject(body) ? body : {};
  if (!isObject(body) || Object.keys(body).length !== 2 || typeof salt !== "string" || !isObject(json)) {
    return { ok: false, why: "its body is not a salt and a JSON object" };
  }
  if (!SALT.test(salt)) return { ok: false, why: "its body has no salt of 16 bytes" };
  return { ok: true, link: { ...link, body: saltedBody(salt, canonical(json)) } };
}

function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line);
  } catch {
    // Not swallowed: no value is what the caller reports as a line that is not JSON.
    return undefined;
  }
}
