import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readSettings } from "../../config/environment.ts";
import { verifyLedger } from "../../gate/ledger.ts";
import { Failure, usage } from "../failure.ts";
import { withGate } from "../gate.ts";
import { hasPerson } from "../io.ts";
import { AS_OPTION, prove } from "../person.ts";
import { askYesNo } from "../prompt.ts";
import { type CommandSpec, first, flag, type Given } from "../spec.ts";
import { copyState, putStateBack } from "../state-copy.ts";

export const backup: CommandSpec = {
  name: "backup",
  summary: "copy database, keys and checkpoints into a folder, while everything goes on",
  args: [["<folder>", "a folder that does not exist yet"]],
  examples: ["leeway backup ~/backups/leeway-monday"],
  exits: [0, 1, 2],
  act: async (given) => {
    const folder = resolve(given.io.cwd, first(given));
    if (existsSync(folder))
      throw usage(`${folder} exists already`, "name a folder that does not; nothing is overwritten");
    const files = await copyState(readSettings(given.io.env), folder);
    given.out.answer(
      { folder, files },
      () => `backed up to ${folder}: ${files.join(", ")}\nKeep it as safe as the original: it holds the keys.`,
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
    if (existsSync(settings.db)) await allowed(given);
    const keepAs = `before-restore-${new Date(given.io.clock.nowMs()).toISOString().replaceAll(/[:.]/g, "-")}`;
    const { kept } = await putStateBack(settings, folder, keepAs);
    const verified = await withGate(given, (deps) => verifyLedger(deps));
    if (!verified.ok)
      throw new Failure(
        1,
        `restored, but the record is broken at entry ${verified.fault.index}: ${verified.fault.why}`,
        "use another backup",
      );
    given.out.answer(
      { database: settings.db, entries: verified.entries, kept: kept ?? null },
      () =>
        `restored ${settings.db}: ${verified.entries} entries, verified${kept === undefined ? "" : `\nwhat was there before is in ${kept}`}`,
    );
    return 0;
  },
};

/** Replacing the database replaces who may answer: where there are people, one of them has to do it. */
function allowed(given: Given): Promise<void> {
  return withGate(given, async (deps) => {
    const { people } = (await deps.standing.current()).rows;
    if (people.some((person) => person.state === "active")) {
      const { name } = await prove(given, deps, "replace the database");
      if (people.some((person) => person.name === name && person.admin)) return;
      throw new Failure(5, `${name} is not an admin`, "an admin has to restore");
    }
    if (flag(given, "yes")) return;
    if (!hasPerson(given.io)) throw usage("nobody can be asked whether to replace the database", "add --yes");
    if (!(await askYesNo(given.io, "replace the database?"))) throw new Failure(1, "cancelled", "nothing was changed");
  });
}
