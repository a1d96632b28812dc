import { afterEach, describe } from "vitest";
import type { Store } from "../../ports.ts";
import { changesApplied } from "./changes.ts";
import { countersKept } from "./counters.ts";
import { keptForGood } from "./durability.ts";
import { ledgerChained } from "./ledger.ts";
import { needsChecked } from "./needs.ts";
import { queuesTaken } from "./queues.ts";
import { rightsMoved } from "./rights.ts";
import { rowsKept } from "./rows.ts";
import { standingRead } from "./standing.ts";
import { submissionRead } from "./submission.ts";
import { watchersTold } from "./watching.ts";

// The promises that every store must keep, one file each. A new store calls this suite.

type Opened = {
  store: Store;
  /** Closes the store and opens it again; only for a store that keeps data. */
  reopen?: () => Promise<Store>;
  /** Removes what the test left behind. */
  remove?: () => void;
};

export function storeConformance(name: string, keeps: { keeps: boolean }, open: () => Promise<Opened>): void {
  describe(name, () => {
    let opened: Opened | undefined;
    const fresh = async (): Promise<Store> => {
      opened = await open();
      return opened.store;
    };
    afterEach(async () => {
      await opened?.store.close();
      opened?.remove?.();
      opened = undefined;
    });
    rowsKept(fresh);
    needsChecked(fresh);
    changesApplied(fresh);
    countersKept(fresh);
    ledgerChained(fresh);
    standingRead(fresh);
    submissionRead(fresh);
    rightsMoved(fresh);
    queuesTaken(fresh);
    watchersTold(fresh);
    if (keeps.keeps) {
      keptForGood(fresh, async () => {
        if (opened?.reopen === undefined) throw new Error("a store that keeps its data must be able to reopen");
        opened.store = await opened.reopen();
        return opened.store;
      });
    }
  });
}
