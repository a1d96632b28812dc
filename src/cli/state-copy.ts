import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { codeOf, prepareStateFolder, type Settings } from "../config/environment.ts";
import { Failure } from "./failure.ts";

/** Beside the database: what opens its arguments, what signs its checkpoints, and the signed checkpoints. */
const BESIDE = ["leeway.key", "leeway.sign", "checkpoints"] as const;
const DATABASE = "leeway.db";
const STAGE = ".restore-";

/** A copy of a backup that can be opened like a state folder, and the variables that lead there. */
type Staged = {
  state: string;
  db: string;
  env: { XDG_STATE_HOME: string; LEEWAY_DB: string };
  remove(): void;
};

/** Copies everything that a state is made of into a new folder, readable by its owner only. */
export async function copyState(settings: Settings, folder: string): Promise<readonly string[]> {
  const { backupDatabase } = await import("../compose.ts");
  if (!existsSync(settings.db))
    throw new Failure(1, `there is no database at ${settings.db}`, "nothing has been recorded yet");
  makeFolder(folder);
  try {
    const beside = BESIDE.filter((name) => existsSync(join(settings.stateFolder, name)));
    // The checkpoints first: what is signed meanwhile would be of entries that the copy of the database lacks.
    for (const name of beside) copy(join(settings.stateFolder, name), join(folder, name));
    backupDatabase(settings.db, join(folder, DATABASE));
    return [DATABASE, ...beside];
  } catch (error) {
    // Half a backup must not be taken for one.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    throw new Failure(1, `${folder} cannot be made (${codeOf(error)})`, "name one in a folder you may write to");
  }
}

export function stageBackup(settings: Settings, folder: string): Staged {
  const from = join(folder, DATABASE);
  if (!existsSync(from)) throw new Failure(1, `${folder} holds no backup`, "name the folder that `leeway backup` made");
  prepareStateFolder(settings.stateFolder);
  for (const left of readdirSync(settings.stateFolder).filter((name) => name.startsWith(STAGE))) {
    // What an earlier restore that was interrupted left behind never took anybody's place.
    rmSync(join(settings.stateFolder, left), { recursive: true, force: true });
  }
  const stage = mkdtempSync(join(settings.stateFolder, STAGE));
  const state = join(stage, "leeway");
  const remove = () => rmSync(stage, { recursive: true, force: true });
  // The checkpoints of the state folder are about its own database; another one was sealed apart from it.
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
 * Puts a staged backup in the place of the present database, which is kept beside it. Keys and checkpoints that are here
 * stay: they say what the restored database lacks. The database comes last, in one step: until then nothing is restored.
 */
export async function putStateBack(settings: Settings, staged: Staged, keepAs: string): Promise<{ kept?: string }> {
  const { restoreDatabase } = await import("../compose.ts");
  const kept = keepPresent(settings, join(settings.stateFolder, keepAs));
  await filesReleased();
  for (const name of BESIDE) {
    const [from, to] = [join(staged.state, name), join(settings.stateFolder, name)];
    // Renamed, for the stage lies in the state folder: whoever is interrupted leaves no half of a key.
    if (existsSync(from) && !existsSync(to)) renameSync(from, to);
  }
  restoreDatabase(staged.db, settings.db);
  return kept === undefined ? {} : { kept };
}

/** A backup of another key cannot be opened with the one that is here, and what it would replace could not come back. */
export function refuseOtherKeys(settings: Settings, folder: string): void {
  for (const name of ["leeway.key", "leeway.sign"]) {
    const [theirs, ours] = [join(folder, name), join(settings.stateFolder, name)];
    if (!existsSync(theirs) || !existsSync(ours) || readFileSync(theirs).equals(readFileSync(ours))) continue;
    throw new Failure(
      1,
      `${folder} is a backup of another machine: its ${name} is not the one that is here`,
      `nothing was changed; to take it over, move ${settings.stateFolder} away first`,
    );
  }
}

/** Byte by byte: what one restores over may be too damaged to be copied as a database. */
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
  // Modes are kept: the keys were readable by their owner alone, and stay so.
  cpSync(from, to, { recursive: true, errorOnExist: true, force: false, preserveTimestamps: true });
}

const TURNS = 3;

/**
 * Below Node 24 the database package lets go of a closed file only once its statements were collected, and a database
 * is replaced only when nobody holds it: so they are collected now.
 */
async function filesReleased(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  for (let turn = 0; turn < TURNS; turn++) {
    collect();
    await nextTurn();
  }
}
