import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readSettings, type Settings } from "../../config/environment.ts";
import { visible } from "../../core/values/text.ts";
import { verifyLedger } from "../../gate/ledger.ts";
import { type DatabasePlace, hasPeople, isSamePlace, meantPlace, ownPlace, proveAdmin } from "../authority.ts";
import { Failure, usage } from "../failure.ts";
import { refuseServer, withGate } from "../gate.ts";
import { hasPerson } from "../io.ts";
import { AS_OPTION, needTerminal } from "../person.ts";
import { askYesNo } from "../prompt.ts";
import { type CommandSpec, first, flag, type Given } from "../spec.ts";
import { copyState, putStateBack, stageBackup } from "../state-copy.ts";

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
    await verifyBackup(given, settings, folder);
    await allowed(given);
    const keepAs = `before-restore-${new Date(given.io.clock.nowMs()).toISOString().replaceAll(/[:.]/g, "-")}`;
    const { kept } = await putStateBack(settings, folder, keepAs);
    const verified = await withGate(given, (deps) => verifyLedger(deps));
    if (!verified.ok) throw brokenAt(verified.fault, "restored, but the record is", `what was there is in ${kept}`);
    given.out.answer(
      { database: settings.db, entries: verified.entries, kept: kept ?? null },
      () =>
        `restored ${settings.db}: ${verified.entries} entries, verified${kept === undefined ? "" : `\nwhat was there before is in ${kept}`}`,
    );
    return 0;
  },
};

/** Looked at in a copy, before anything is replaced: a backup that does not hold leaves everything as it is. */
async function verifyBackup(given: Given, settings: Settings, folder: string): Promise<void> {
  const staged = stageBackup(settings, folder);
  try {
    const env = { ...given.io.env, ...staged.env };
    const verified = await withGate({ ...given, io: { ...given.io, env } }, (deps) => verifyLedger(deps));
    if (!verified.ok)
      throw brokenAt(verified.fault, "the backup's record is", "use another backup; nothing was changed");
  } catch (error) {
    if (error instanceof Failure) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(1, `the backup in ${folder} cannot be used: ${why}`, "use another one; nothing was changed");
  } finally {
    staged.remove();
  }
}

function brokenAt(fault: { index: number; why: string }, what: string, hint: string): Failure {
  return new Failure(1, `${what} broken at entry ${fault.index}: ${fault.why}`, hint);
}

/**
 * Replacing the database replaces who may answer, and the keys of the state folder go with it: where there are people,
 * an admin of theirs has to do it, whichever database and workspace the environment names.
 */
async function allowed(given: Given): Promise<void> {
  const own = ownPlace(given);
  const meant = meantPlace(given);
  const places = isSamePlace(own, meant) ? [meant] : [own, meant];
  const leaves: boolean[] = [];
  for (const place of places) leaves.push(await hasLeave(given, place));
  if (leaves.includes(true) || !existsSync(meant.db)) return;
  if (flag(given, "yes")) return;
  if (!hasPerson(given.io)) throw usage("nobody can be asked whether to replace the database", "add --yes");
  if (!(await askYesNo(given.io, "replace the database?"))) throw new Failure(1, "cancelled", "nothing was changed");
}

/** Whether somebody who may gave leave; not, where there is nobody to ask. */
async function hasLeave(given: Given, place: DatabasePlace): Promise<boolean> {
  const holds = await hasPeople(given, place).catch(unreadable);
  if (typeof holds === "boolean") {
    if (holds) await proveAdmin(given, place, "replace the database");
    return holds;
  }
  // A database too damaged to say who its people are is what one restores over.
  needTerminal(given.io, "restore over a database that cannot be read");
  given.out.note(`leeway: ${holds.message}`);
  if (await askYesNo(given.io, `${place.db} cannot be read; replace it?`)) return true;
  throw new Failure(1, "cancelled", "nothing was changed");
}

function unreadable(error: unknown): Error {
  if (error instanceof Error && error.name === "StoreUnavailable") return error;
  throw error;
}
