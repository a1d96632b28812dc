import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSettings } from "../../config/environment.ts";
import { visible } from "../../core/values/text.ts";
import { headOf, verifyLedger } from "../../gate/record/ledger.ts";
import { recordRestored } from "../../gate/record/recover.ts";
import { whyWentBack } from "../../gate/record/sealing.ts";
import { StoreUnavailable } from "../../ports.ts";
import { type DatabasePlace, isSamePlace, meantPlace, ownPlace, proveRecovererAt } from "../authority.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { refuseServer, withUnguarded } from "../gate/database.ts";
import { hasPerson } from "../io.ts";
import { AS_OPTION, needTerminal } from "../person.ts";
import { askYesNo } from "../prompt.ts";
import { type CommandSpec, first, flag, type Given } from "../spec.ts";
import { copyState, putStateBack, refuseOtherKeys, stageBackup } from "../state-copy.ts";

export const backup: CommandSpec = {
  name: "backup",
  summary: "copy database, keys and checkpoints into a folder, while everything goes on",
  args: [["<folder>", "a folder that does not exist yet"]],
  examples: ["leeway backup ~/backups/leeway-monday"],
  exits: [0, 1, 2],
  act: async (given) => {
    refuseServer(given);
    const folder = resolve(given.io.cwd, first(given));
    if (existsSync(folder))
      throw usage(`${folder} exists already`, "name a folder that does not; nothing is overwritten");
    if (!existsSync(dirname(folder)))
      throw new Failure(1, `there is no folder ${dirname(folder)}`, "make it first, or name another place");
    const files = await copyState(readSettings(given.io.env), folder);
    given.out.answer(
      { folder, files },
      () => `backed up to ${visible(folder)}: ${files.join(", ")}\nKeep it as safe as the original: it holds the keys.`,
    );
    return 0;
  },
};

export const restore: CommandSpec = {
  name: "restore",
  summary: "put a backup in the place of the database and the keys; the present ones are kept beside",
  args: [["<folder>", "what `leeway backup` made"]],
  options: [["--yes", "do not ask before replacing, where nobody is set up yet"], AS_OPTION],
  examples: ["leeway restore ~/backups/leeway-monday"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    const settings = readSettings(given.io.env);
    const folder = resolve(given.io.cwd, first(given));
    if (!existsSync(folder))
      throw new Failure(1, `there is no folder ${folder}`, "name the folder that `leeway backup` made");
    const staged = stageBackup(settings, folder);
    try {
      const env = { ...given.io.env, ...staged.env };
      const inStage = { ...given, io: { ...given.io, env } };
      await verifyBackup(inStage, folder);
      refuseOtherKeys(settings, folder);
      const by = await allowed(given);
      await recordRestore(inStage, { folder, by });
      const keepAs = `before-restore-${new Date(given.io.clock.nowMs()).toISOString().replaceAll(/[:.]/g, "-")}`;
      const { kept } = await putStateBack(settings, staged, keepAs);
      return await told(given, settings.db, kept);
    } finally {
      staged.remove();
    }
  },
};

/** Looked at in a copy, before anything is replaced: a backup that does not hold leaves everything as it is. */
async function verifyBackup(inStage: Given, folder: string): Promise<void> {
  try {
    const verified = await withUnguarded(inStage, (deps) => verifyLedger(deps));
    if (!verified.ok)
      throw brokenAt(verified.fault, "the backup's record is", "use another backup; nothing was changed");
  } catch (error) {
    if (error instanceof Failure) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(1, `the backup in ${folder} cannot be used: ${why}`, "use another one; nothing was changed");
  }
}

/** Written into the copy before it takes the database's place: what is restored says so from its first moment on. */
function recordRestore(inStage: Given, said: { folder: string; by: string | undefined }): Promise<void> {
  return withUnguarded(inStage, async (deps) => void orFail(await recordRestored(deps, said)));
}

/** What lies there now, and whether it may go on from there. */
async function told(given: Given, database: string, kept: string | undefined): Promise<number> {
  const { verified, why } = await withUnguarded(given, async (deps) => ({
    why: await whyWentBack(deps),
    verified: await verifyLedger(deps),
  }));
  if (why === undefined && !verified.ok)
    throw brokenAt(verified.fault, "restored, but the record is", `what was there is in ${kept}`);
  const { entries } = verified.ok
    ? verified
    : await withUnguarded(given, async (deps) => ({ entries: (await headOf(deps)).index }));
  const before = kept === undefined ? "" : `\nwhat was there before is in ${kept}`;
  const next =
    why === undefined
      ? ""
      : `\n${why.reason}\nNext: \`leeway recover --because "…"\` says what happened, and the gate goes on.`;
  given.out.answer(
    { database, entries, kept: kept ?? null, wentBack: why?.reason ?? null },
    () => `restored ${database}: ${entries} entries, verified${before}${next}`,
  );
  return 0;
}

function brokenAt(fault: { index: number; why: string }, what: string, hint: string): Failure {
  return new Failure(1, `${what} broken at entry ${fault.index}: ${fault.why}`, hint);
}

/**
 * Replacing the database replaces who may answer, and the keys of the state folder go with it: where there are people,
 * an admin of theirs has to do it, whichever database and workspace the environment names.
 */
async function allowed(given: Given): Promise<string | undefined> {
  const own = ownPlace(given);
  const meant = meantPlace(given);
  const places = isSamePlace(own, meant) ? [meant] : [own, meant];
  const leaves: (Leave | undefined)[] = [];
  for (const place of places) leaves.push(await leaveFor(given, place));
  const leave = leaves.findLast((one) => one !== undefined);
  if (leave !== undefined || !existsSync(meant.db) || flag(given, "yes")) return leave?.by;
  if (!hasPerson(given.io)) throw usage("nobody can be asked whether to replace the database", "add --yes");
  if (!(await askYesNo(given.io, "replace the database?"))) throw new Failure(1, "cancelled", "nothing was changed");
  return undefined;
}

/** Who gave leave, where they have a name. */
type Leave = { by?: string };

/** The leave of somebody who may; none, where there is nobody to ask. */
async function leaveFor(given: Given, place: DatabasePlace): Promise<Leave | undefined> {
  const { stateFolder } = readSettings(given.io.env);
  // A machine where nothing was ever set up stays so until the backup is there.
  if (!existsSync(place.db) && !existsSync(join(stateFolder, "checkpoints"))) return undefined;
  const admin = await proveRecovererAt(given, place, "replace the database").catch(unreadable);
  if (!(admin instanceof Error)) return admin === undefined ? undefined : { by: admin.name };
  // A database too damaged to say who its people are is what one restores over.
  needTerminal(given.io, "restore over a database that cannot be read");
  given.out.note(`leeway: ${admin.message}`);
  if (await askYesNo(given.io, `${place.db} cannot be read; replace it?`)) return {};
  throw new Failure(1, "cancelled", "nothing was changed");
}

function unreadable(error: unknown): Error {
  if (error instanceof StoreUnavailable) return error;
  throw error;
}
