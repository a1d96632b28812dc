import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceId } from "../../core/ids.ts";
import { type ChangedWorkspaces, type Watchers, watchersOf } from "../sql/news.ts";
import type { Listening, Server } from "./server/server.ts";

// Processes tell each other that something changed by NOTIFY. It is only a hint: who hears nothing finds out by asking
// for the stamps of the workspaces from time to time. It is sent after the commit and not with it, because PostgreSQL
// commits transactions with a NOTIFY one after the other.

const CHANNEL = "leeway";

/** How soon changes are noticed by asking, while nothing can be heard; otherwise only every so many times. */
const POLL_MS = 250;
const POLLS_LEFT_OUT = 20;

/** How long to wait after a failure; each further failure doubles it, up to the most. */
const POLL_AGAIN = { firstMs: POLL_MS, mostMs: 2_000 };
const LISTEN_AGAIN = { firstMs: 1_000, mostMs: 5_000 };

/** Commits that come close together are told once, and somebody who commits all the time tells it only so often. */
const TELL_MS = 5;
const TELL_AGAIN_MS = 30;

/** Nobody waits until a hint is on the disk. */
const TELL =
  `select pg_notify('${CHANNEL}', t) from unnest($1::text[]) as t, ` + "set_config('synchronous_commit', 'off', true)";

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
    await hinting(() => server.use((session) => session.run(TELL, [texts])));
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

/**
 * A hint that gets lost is no failure: whoever waits for it asks anyway. Nobody awaits the result, so nothing may be thrown,
 * whatever the machine or PostgreSQL refuses: it would end the process.
 */
async function hinting(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch {
    return false;
  }
}

type Hearing = Pick<Watchers, "notify" | "watched">;

/** Hears other processes, and asks for the stamps in case nothing is heard. Returns what stops it. */
function hear(server: Server, self: string, { notify, watched }: Hearing): () => void {
  const stop = new AbortController();
  const rest = (ms: number) => sleep(ms, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
  const heard = (text: string) => {
    const told = toldIn(text);
    if (told !== undefined && told[0] !== self) notify([[told[1], { queued: told[2] }]]);
  };
  let open: Listening | undefined;
  const listen = async () => {
    open = await server.listen(CHANNEL, heard);
    if (stop.signal.aborted) open.close();
    await open.lost;
  };
  /** One loop, so that there is one connection, and one try at a time. */
  const keepListening = async () => {
    for (let failures = 0; !stop.signal.aborted; ) {
      failures = (await hinting(listen)) ? 0 : failures + 1;
      open = undefined;
      await rest(waitMs(LISTEN_AGAIN, failures));
    }
  };
  const stamps = new Map<WorkspaceId, number>();
  const poll = async () => notify((await changedSince(server, watched(), stamps)).map((name) => [name, QUEUED]));
  const keepAsking = async () => {
    for (let [failures, leftOut] = [0, POLLS_LEFT_OUT]; !stop.signal.aborted; leftOut++) {
      if (open === undefined || leftOut >= POLLS_LEFT_OUT) {
        leftOut = 0;
        failures = (await hinting(poll)) ? 0 : failures + 1;
      }
      await rest(failures === 0 ? POLL_MS : waitMs(POLL_AGAIN, failures));
    }
  };
  void keepListening();
  void keepAsking();
  return () => {
    stop.abort();
    open?.close();
  };
}

/** Longer after each failure, and not the same in every process, so that they do not all come back at the same moment. */
function waitMs({ firstMs, mostMs }: { firstMs: number; mostMs: number }, failures: number): number {
  return Math.min(firstMs * 2 ** Math.max(failures - 1, 0), mostMs) * (0.5 + Math.random() / 2);
}

/** Everybody who may use the database may send something on the channel; what is not ours is left alone. */
function toldIn(text: string): Told | undefined {
  try {
    const [from, workspace, queued] = JSON.parse(text) as Told;
    return typeof workspace === "string" ? [from, workspace, queued === true] : undefined;
  } catch {
    return undefined;
  }
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
