import type { WorkspaceId } from "../../core/ids.ts";
import { type ChangedWorkspaces, type Watchers, watchersOf } from "../sql/news.ts";
import { faultOf } from "./server/faults.ts";
import type { Server } from "./server/server.ts";

// Processes tell each other that something changed by NOTIFY. It is only a hint: who hears nothing finds out by asking
// for the stamps of the workspaces from time to time. It is sent after the commit and not with it, because PostgreSQL
// commits transactions with a NOTIFY one after the other.

const CHANNEL = "leeway";

/** How soon changes are noticed by asking, while nothing can be heard; otherwise only every so many times. */
const POLL_MS = 250;
const POLLS_LEFT_OUT = 20;

/** How long to wait before a lost connection is opened again. */
const AGAIN_MS = 1_000;

/** Commits that come close together are told once, and somebody who commits all the time tells it only so often. */
const TELL_MS = 5;
const TELL_AGAIN_MS = 30;

/** PostgreSQL refuses texts of 8,000 bytes. */
const NAME_MAX = 1_000;

export type Wakes = Watchers & {
  /** Tells other processes. */
  tell(changed: ChangedWorkspaces): void;
  /** Resolves when everything was told. */
  told(): Promise<void>;
};

/** What is told: by whom, which workspace, and whether something was queued. */
type Told = readonly [from: string, workspace: WorkspaceId, queued: boolean];

export function wakesOn(server: Server, self: string): Wakes {
  const watchers = watchersOf((of) => hear(server, self, of));
  const waiting = new Map<WorkspaceId, boolean>();
  let telling: Promise<void> | undefined;
  let toldMs = Number.NEGATIVE_INFINITY;
  const tellAll = async () => {
    const waitMs = Math.max(TELL_MS, toldMs + TELL_AGAIN_MS - performance.now());
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    telling = undefined;
    toldMs = performance.now();
    const texts = [...waiting].map(([workspace, queued]) => JSON.stringify([self, workspace, queued] satisfies Told));
    waiting.clear();
    await hinting(() =>
      server.use((session) => session.run(`select pg_notify('${CHANNEL}', t) from unnest($1::text[]) as t`, [texts])),
    );
  };
  let told: Promise<void> = Promise.resolve();
  return {
    ...watchers,
    tell: (changed) => {
      for (const [workspace, { queued }] of changed) {
        if (workspace.length > NAME_MAX) continue;
        waiting.set(workspace, queued || waiting.get(workspace) === true);
      }
      if (waiting.size === 0 || telling !== undefined) return;
      telling = tellAll();
      told = Promise.all([told, telling]).then(() => undefined);
    },
    told: () => told,
  };
}

/** A hint that gets lost is no failure: whoever waits for it asks anyway. */
async function hinting(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
    return false;
  }
}

type Hearing = Pick<Watchers, "notify" | "watched">;

/** Hears other processes, and asks for the stamps in case nothing is heard. Returns what stops it. */
function hear(server: Server, self: string, { notify, watched }: Hearing): () => void {
  let stopped = false;
  let close: (() => Promise<void>) | undefined;
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, act: () => Promise<unknown>) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!stopped) act();
    }, ms);
    timer.unref();
    timers.add(timer);
  };
  const heard = (text: string) => {
    const [from, workspace, queued] = JSON.parse(text) as Told;
    if (from !== self) notify([[workspace, { queued }]]);
  };
  const lost = () => {
    close = undefined;
    if (!stopped) later(AGAIN_MS, connect);
  };
  const connect = async () => {
    const isConnected = await hinting(async () => {
      const closing = await server.listen(CHANNEL, heard, lost);
      if (stopped) await closing();
      else close = closing;
    });
    if (!isConnected) later(AGAIN_MS, connect);
  };
  const stamps = new Map<WorkspaceId, number>();
  let leftOut = POLLS_LEFT_OUT;
  const poll = async () => {
    leftOut += 1;
    if (close === undefined || leftOut > POLLS_LEFT_OUT) {
      leftOut = 0;
      await hinting(async () => notify((await changedSince(server, watched(), stamps)).map((name) => [name, QUEUED])));
    }
    later(POLL_MS, poll);
  };
  connect();
  poll();
  return () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
    void close?.();
  };
}

/** What another process changed is not known, so it may have queued something. */
const QUEUED = { queued: true };

async function changedSince(
  server: Server,
  watched: readonly WorkspaceId[],
  stamps: Map<WorkspaceId, number>,
): Promise<readonly WorkspaceId[]> {
  const found = await server.use((session) =>
    session.run("select workspace, stamp from chains where workspace = any($1::text[])", [watched]),
  );
  const now = new Map(found.map((row) => [String(row["workspace"]), Number(row["stamp"])]));
  return watched.flatMap((workspace) => {
    // A workspace without a row has never been written to.
    const stamp = now.get(workspace) ?? 0;
    const before = stamps.get(workspace);
    stamps.set(workspace, stamp);
    return before === undefined || before === stamp ? [] : [workspace];
  });
}
