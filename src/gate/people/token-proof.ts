import type { Change, Committed } from "../../core/change.ts";
import type { Found, Query, Store } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { type FoundToken, tokenNow } from "./tokens.ts";

/**
 * A request whose token was found in the cached standing. The token may have been revoked since, here or by another
 * process. So everything is done by Changes that need this epoch, and nothing is answered before the store has confirmed the
 * epoch, in such a Change or in a read. If the epoch has changed, the token is looked up again.
 */
export type TokenProof = {
  /** The gate for this request. */
  deps: Deps;
  /** Whether the token was valid during the request: known from a Change, or looked up now. */
  holds(): Promise<boolean>;
};

export function proofOf(deps: Deps, text: string, found: FoundToken): TokenProof {
  const { store } = deps;
  let { epoch } = found;
  let state: "open" | "proved" | "lost" = "open";
  const look = async () => {
    const now = await tokenNow(deps, text);
    state = now?.token.id === found.token.id && state !== "lost" ? "proved" : "lost";
    epoch = now?.epoch ?? epoch;
  };
  /** Stops the request. Its answer is thrown away, because `holds` is asked before it is sent. */
  const lookOrStop = async () => {
    await look();
    if (state === "lost") throw new Error("the token was revoked meanwhile");
  };
  const commit = async (change: Change): Promise<Committed> => {
    if (state === "lost") throw new Error("the token was revoked before");
    const committed = await store.commit(needing(change, epoch));
    if (committed.ok) state = "proved";
    else if (committed.stale.is === "epoch") await lookOrStop();
    return committed;
  };
  const read = async <const Q extends Query>(query: Q): Promise<Found<Q>> => {
    const answer = await store.read(query);
    if (query.ask !== "submission") return answer;
    // This read also returns the epoch.
    if ((answer as Found<{ ask: "submission" } & Query>).epoch === epoch) state = "proved";
    else await lookOrStop();
    return answer;
  };
  return {
    deps: { ...deps, store: proving(store, { commit, read }) },
    holds: async () => {
      if (state === "open") await look();
      return state === "proved";
    },
  };
}

function proving({ take, watch, close }: Store, { commit, read }: Pick<Store, "commit" | "read">): Store {
  return { read, commit, take, watch, close };
}

function needing(change: Change, epoch: number): Change {
  if (change.needs.some((need) => need.is === "epoch" && need.epoch === epoch)) return change;
  const { id, workspace, atMs, needs, writes, entries } = change;
  return { id, workspace, atMs, needs: [{ is: "epoch", epoch }, ...needs], writes, entries };
}
