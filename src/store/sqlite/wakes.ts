import { type Watchers, watchersOf } from "../sql/news.ts";

/** How soon changes of other processes are noticed. */
const POLL_MS = 100;

/**
 * Wakes watchers in this process at once; checks for changes of other processes from time to time, while anybody
 * watches.
 */
export function wakes(changedElsewhere: () => boolean): Watchers {
  return watchersOf(({ notify, watched }) => {
    changedElsewhere();
    const timer = setInterval(() => {
      // What another process changed is not known, so it may have queued something.
      if (changedElsewhere()) notify(watched().map((workspace) => [workspace, { queued: true }]));
    }, POLL_MS);
    timer.unref();
    return () => clearInterval(timer);
  });
}
