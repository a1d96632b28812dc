import { randomUUID } from "node:crypto";
import { isServerAddress, shownDatabase } from "./config/database-place.ts";
import type { Settings } from "./config/environment.ts";
import { loadKey } from "./config/key-file.ts";
import { copySeals, openSeals, type SealsPlace } from "./config/signer.ts";
import { textOf } from "./core/messages/text.ts";
import { verifyLedger } from "./gate/record/ledger.ts";
import { gateClock } from "./gate/time/clock.ts";
import { type Sealer, type Store, StoreUnavailable } from "./ports.ts";
import {
  type CopyProgress,
  chainsOf,
  copyTables,
  fillFile,
  fromSnapshot,
  type MovingFrom,
  type MovingTo,
  postgresFrom,
  postgresTo,
  type SeenSource,
  seenPostgres,
  seenSqlite,
  sqliteFrom,
  sqliteTo,
} from "./store/moving/index.ts";
import { postgresStore } from "./store/postgres/index.ts";
import { closedBy, type StoreMove } from "./store/sql/moved.ts";
import { sqliteStore } from "./store/sqlite/index.ts";
import { aesSealer, systemClock } from "./system.ts";

// Moves everything from one database to another of the other engine. Each step can be repeated, so after an interruption
// the whole is done again: the source is closed; rows are copied; the checkpoints are copied; the copy is verified; the
// source says where it went; the target is opened.

export type Moving = { from: string; to: string };

/** The end of the chain of a workspace. */
export type MovedChain = { workspace: string; entries: number; hash: string | null; root: string };

export type MoveWatch = { copying: CopyProgress; verifying: CopyProgress };

export async function moveStore(settings: Settings, { from, to }: Moving, watch: MoveWatch): Promise<MovedChain[]> {
  const sealer = aesSealer(settings.key ?? loadKey(settings.keyFile));
  const source = isServerAddress(from) ? await postgresFrom(from) : await sqliteFrom(from, sealer);
  const target = isServerAddress(to) ? await postgresTo(to) : await sqliteTo(to);
  try {
    const { move, isFilled } = await begin(source, target, shownDatabase(to), shownDatabase(from));
    if (!isFilled) {
      await copyTables(source, target, watch.copying);
      await copySeals(sealsOf(settings, from), { ...settings, db: to });
    }
    const chains = await verified(settings, { to, readAt: isFilled ? to : target.readAt }, { source, sealer, watch });
    await source.finish(move);
    if (!isFilled) await target.open(move);
    return chains;
  } finally {
    await target.end();
    await source.end();
  }
}

/** What a database says about being moved, and its workspaces. Nothing is changed. */
export async function seenSource(from: string): Promise<SeenSource> {
  return isServerAddress(from) ? seenPostgres(from) : seenSqlite(from);
}

/** The source is usable again. What was copied is left where it is. */
export async function cancelMove(settings: Settings, from: string): Promise<void> {
  const sealer = aesSealer(settings.key ?? loadKey(settings.keyFile));
  const source = isServerAddress(from) ? await postgresFrom(from) : await sqliteFrom(from, sealer);
  try {
    const move = await source.move();
    if (move === undefined || move.role === "to")
      throw new StoreUnavailable(`${shownDatabase(from)} is not being moved; there is nothing to cancel`);
    if (move.isDone) throw closedBy(move);
    await source.reopen(move);
  } finally {
    await source.end();
  }
}

/**
 * Copies a PostgreSQL database as it is at one moment into a new database file, while others write, and its checkpoints
 * into the folder of that file.
 */
export async function copyServerTo(settings: Settings, folder: string, path: string): Promise<void> {
  await copySeals(sealsOf(settings, settings.db), { stateFolder: folder, db: path });
  await fillFile(path, (target) => fromSnapshot(settings.db, (source) => copyTables(source, target, () => undefined)));
}

/** Where the checkpoints of a database are, also if they were signed under another address of it. */
function sealsOf({ stateFolder }: Settings, db: string): SealsPlace {
  if (!isServerAddress(db)) return { stateFolder, db };
  const place = async () => {
    const store = postgresStore(db, { isMoving: true });
    return store.place().finally(() => store.close());
  };
  return { stateFolder, db, place };
}

type Begun = { move: StoreMove; isFilled: boolean };

/** `place` is the target and `origin` the source, as people see them. */
async function begin(source: MovingFrom, target: MovingTo, place: string, origin: string): Promise<Begun> {
  const found = await source.move();
  const begun = found?.role === "from" || found?.isDone === false ? found : undefined;
  if (begun !== undefined && (begun.role === "to" || begun.place !== place)) throw closedBy(begun);
  if (begun !== undefined && begun.version !== source.version)
    throw new StoreUnavailable(
      "another version of leeway began to move this database; finish it with that version, or use --cancel and begin again",
    );
  const move = begun ?? { id: randomUUID(), role: "from", place, version: source.version, isDone: false };
  if (begun === undefined) await source.close(move);
  try {
    return { move, isFilled: await target.begin({ ...move, place: origin }) };
  } catch (error) {
    // Nothing was copied yet, so the source can go on.
    if (begun === undefined) await source.reopen(move);
    throw error;
  }
}

type Verifying = { source: MovingFrom; sealer: Sealer; watch: MoveWatch };

/** Every chain of the copy must be whole, end where that of the source ends, and match its rows and checkpoints. */
async function verified(
  { stateFolder }: Settings,
  { to, readAt }: { to: string; readAt: string },
  { source, sealer, watch }: Verifying,
): Promise<MovedChain[]> {
  const store: Store = isServerAddress(readAt)
    ? postgresStore(readAt, { sealer, isMoving: true })
    : sqliteStore(readAt, { sealer });
  const seals = openSeals(stateFolder, to);
  try {
    const chains: MovedChain[] = [];
    for (const { workspace, entries, hash } of await chainsOf(source)) {
      const deps = { store, seals, workspace, clock: gateClock(systemClock) };
      const found = await verifyLedger(deps, { onProgress: watch.verifying });
      if (!found.ok)
        throw new StoreUnavailable(
          `the copy of workspace ${workspace} is broken at entry ${found.fault.index} (${textOf(found.fault.why, "en")}); ` +
            "run `leeway migrate-store --cancel`, and look at the source with `leeway verify`",
        );
      if (found.entries < entries || (found.entries === entries && found.hash !== hash))
        throw new StoreUnavailable(
          `the copy of workspace ${workspace} ends at entry ${found.entries} and not at ${entries}; run \`leeway migrate-store --cancel\``,
        );
      chains.push({ workspace, entries: found.entries, hash: found.hash, root: found.root });
    }
    return chains;
  } finally {
    await store.close();
  }
}
