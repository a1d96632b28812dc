import type { Observers } from "../observer-port.ts";
import type { Store } from "../ports.ts";

/** The same store; observers are told what became of each Change. */
export function observedStore(store: Store, observers: Observers): Store {
  return {
    ...store,
    commit: async (change) => {
      if (observers.size === 0) return store.commit(change);
      const startMs = performance.now();
      const done = await store.commit(change);
      const ms = performance.now() - startMs;
      for (const observer of observers) observer.committed?.(change, done, ms);
      return done;
    },
  };
}
