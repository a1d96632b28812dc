import type { Deps } from "../gate/deps.ts";
import { exportLedger, listEntries, sealLedger, verifyLedger } from "../gate/ledger.ts";
import { acceptPolicy, policyInForce } from "../gate/policy.ts";
import { trustExport, trustOf } from "../gate/trust.ts";
import type { EntryFilter } from "../ports.ts";
import { type By, VOUCHED } from "./people.ts";
import { orThrow } from "./refusal.ts";

export function ledgerOf(deps: Deps) {
  return {
    /** A page of the history, newest first. Continue with `beforeIndex` of the last entry. */
    entries: (filter: EntryFilter = {}, page: { limit?: number; order?: "newest" | "oldest" } = {}) =>
      listEntries(deps, filter, { limit: 100, order: "newest", ...page }),
    head: () => deps.store.read({ ask: "head", workspace: deps.workspace }),
    /** Reads the whole chain and compares it with every checkpoint kept. */
    verify: (how: { onProgress?: (done: number, of: number) => void } = {}) => verifyLedger(deps, how),
    /** The history as lines of JSON, oldest first. */
    export: (filter: EntryFilter = {}) => exportLedger(deps, filter),
    /** Signs the head, so that what is before it can never again be rewritten unnoticed. */
    checkpoint: async () => orThrow(await sealLedger(deps)),
  };
}

export function trustRecords(deps: Deps) {
  return {
    /** An agent's history per class of effect. It may suggest, never give. */
    of: (agent: string) => trustOf(deps, agent),
    export: (filter: { agent?: string } = {}) => trustExport(deps, filter),
  };
}

export function policyOf(deps: Deps) {
  return {
    inForce: () => policyInForce(deps),
    /** A file counts once a person accepted it as it is now. */
    accept: async (path: string, { by }: By) => orThrow(await acceptPolicy(deps, path, { by, ...VOUCHED })),
  };
}
