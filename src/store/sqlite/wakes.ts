import type { WorkspaceId } from "../../core/ids.ts";

type Wakes = {
  watch(workspace: WorkspaceId, wake: () => void): () => void;
  /** Something changed in these workspaces; in any of them when none is named. */
  notify(workspaces?: Iterable<WorkspaceId>): void;
  stop(): void;
};

/** How soon what other processes wrote is noticed. */
const POLL_MS = 100;

/** Wakes those of this process at once; for other processes it looks now and then, as long as anybody watches. */
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
      // A watcher of its own each time: the same function may be registered twice.
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
