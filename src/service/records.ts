import { ENTRY_KINDS, type Subject } from "../core/ledger.ts";
import type { Hash } from "../core/values/hash.ts";
import type { Deps } from "../gate/deps.ts";
import { exportLedger, headOf, listEntries, verifyLedger } from "../gate/record/ledger.ts";
import { proveEntry } from "../gate/record/prove-entry.ts";
import { sealLedger } from "../gate/record/sealing.ts";
import { trustExport, trustOf } from "../gate/record/trust.ts";
import { acceptPolicy, policyInForce } from "../gate/standing/policy.ts";
import type { EntryFilter } from "../ports.ts";
import { type By, VOUCHED } from "./people.ts";
import { orThrow } from "./refusal.ts";
import {
  callable,
  checked,
  listOf,
  maybe,
  objectLike,
  oneOf,
  type Shape,
  text,
  textOf,
  whole,
  wholeOf,
} from "./shape.ts";

const SUBJECT: Shape<Subject> = {
  agent: maybe(text),
  tool: maybe(text),
  class: maybe(text),
  tier: maybe(text),
  outcome: maybe(text),
  call: maybe(text),
  approval: maybe(text),
  execution: maybe(text),
  grant: maybe(text),
  person: maybe(text),
  token: maybe(text),
  session: maybe(text),
  run: maybe(text),
  trace: maybe(text),
  entry: maybe(text),
};
const FILTER: Shape<EntryFilter> = {
  afterIndex: maybe(whole(0)),
  beforeIndex: maybe(whole(0)),
  kinds: maybe(listOf(oneOf(ENTRY_KINDS))),
  fromMs: maybe(whole(0)),
  toMs: maybe(whole(0)),
  actor: maybe(text),
  subject: maybe(objectLike(SUBJECT)),
};
type EntryPage = { limit?: number; order?: "newest" | "oldest" };
const PAGE: Shape<EntryPage> = { limit: maybe(whole(1)), order: maybe(oneOf(["newest", "oldest"])) };
type Verifying = { onProgress?: (done: number, of: number) => void };
const VERIFYING: Shape<Verifying> = { onProgress: maybe(callable) };

export function ledgerOf(deps: Deps) {
  return {
    /** A page of the history, newest first. Continue with `beforeIndex` of the last entry. */
    entries: async (filter: EntryFilter = {}, page: EntryPage = {}) =>
      listEntries(deps, checked(filter, FILTER), { limit: 100, order: "newest", ...checked(page, PAGE) }),
    head: () => headOf(deps),
    /** Reads the whole chain and compares it with every checkpoint kept. */
    verify: async (how: Verifying = {}) => verifyLedger(deps, checked(how, VERIFYING)),
    /** The history as lines of JSON, oldest first. */
    export: (filter: EntryFilter = {}) => exportLedger(deps, checked(filter, FILTER)),
    /** One entry with what shows that it was signed, for somebody who has nothing else of the ledger. */
    prove: async (index: number) => orThrow(await proveEntry(deps, wholeOf(index, "index", 1))),
    /** Signs the head, so that what is before it can never again be rewritten unnoticed. */
    checkpoint: async () => orThrow(await sealLedger(deps)),
  };
}

export function trustRecords(deps: Deps) {
  return {
    /** An agent's history per class of effect. It may suggest, never give. */
    of: async (agent: string) => trustOf(deps, textOf(agent, "agent")),
    export: async (filter: { agent?: string } = {}) => trustExport(deps, checked(filter, { agent: maybe(text) })),
  };
}

const PATH_LENGTH_MAX = 4096;

type AcceptInput = By & { version: string };
export const ACCEPT: Shape<AcceptInput> = { by: text, version: text };

export function policyOf(deps: Deps) {
  return {
    inForce: () => policyInForce(deps),
    /** A file counts once a person accepted it, if it still says what they saw: the version that `inForce` names. */
    accept: async (path: string, what: AcceptInput) => {
      const { version, ...who } = checked(what, ACCEPT);
      const given = { ...who, version: version as Hash, ...VOUCHED };
      return orThrow(await acceptPolicy(deps, textOf(path, "path", PATH_LENGTH_MAX), given));
    },
  };
}
