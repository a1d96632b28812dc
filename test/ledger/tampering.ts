import { bodyHashOf, type Entry, entryHashOf } from "../../src/core/ledger.ts";
import { sha256 } from "../../src/core/values/hash.ts";
import { bodyOf, type Chance } from "./chains.ts";

/** What somebody with the file might do, and the first index at which it must be detected. */
export type Tampered = { entries: Entry[]; firstBad: number };
type Tamper = (entries: readonly Entry[], chance: Chance) => Tampered | undefined;

/** One field of one entry, without changing any hash except perhaps the edited one. */
const EDITS: { [how: string]: (entry: Entry, chance: Chance) => void } = {
  time: (entry, chance) => {
    entry.atMs += 1 + chance.int(100_000);
  },
  kind: (entry) => {
    entry.kind = entry.kind === "call.decided" ? "approval.denied" : "call.decided";
  },
  actor: (entry) => {
    entry.actor = `person:${entry.actor}`;
  },
  subject: (entry, chance) => {
    entry.subject = { ...entry.subject, agent: `another ${chance.int(1000)}` };
  },
  "subject, one key more": (entry) => {
    entry.subject = { ...entry.subject, run: "r1" };
  },
  workspace: (entry) => {
    entry.workspace += "2";
  },
  "index of one entry": (entry, chance) => {
    entry.index += 1 + chance.int(5);
  },
  hash: (entry, chance) => {
    entry.hash = sha256(chance.hex(4));
  },
  previous: (entry, chance) => {
    entry.previous = sha256(chance.hex(4));
  },
  "body's hash": (entry, chance) => {
    entry.bodyHash = sha256(chance.hex(4));
  },
  "one more key in the line": (entry) => {
    (entry as Record<string, unknown>)["note"] = "approved by ana";
  },
};

const BODY_EDITS: { [how: string]: (entry: Entry & { body: object }, chance: Chance) => void } = {
  body: (entry, chance) => {
    entry.body.json = { ...bodyOf(chance), forged: chance.hex(4) };
  },
  salt: (entry, chance) => {
    entry.body.salt = chance.hex(16);
  },
  "body and its hash": (entry, chance) => {
    entry.body.json = { ...bodyOf(chance), forged: chance.hex(4) };
    entry.bodyHash = bodyHashOf(entry.body.salt, entry.body.json);
  },
};

const MOVES: { [how: string]: Tamper } = {
  delete: (entries, chance) => {
    const at = chance.int(entries.length - 1);
    return { entries: entries.toSpliced(at, 1), firstBad: at + 1 };
  },
  "insert a copy": (entries, chance) => {
    const [at, from] = [chance.int(entries.length + 1), chance.int(entries.length)];
    // A copy of the entry at its own position is valid; the second of the two is not.
    return { entries: entries.toSpliced(at, 0, copy(entries, from)), firstBad: from === at ? at + 2 : at + 1 };
  },
  swap: (entries, chance) => {
    const [a, b] = [chance.int(entries.length), chance.int(entries.length)].sort((x, y) => x - y) as [number, number];
    if (a === b) return undefined;
    return { entries: entries.with(a, copy(entries, b)).with(b, copy(entries, a)), firstBad: a + 1 };
  },
  "drop a body without saying so": (entries, chance) => {
    const at = chance.int(entries.length);
    const { body, ...bare } = copy(entries, at);
    return body === undefined ? undefined : { entries: entries.with(at, bare), firstBad: at + 1 };
  },
  "edit an entry and its own hash": (entries, chance) => {
    const at = chance.int(entries.length - 1);
    const entry = { ...copy(entries, at), actor: "person:mallory" as const };
    const changed = { ...entry, hash: entryHashOf(entry) };
    return { entries: entries.with(at, changed), firstBad: at + 2 };
  },
  "insert a well made entry": (entries, chance) => {
    const at = 1 + chance.int(entries.length - 1);
    const entry = { ...copy(entries, at), actor: "person:mallory" as const };
    const forged = { ...entry, hash: entryHashOf(entry) };
    return { entries: entries.toSpliced(at, 0, forged), firstBad: at + 2 };
  },
};

export const TAMPERS: readonly [string, Tamper][] = [
  ...Object.entries(EDITS).map(([how, edit]): [string, Tamper] => [
    `edit: ${how}`,
    (entries, chance) => {
      const at = chance.int(entries.length);
      const entry = copy(entries, at);
      edit(entry, chance);
      return { entries: entries.with(at, entry), firstBad: at + 1 };
    },
  ]),
  ...Object.entries(BODY_EDITS).map(([how, edit]): [string, Tamper] => [
    `edit: ${how}`,
    (entries, chance) => {
      const at = chance.int(entries.length);
      const entry = copy(entries, at);
      if (entry.body === undefined) return undefined;
      edit({ ...entry, body: entry.body }, chance);
      return { entries: entries.with(at, entry), firstBad: at + 1 };
    },
  ]),
  ...Object.entries(MOVES),
];

function copy(entries: readonly Entry[], at: number): Entry {
  return structuredClone(entries[at]) as Entry;
}

/** From `at` on, everything is rewritten and every hash computed again: a chain that is consistent in itself. */
export function rechained(entries: readonly Entry[], at: number): Entry[] {
  const made = entries.slice(0, at) as Entry[];
  for (const original of entries.slice(at)) {
    const before = made.at(-1);
    const first = made.length === at;
    const entry = {
      ...structuredClone(original),
      previous: before?.hash ?? null,
      actor: first ? ("person:mallory" as const) : original.actor,
    };
    made.push({ ...entry, hash: entryHashOf(entry) });
  }
  return made;
}
