import type { Change, Committed } from "../../core/change.ts";
import type { Found, Query, Store } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { type FoundToken, tokenNow } from "./tokens.ts";

/**
 * A request whose token was found in what was last read of what is in force. It may have been revoked since, here or by
 * another process. So nothing is done but by Changes that need that epoch, and nothing is answered before the store has
 * said, in such a Change or in a look at it, that the epoch held; where it has turned, the token is looked up again.
 */
export type Proof = {
  /** The gate as the request may use it. */
  deps: Deps;
  /** Whether the token was good while the request was worked on: known by now, or looked at. */
  holds(): Promise<boolean>;
};

export function proofOf(deps: Deps, text: string, found: FoundToken): Proof {
  const { store } = deps;
  let { epoch } = found;
  let state: "open" | "proved" | "lost" = "open";
  const look = async () => {
    const now = await tokenNow(deps, text);
    state = now?.token.id === found.token.id && state !== "lost" ? "proved" : "lost";
    epoch = now?.epoch ?? epoch;
  };
  /** Whoever is in the middle of something stops there: what it was told is thrown away by whoever asks `holds`. */
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
    // What was seen of the call tells the epoch in the same breath.
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
