import type { WorkspaceId } from "../../core/ids.ts";
import type { StoreNews } from "../../ports.ts";

type Wakes = {
  watch(workspace: WorkspaceId, wake: (news: StoreNews) => void): () => void;
  /** What changed in these workspaces. */
  notify(changed: Iterable<readonly [workspace: WorkspaceId, news: StoreNews]>): void;
  stop(): void;
};

/** How soon changes of other processes are noticed. */
const POLL_MS = 100;

/**
 * Wakes watchers in this process at once; checks for changes of other processes from time to time, while anybody
 * watches.
 */
export function wakes(changedElsewhere: () => boolean): Wakes {
  const watchers = new Map<WorkspaceId, Set<(news: StoreNews) => void>>();
  let timer: NodeJS.Timeout | undefined;
  const notify: Wakes["notify"] = (changed) => {
    for (const [workspace, news] of changed) {
      for (const wake of watchers.get(workspace) ?? []) queueMicrotask(() => wake(news));
    }
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const start = () => {
    changedElsewhere();
    timer = setInterval(() => {
      // What another process changed is not known, so it may have queued something.
      if (changedElsewhere()) notify([...watchers.keys()].map((workspace) => [workspace, { queued: true }]));
    }, POLL_MS);
    timer.unref();
  };
  return {
    notify,
    stop,
    watch: (workspace, wake) => {
      // A new watcher each time, because the same function may be registered twice.
      const own = (news: StoreNews) => wake(news);
      const set = watchers.get(workspace) ?? new Set();
      watchers.set(workspace, set.add(own));
      if (timer === undefined) start();
      return () => {
        set.delete(own);
        if (set.size === 0 && watchers.get(workspace) === set) watchers.delete(workspace);
        if (watchers.size === 0) stop();
      };
    },
  };
}
