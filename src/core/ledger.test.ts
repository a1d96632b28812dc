import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bodyHashOf,
  chain,
  EMPTY_HEAD,
  ENTRY_KINDS,
  type Entry,
  type EntryDraft,
  entryHashOf,
  headAfter,
  linkHashOf,
  linkOf,
  withText,
} from "./ledger.ts";
import { canonical } from "./values/canonical.ts";
import { sha256 } from "./values/hash.ts";
import type { JsonObject } from "./values/json.ts";

const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constant('quo"te \\ \n'));
const subject = fc.dictionary(fc.constantFrom("agent", "tool", "class", "call", "trace", "entry"), text);
const draft: fc.Arbitrary<EntryDraft> = fc
  .record({
    kind: fc.constantFrom(...ENTRY_KINDS),
    actor: text.map((name) => `agent:${name}` as const),
    subject,
    body: fc.jsonValue().map((json) => ({ json }) as JsonObject),
    salt: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  })
  .map(withText);

test("the fast hash of an entry equals the hash of its canonical form without body and hash", () => {
  fc.assert(
    fc.property(draft, fc.nat(), text, (one, nowMs, workspace) => {
      const entry = chain(EMPTY_HEAD, one, { workspace, nowMs });
      const { hash, body, ...rest } = entry;
      expect(hash).toBe(sha256(canonical(rest as unknown as JsonObject)));
      expect(linkHashOf(linkOf(entry))).toBe(hash);
      expect(body).toEqual({ salt: one.salt, json: one.body });
    }),
  );
});

test("a draft contains the canonical text of its body", () => {
  fc.assert(fc.property(draft, (one) => one.text === canonical(one.body)));
});

test("the body's hash covers its salt and its canonical text", () => {
  const salt = "00112233445566778899aabbccddeeff";
  const bytes = Buffer.concat([Buffer.from(salt, "hex"), Buffer.from('{"a":1,"b":"ü"}')]);
  expect(bodyHashOf(salt, { b: "ü", a: 1 })).toBe(sha256(bytes));
});

test("every entry contains the hash of the one before, the next index, and a time that is not earlier", () => {
  const times = [50, 40, 60, 60, 10];
  let head = EMPTY_HEAD;
  const entries: Entry[] = [];
  for (const nowMs of times) {
    const entry = chain(
      head,
      withText({ kind: "call.decided", actor: "leeway", subject: {}, body: { nowMs }, salt: "00".repeat(16) }),
      { workspace: "default", nowMs },
    );
    entries.push(entry);
    head = headAfter(entry);
  }
  expect(entries.map((entry) => entry.index)).toEqual([1, 2, 3, 4, 5]);
  expect(entries.map((entry) => entry.atMs)).toEqual([50, 50, 60, 60, 60]);
  expect(entries.map((entry) => entry.previous)).toEqual([null, ...entries.slice(0, -1).map((entry) => entry.hash)]);
  expect(head).toEqual({ index: 5, atMs: 60, hash: entries[4]?.hash });
});

test("any change to an entry changes its hash", () => {
  const entry = chain(
    EMPTY_HEAD,
    withText({
      kind: "call.decided",
      actor: "agent:coder",
      subject: { agent: "coder" },
      body: {},
      salt: "00".repeat(16),
    }),
    { workspace: "default", nowMs: 1 },
  );
  const changed: Partial<Entry>[] = [
    { index: 2 },
    { atMs: 2 },
    { kind: "call.delegated" },
    { actor: "leeway" },
    { subject: { agent: "coder", tool: "x" } },
    { bodyHash: sha256("x") },
    { previous: sha256("x") },
    { workspace: "other" },
  ];
  for (const change of changed) expect(entryHashOf({ ...entry, ...change })).not.toBe(entry.hash);
});
