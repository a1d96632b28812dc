import { randomUUID } from "node:crypto";
import type { Change, Committed } from "../../core/change.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import type { Observers } from "../../observer-port.ts";
import type { Found, Query, Sealer, Store } from "../../ports.ts";
import { groupCommits } from "../grouping.ts";
import { newsOf } from "../sql/news.ts";
import type { Ready } from "../sql/prepare.ts";
import { applierFor } from "./changes/committing.ts";
import { prepare } from "./changes/prepare.ts";
import { pruner } from "./changes/prune.ts";
import { wakesOn } from "./listening.ts";
import { answerTo } from "./queries/answers.ts";
import { placeOn } from "./queries/place.ts";
import { takeFrom } from "./queries/take.ts";
import { secretsOf } from "./secrets.ts";
import { clockBeside } from "./server/clock.ts";
import { patiently } from "./server/patience.ts";
import { serverAt } from "./server/server.ts";

export type PostgresOptions = {
  /** Encrypts secrets. Without it no secrets are stored or decrypted. */
  sealer?: Sealer;
  /** For reading a database that is closed because it is moved. */
  isMoving?: true;
  observers?: Observers;
};

export type PostgresStore = Store & {
  /** Which database this is, whatever its address; undefined if PostgreSQL does not say it to this role. */
  place(): Promise<string | undefined>;
};

/**
 * One PostgreSQL database, any number of processes and workspaces. Connected on first use; after a failure the next use
 * connects again. Each workspace has its own queue of Changes, so workspaces never wait for each other.
 */
export function postgresStore(url: string, options: PostgresOptions = {}): PostgresStore {
  const server = serverAt(url, options.isMoving ? { isMoving: true } : {});
  const secrets = secretsOf(options.sealer);
  const fits = clockBeside(server.use);
  const clockFits = () => patiently(fits);
  const wakes = wakesOn(server, randomUUID());
  const prune = pruner(server);
  const queues = new Map<WorkspaceId, ReturnType<typeof groupCommits<Ready>>>();
  const queueOf = (workspace: WorkspaceId) => {
    const known = queues.get(workspace);
    if (known !== undefined) return known;
    const made = groupCommits<Ready>({
      isElsewhere: true,
      prepare: (change) => prepare(secrets, change),
      apply: applierFor(server, secrets, workspace, options.observers),
      applied: (batch, answers: readonly Committed[], ms) => {
        for (const observer of options.observers ?? []) observer.batched?.(batch.length, ms);
        const applied = batch.filter((_, i) => answers[i]?.ok === true);
        const news = newsOf(applied);
        wakes.notify(news);
        wakes.tell(news);
        prune(applied);
      },
    });
    queues.set(workspace, made);
    return made;
  };
  return {
    read: <const Q extends Query>(query: Q) =>
      patiently(() => server.read((session) => answerTo(session, query, secrets))) as Promise<Found<Q>>,
    commit: async (change: Change) => {
      await clockFits();
      return queueOf(change.workspace).commit(change);
    },
    take: async (queue, t) => {
      await clockFits();
      return patiently(() => server.use((session) => takeFrom(session, queue, t, secrets)));
    },
    watch: wakes.watch,
    place: () => patiently(() => placeOn(server)),
    close: async () => {
      wakes.stop();
      for (const { idle } of queues.values()) await idle();
      await wakes.told();
      await server.close();
    },
  };
}
