import { generateKeyPairSync, sign } from "node:crypto";
import { chain, EMPTY_HEAD, ENTRY_KINDS, type Entry, headAfter, withText } from "../../src/core/ledger.ts";
import { checkpointText, originOf, signedNote } from "../../src/core/record/checkpoint.ts";
import { lineOf } from "../../src/core/record/entry-line.ts";
import { grow, rootOf } from "../../src/core/record/merkle.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import type { Signer } from "../../src/seals-port.ts";

/** Random numbers from a seed (mulberry32), so that a failing ledger can be made again. */
export type Chance = { int(below: number): number; of<T>(list: readonly T[]): T; hex(bytes: number): string };

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    of: (list) => list[int(list.length)] as (typeof list)[number],
    hex: (bytes) => Array.from({ length: bytes }, () => int(256).toString(16).padStart(2, "0")).join(""),
  };
}

const WORDS = [
  "coder",
  "release-bot",
  "üml\u00e4ut",
  'quo"te',
  "a\\b",
  "tab\tnew\nline",
  "\u{1f512} lock",
  "\u2028",
  "",
];
const NUMBERS = [0, -1, 1.5, 1e21, 1e-7, 123456789012, 0.1, -2.5e-10, 9007199254740991, 1e300, 100, 1e20];

export function bodyOf(chance: Chance, depth = 0): JsonObject {
  const body: Record<string, JsonObject[string]> = {};
  for (let i = chance.int(5); i > 0; i--) {
    const key = chance.of(["args", "note", "10", "9", "é", "\u{10000}", "\uffff", "", "z"]);
    const kind = chance.int(depth > 2 ? 4 : 6);
    if (kind === 0) body[key] = chance.of(WORDS);
    else if (kind === 1) body[key] = chance.of(NUMBERS);
    else if (kind === 2) body[key] = chance.of([true, false, null]);
    else if (kind === 3) body[key] = [chance.of(WORDS), chance.of(NUMBERS)];
    else body[key] = bodyOf(chance, depth + 1);
  }
  return body;
}

const PLAIN = ENTRY_KINDS.filter((kind) => kind !== "body.erased" && kind !== "ledger.sealed");

/** A ledger as the gate would have written it, with some bodies erased in the normal way. */
export function ledgerOf(chance: Chance, size: number, workspace = "default"): Entry[] {
  const entries: Entry[] = [];
  let head = EMPTY_HEAD;
  while (entries.length < size) {
    const erasable = entries.filter((entry) => entry.body !== undefined && entry.kind !== "body.erased");
    const gone = chance.int(8) === 0 && erasable.length > 0 ? chance.of(erasable) : undefined;
    const draft = withText({
      kind: gone === undefined ? chance.of(PLAIN) : "body.erased",
      actor: chance.of(["leeway", `agent:${chance.of(WORDS)}`, "person:ana"] as const),
      subject:
        gone === undefined ? { agent: chance.of(WORDS), call: `call_${chance.hex(4)}` } : { entry: `${gone.index}` },
      body: bodyOf(chance),
      salt: chance.hex(16),
    });
    if (gone !== undefined) delete gone.body;
    const entry = chain(head, draft, { workspace, nowMs: 1_000_000 + entries.length * 10 + chance.int(30) });
    entries.push(entry);
    head = headAfter(entry);
  }
  return entries;
}

export function linesOf(entries: readonly Entry[]): string[] {
  return entries.map(lineOf);
}

export function testSigner(name = "leeway"): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ format: "der", type: "spki" });
  return {
    name,
    publicKey: new Uint8Array(spki.subarray(-32)),
    sign: (text) => sign(null, Buffer.from(text), privateKey),
  };
}

/** A signed checkpoint over the first `size` entries. */
export function noteOver(entries: readonly Entry[], size: number, signer: Signer): string {
  const edge: string[] = [];
  for (const [count, { hash }] of entries.slice(0, size).entries()) grow(edge, count, hash);
  const origin = originOf(entries[0]?.workspace ?? "default");
  return signedNote(checkpointText({ origin, size, root: rootOf(edge) }), signer);
}
