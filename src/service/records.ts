import { inEnglish } from "../core/messages/text.ts";
import type { Policy } from "../core/policy.ts";
import type { VerifiedText } from "../core/record/verify.ts";
import { entryInEnglish } from "../core/show/entry-body.ts";
import type { Deps } from "../gate/deps.ts";
import { exportLedger, headOf, listEntries, verifyLedger } from "../gate/record/ledger.ts";
import { proveEntry } from "../gate/record/prove-entry.ts";
import { sealLedger } from "../gate/record/sealing.ts";
import { type TrustText, trustExport, trustOf } from "../gate/record/trust.ts";
import { acceptPolicy, type LayerInForce, type PolicyInForce, policyInForce } from "../gate/standing/policy.ts";
import type { EntryFilter } from "../ports.ts";
import { VOUCHED } from "./people.ts";
import { orThrow } from "./refusal.ts";
import { parse, type TypeOf, textOf, wholeOf } from "./shape.ts";
import { ACCEPT, type AcceptInput, FILTER, OF_AGENT, PAGE, VERIFYING } from "./shapes/record.ts";

export function ledgerOf(deps: Deps) {
  return {
    /** A page of the history, newest first. Continue with `beforeIndex` of the last entry. */
    entries: async (filter: EntryFilter = {}, page: TypeOf<typeof PAGE> = {}) => {
      const asked = { limit: 100, order: "newest", ...parse(PAGE, page) } as const;
      return (await listEntries(deps, parse(FILTER, filter), asked)).map(entryInEnglish);
    },
    head: () => headOf(deps),
    /** Reads the whole chain and compares it with every stored checkpoint. */
    verify: async (how: TypeOf<typeof VERIFYING> = {}): Promise<VerifiedText> =>
      inEnglish(await verifyLedger(deps, parse(VERIFYING, how))),
    /** The history as lines of JSON, oldest first. */
    export: (filter: EntryFilter = {}) => exportLedger(deps, parse(FILTER, filter)),
    /** One entry with the proof that it was signed, for somebody who does not have the ledger. */
    prove: async (index: number) => orThrow(await proveEntry(deps, wholeOf(index, "index", 1))),
    /** Signs the head, so that nobody can change earlier entries unnoticed. */
    checkpoint: async () => orThrow(await sealLedger(deps)),
  };
}

export function trustRecords(deps: Deps) {
  return {
    /** The track record of an agent per class of effect. It only leads to suggestions. */
    of: async (agent: string): Promise<TrustText> => inEnglish(await trustOf(deps, textOf(agent, "agent"))),
    export: async (filter: { agent?: string } = {}) => trustExport(deps, parse(OF_AGENT, filter)),
  };
}

const PATH_LENGTH_MAX = 4096;

/** A layer of `withPolicy`. */
export type ScopeLayer = Pick<LayerInForce, "source" | "version" | "policy"> & { from: "scope" };

/** The policy in force at one point of a program. */
export type PolicyHere = Omit<PolicyInForce, "layers"> & { layers: readonly (LayerInForce | ScopeLayer)[] };

/** `scopes`: the layers of `withPolicy` at this point of a program, outermost first. */
export function policyOf(deps: Deps, scopes: () => readonly Policy[] = () => []) {
  return {
    inForce: async (): Promise<PolicyHere> => {
      const found = await policyInForce(deps);
      const own = scopes().map((policy) => {
        const { source, version } = policy;
        return { source, version, from: "scope", policy } as const;
      });
      return { ...found, layers: [...found.layers, ...own] };
    },
    /** Accepts a policy file, if its version is still the one that the person saw in `inForce`. */
    accept: async (path: string, what: AcceptInput) => {
      const given = { ...parse(ACCEPT, what), ...VOUCHED };
      return orThrow(await acceptPolicy(deps, textOf(path, "path", PATH_LENGTH_MAX), given));
    },
  };
}
