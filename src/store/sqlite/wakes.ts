import type { WorkspaceId } from "../../core/ids.ts";

type Wakes = {
  watch(workspace: WorkspaceId, wake: () => void): () => void;
  /** Something changed in these workspaces; in any if none is named. */
  notify(workspaces?: Iterable<WorkspaceId>): void;
  stop(): void;
};

/** How soon changes of other processes are noticed. */
const POLL_MS = 100;

/**
 * Wakes watchers in this process at once; checks for changes of other processes from time to time, while anybody
 * watches.
 */
export function wakes(changedElsewhere: () => boolean): Wakes {
  const watchers = new Map<WorkspaceId, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  const notify = (workspaces: Iterable<WorkspaceId> = watchers.keys()) => {
    for (const workspace of workspaces) for (const wake of watchers.get(workspace) ?? []) queueMicrotask(wake);
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const start = () => {
    changedElsewhere();
    timer = setInterval(() => {
      if (changedElsewhere()) notify();
    }, POLL_MS);
    timer.unref();
  };
  return {
    notify,
    stop,
    watch: (workspace, wake) => {
      // A new watcher each time, because the same function may be registered twice.
      const own = () => wake();
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
