import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readSettings } from "../../../config/environment.ts";
import type { Message } from "../../../core/messages/message.ts";
import { textOf } from "../../../core/messages/text.ts";
import { visible } from "../../../core/values/text.ts";
import { headOf, verifyLedger } from "../../../gate/record/ledger.ts";
import { recordRestored } from "../../../gate/record/recover.ts";
import { whyWentBack } from "../../../gate/record/sealing.ts";
import { StoreUnavailable } from "../../../ports.ts";
import { type DatabasePlace, isSamePlace, meantPlace, ownPlace, proveRecovererAt } from "../../authority.ts";
import { Failure, orFail, usage } from "../../failure.ts";
import { refuseServer, withUnguarded } from "../../gate/database.ts";
import { AS_OPTION, needTerminal } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, flag } from "../../spec.ts";
import { copyState, putStateBack, refuseOtherKeys, stageBackup } from "../../state-copy.ts";
import { hasPerson } from "../../terminal/io.ts";
import { askYesNo } from "../../terminal/prompt.ts";

export const backup: CommandSpec = {
  name: "backup",
  summary: "copy the database, keys and checkpoints into a folder; the gate keeps working meanwhile",
  args: [["<folder>", "a folder that does not exist yet"]],
  examples: ["leeway backup ~/backups/leeway-monday"],
  exits: [0, 1, 2],
  act: async (given) => {
    refuseServer(given);
    const folder = resolve(given.io.cwd, first(given));
    if (existsSync(folder))
      throw usage(`${folder} already exists`, "name a folder that does not exist yet; nothing is overwritten");
    if (!existsSync(dirname(folder)))
      throw new Failure(1, `the folder ${dirname(folder)} does not exist`, "create it first, or name another place");
    const files = await copyState(readSettings(given.io.env), folder);
    given.out.answer(
      { folder, files },
      () =>
        `backed up to ${visible(folder)}: ${files.join(", ")}\nKeep it as safe as the original: it contains the keys.`,
    );
    return 0;
  },
};

export const restore: CommandSpec = {
  name: "restore",
  summary: "replace the database and the keys with a backup; the current ones are kept in a folder",
  args: [["<folder>", "the folder that `leeway backup` made"]],
  options: [["--yes", "do not ask before replacing, if nobody is set up yet"], AS_OPTION],
  examples: ["leeway restore ~/backups/leeway-monday"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    const settings = readSettings(given.io.env);
    const folder = resolve(given.io.cwd, first(given));
    if (!existsSync(folder))
      throw new Failure(1, `the folder ${folder} does not exist`, "name the folder that `leeway backup` made");
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

/** The backup is checked in a copy before anything is replaced, so that an invalid backup changes nothing. */
async function verifyBackup(inStage: CommandInput, folder: string): Promise<void> {
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

/**
 * Recorded in the copy before it replaces the database, so that the restored database always says that it was
 * restored.
 */
function recordRestore(inStage: CommandInput, said: { folder: string; by: string | undefined }): Promise<void> {
  return withUnguarded(inStage, async (deps) => void orFail(await recordRestored(deps, said)));
}

/** What is in force after the restore, and whether the gate can continue with it. */
async function told(given: CommandInput, database: string, kept: string | undefined): Promise<number> {
  const { verified, why } = await withUnguarded(given, async (deps) => ({
    why: await whyWentBack(deps),
    verified: await verifyLedger(deps),
  }));
  if (why === undefined && !verified.ok)
    throw brokenAt(verified.fault, "restored, but the record is", `the files from before are in ${kept}`);
  const { entries } = verified.ok
    ? verified
    : await withUnguarded(given, async (deps) => ({ entries: (await headOf(deps)).index }));
  const before = kept === undefined ? "" : `\nthe files from before are in ${kept}`;
  const next =
    why === undefined
      ? ""
      : `\n${textOf(why.reason, "en")}\nNext: \`leeway recover --because "…"\` records what happened, and the gate works again.`;
  given.out.answer(
    { database, entries, kept: kept ?? null, wentBack: why === undefined ? null : textOf(why.reason, "en") },
    () => `restored ${database}: ${entries} entries, verified${before}${next}`,
  );
  return 0;
}

function brokenAt(fault: { index: number; why: Message }, what: string, hint: string): Failure {
  return new Failure(1, `${what} broken at entry ${fault.index}: ${textOf(fault.why, "en")}`, hint);
}

/**
 * Replacing the database also replaces the people who may answer, and the keys. So if people are set up, one of their
 * admins must do it, whichever database and workspace the environment names.
 */
async function allowed(given: CommandInput): Promise<string | undefined> {
  const own = ownPlace(given);
  const meant = meantPlace(given);
  const places = isSamePlace(own, meant) ? [meant] : [own, meant];
  const leaves: (Leave | undefined)[] = [];
  for (const place of places) leaves.push(await leaveFor(given, place));
  const leave = leaves.findLast((one) => one !== undefined);
  if (leave !== undefined || !existsSync(meant.db) || flag(given, "yes")) return leave?.by;
  if (!hasPerson(given.io)) throw usage("there is no terminal to ask whether to replace the database", "add --yes");
  if (!(await askYesNo(given.io, "replace the database?", false)))
    throw new Failure(1, "cancelled", "nothing was changed");
  return undefined;
}

/** The admin who permitted it, if there is one. */
type Leave = { by?: string };

/** Asks for permission; none is needed if nobody is set up. */
async function leaveFor(given: CommandInput, place: DatabasePlace): Promise<Leave | undefined> {
  const { stateFolder } = readSettings(given.io.env);
  // Opening the database here would set up a new machine, so it is not opened until the backup is in place.
  if (!existsSync(place.db) && !existsSync(join(stateFolder, "checkpoints"))) return undefined;
  const admin = await proveRecovererAt(given, place, "replace the database").catch(unreadable);
  if (!(admin instanceof Error)) return admin === undefined ? undefined : { by: admin.name };
  // A database may be too damaged to say who its people are; this is a reason to restore.
  needTerminal(given.io, "restore over a database that cannot be read");
  given.out.note(`leeway: ${admin.message}`);
  if (await askYesNo(given.io, `${place.db} cannot be read; replace it?`, false)) return {};
  throw new Failure(1, "cancelled", "nothing was changed");
}

function unreadable(error: unknown): Error {
  if (error instanceof StoreUnavailable) return error;
  throw error;
}
