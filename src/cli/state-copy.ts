import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isServerAddress, shownDatabase } from "../config/database-place.ts";
import { codeOf, prepareStateFolder, type Settings } from "../config/environment.ts";
import { Failure } from "./failure.ts";

/** Next to the database: the encryption key, the signing key, the signed checkpoints, and the folders of workspaces. */
const BESIDE = ["leeway.key", "leeway.sign", "checkpoints", "workspaces"] as const;
const DATABASE = "leeway.db";
const STAGE = ".restore-";

/** A copy of a backup that can be opened like a state folder, and the environment variables for it. */
type Staged = {
  state: string;
  db: string;
  env: { XDG_STATE_HOME: string; LEEWAY_DB: string };
  remove(): void;
};

/** Copies the whole state into a new folder that only its owner can read. */
export async function copyState(settings: Settings, folder: string): Promise<readonly string[]> {
  const isServer = isServerAddress(settings.db);
  if (!isServer && !existsSync(settings.db))
    throw new Failure(1, `the database ${settings.db} does not exist`, "nothing has been recorded yet");
  makeFolder(folder);
  try {
    // Checkpoints are copied first: a later one would be about entries that the copy of the database lacks.
    const names = isServer ? BESIDE.filter((name) => name !== "checkpoints") : BESIDE;
    for (const name of names.filter((one) => existsSync(join(settings.stateFolder, one))))
      copy(join(settings.stateFolder, name), join(folder, name));
    await (isServer ? copyServer(settings, folder) : copyFile(settings, folder));
    return [DATABASE, ...BESIDE.filter((name) => existsSync(join(folder, name)))];
  } catch (error) {
    // An incomplete backup must not be mistaken for a complete one.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function copyFile({ db }: Settings, folder: string): Promise<void> {
  const { backupDatabase } = await import("../compose.ts");
  backupDatabase(db, join(folder, DATABASE));
}

/** As a database file, which can be restored without PostgreSQL, and moved to an empty PostgreSQL again. */
async function copyServer(settings: Settings, folder: string): Promise<void> {
  const { copyServerTo } = await import("../move-store.ts");
  await copyServerTo(settings, folder, join(folder, DATABASE));
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    throw new Failure(1, `${folder} cannot be created (${codeOf(error)})`, "name a place that you can write to");
  }
}

/** Nothing in a PostgreSQL is replaced: others may use it. */
function refuseServerDatabase({ db }: Settings): void {
  if (!isServerAddress(db)) return;
  throw new Failure(
    2,
    `\`leeway restore\` makes a database file, and LEEWAY_DB names PostgreSQL: ${shownDatabase(db)}`,
    "unset LEEWAY_DB and restore into a file; then `leeway migrate-store --to postgres://…` moves it to an empty database (docs/postgres.md)",
  );
}

export function stageBackup(settings: Settings, folder: string): Staged {
  refuseServerDatabase(settings);
  const from = join(folder, DATABASE);
  if (!existsSync(from))
    throw new Failure(1, `${folder} contains no backup`, "name the folder that `leeway backup` made");
  prepareStateFolder(settings.stateFolder);
  for (const left of readdirSync(settings.stateFolder).filter((name) => name.startsWith(STAGE))) {
    // Left over from an interrupted restore; it never replaced anything.
    rmSync(join(settings.stateFolder, left), { recursive: true, force: true });
  }
  const stage = mkdtempSync(join(settings.stateFolder, STAGE));
  const state = join(stage, "leeway");
  const remove = () => rmSync(stage, { recursive: true, force: true });
  // The state folder's checkpoints are about its own database; another database keeps its checkpoints separately.
  const isOwn = settings.db === join(settings.stateFolder, DATABASE);
  const db = isOwn ? join(state, DATABASE) : join(stage, DATABASE);
  try {
    mkdirSync(state, { mode: 0o700 });
    for (const name of BESIDE) if (existsSync(join(folder, name))) copy(join(folder, name), join(state, name));
    copy(from, db);
    return { state, db, env: { XDG_STATE_HOME: stage, LEEWAY_DB: db }, remove };
  } catch (error) {
    remove();
    throw new Failure(1, `${folder} cannot be read as a backup (${codeOf(error)})`, "nothing was changed");
  }
}

/**
 * Replaces the database with a staged backup, and keeps the old one next to it. Keys and checkpoints on this machine
 * stay, because they show what the restored database lacks. The database is replaced last and in one step, so that an
 * interrupted restore has changed nothing.
 */
export async function putStateBack(settings: Settings, staged: Staged, keepAs: string): Promise<{ kept?: string }> {
  const { restoreDatabase } = await import("../compose.ts");
  const kept = keepPresent(settings, join(settings.stateFolder, keepAs));
  await filesReleased();
  for (const name of BESIDE) {
    const [from, to] = [join(staged.state, name), join(settings.stateFolder, name)];
    // Renamed instead of copied, so that an interruption cannot leave half a key. The stage is in the same folder.
    if (existsSync(from) && !existsSync(to)) renameSync(from, to);
  }
  restoreDatabase(staged.db, settings.db);
  return kept === undefined ? {} : { kept };
}

/** A backup with another key cannot be opened here, and restoring it would lose the present key. */
export function refuseOtherKeys(settings: Settings, folder: string): void {
  for (const name of ["leeway.key", "leeway.sign"]) {
    const [theirs, ours] = [join(folder, name), join(settings.stateFolder, name)];
    if (!existsSync(theirs) || !existsSync(ours) || readFileSync(theirs).equals(readFileSync(ours))) continue;
    throw new Failure(
      1,
      `${folder} is a backup of another machine: its ${name} differs from the one here`,
      `nothing was changed; to use that backup, first move ${settings.stateFolder} to another place`,
    );
  }
}

/** Copied byte by byte: the old database may be too damaged to be copied by SQLite. */
function keepPresent(settings: Settings, folder: string): string | undefined {
  const databases = ["", "-wal", "-shm"].map((end) => [`${settings.db}${end}`, `${DATABASE}${end}`] as const);
  const beside = BESIDE.map((name) => [join(settings.stateFolder, name), name] as const);
  const present = [...databases, ...beside].filter(([path]) => existsSync(path));
  if (present.length === 0) return undefined;
  mkdirSync(folder, { mode: 0o700 });
  for (const [path, name] of present) copy(path, join(folder, name));
  return folder;
}

function copy(from: string, to: string): void {
  // File modes are kept, so that the keys stay readable by their owner only.
  cpSync(from, to, { recursive: true, errorOnExist: true, force: false, preserveTimestamps: true });
}

const TURNS = 3;

/**
 * Below Node 24 the database package closes a file only after its statements are garbage-collected. The database can
 * be replaced only when nobody has it open, so we collect now.
 */
export async function filesReleased(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  for (let turn = 0; turn < TURNS; turn++) {
    collect();
    await nextTurn();
  }
}
