import { changeOf } from "../../core/change.ts";
import { type Store, StoreUnavailable } from "../../ports.ts";
import type { Deps } from "../deps.ts";

// A store that can be read but not written to denies every call: a full disk, a database that is read-only.

/** `triedMs`: when writing was tried again only to find out whether it works. */
type LastWrite = { failed: boolean; triedMs: number; trying?: Promise<void> };

const writesOf = new WeakMap<Store, LastWrite>();

/** At most so often, because anybody may ask whether a server is ready. */
const TRY_AGAIN_MS = 1_000;

/** The same store; `canRecord` knows whether its last write failed. */
export function notingWrites(store: Store): Store {
  const last: LastWrite = { failed: false, triedMs: Number.NEGATIVE_INFINITY };
  const noting = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (error) {
      if (error instanceof StoreUnavailable) last.failed = true;
      throw error;
    }
  };
  const noted: Store = {
    ...store,
    commit: (change) =>
      noting(async () => {
        const committed = await store.commit(change);
        last.failed = false;
        return committed;
      }),
    // If nothing is due, nothing is written, so its success says nothing.
    take: (queue, t) => noting(() => store.take(queue, t)),
  };
  writesOf.set(noted, last);
  return noted;
}

/** False while the last write failed. A write that changes nothing then finds out whether it works again. */
export async function canRecord({ store, mint, workspace, clock }: Deps): Promise<boolean> {
  const last = writesOf.get(store);
  if (last === undefined || !last.failed) return true;
  if (last.trying === undefined && performance.now() - last.triedMs >= TRY_AGAIN_MS) {
    last.triedMs = performance.now();
    last.trying = store
      .commit(changeOf(mint, { workspace, nowMs: clock.nowMs() }, []))
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        delete last.trying;
      });
  }
  await last.trying;
  return !last.failed;
}
