import type { WorkspaceId } from "../../core/ids.ts";
import type { StoreNews } from "../../ports.ts";
import type { Ready } from "./prepare.ts";

/** What changed in these workspaces. */
export type ChangedWorkspaces = Iterable<readonly [workspace: WorkspaceId, news: StoreNews]>;

/** One piece of news for each workspace. */
export function newsOf(applied: readonly Ready[]): ReadonlyMap<WorkspaceId, StoreNews> {
  const news = new Map<WorkspaceId, StoreNews>();
  for (const { workspace, queues } of applied) {
    news.set(workspace, { queued: queues || news.get(workspace)?.queued === true });
  }
  return news;
}

export type Watchers = {
  watch(workspace: WorkspaceId, wake: (news: StoreNews) => void): () => void;
  notify(changed: ChangedWorkspaces): void;
  /** The workspaces that somebody watches. */
  watched(): readonly WorkspaceId[];
  stop(): void;
};

/**
 * Who in this process watches which workspace. `hear` starts listening to other processes and returns what stops it;
 * it is called while anybody watches.
 */
export function watchersOf(hear: (watchers: Pick<Watchers, "notify" | "watched">) => () => void): Watchers {
  const watchers = new Map<WorkspaceId, Set<(news: StoreNews) => void>>();
  let deafen: (() => void) | undefined;
  const notify: Watchers["notify"] = (changed) => {
    for (const [workspace, news] of changed) {
      for (const wake of watchers.get(workspace) ?? []) queueMicrotask(() => wake(news));
    }
  };
  const watched = () => [...watchers.keys()];
  const stop = () => {
    deafen?.();
    deafen = undefined;
  };
  return {
    notify,
    watched,
    stop,
    watch: (workspace, wake) => {
      // A new watcher each time, because the same function may be registered twice.
      const own = (news: StoreNews) => wake(news);
      const set = watchers.get(workspace) ?? new Set();
      watchers.set(workspace, set.add(own));
      deafen ??= hear({ notify, watched });
      return () => {
        set.delete(own);
        if (set.size === 0 && watchers.get(workspace) === set) watchers.delete(workspace);
        if (watchers.size === 0) stop();
      };
    },
  };
}
