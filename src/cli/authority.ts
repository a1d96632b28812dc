import { existsSync } from "node:fs";
import { join } from "node:path";
import { databaseAt, isServerAddress, shownDatabase } from "../config/database-place.ts";
import { readSettings } from "../config/environment.ts";
import { FIRST_WORKSPACE } from "../core/ids.ts";
import type { Person } from "../core/people.ts";
import { proveRecoverer, recoverers } from "../gate/record/recover.ts";
import { Failure, failureOf, usage } from "./failure.ts";
import { type OpenedGate, withDatabase, withUnguarded } from "./gate/database.ts";
import { needTerminal, prove, systemName, wrongPassphraseText } from "./person.ts";
import { type CommandInput, text } from "./spec.ts";
import { hidden } from "./terminal/prompt.ts";

// Environment variables choose the database and the workspace, and an agent can set environment variables. So once
// people are set up, only their admins may set up or replace another database or workspace.

/** A database, and the workspace in it whose admins may set up other workspaces. */
export type DatabasePlace = { db: string; workspace: string };

/** The database of the state folder, which is used if nothing else is configured. */
export function ownPlace(given: CommandInput): DatabasePlace {
  const { stateFolder } = readSettings(given.io.env);
  return { db: join(stateFolder, "leeway.db"), workspace: FIRST_WORKSPACE };
}

/** The database that the environment names, with its first workspace. */
export function meantPlace(given: CommandInput): DatabasePlace {
  return { db: readSettings(given.io.env).db, workspace: FIRST_WORKSPACE };
}

export function isSamePlace(one: DatabasePlace, other: DatabasePlace): boolean {
  return databaseAt(one.db) === databaseAt(other.db) && one.workspace === other.workspace;
}

/** The same command for another workspace of the same database. */
export function inWorkspace(given: CommandInput, workspace: string): CommandInput {
  return inPlace(given, { db: readSettings(given.io.env).db, workspace });
}

/** The same command, but for another database or workspace than the environment names. */
export function inPlace(given: CommandInput, place: DatabasePlace): CommandInput {
  const env = { ...given.io.env, LEEWAY_DB: place.db, LEEWAY_WORKSPACE: place.workspace };
  return { ...given, io: { ...given.io, env } };
}

export async function hasPeople(given: CommandInput, place: DatabasePlace): Promise<boolean> {
  if (!isServerAddress(place.db) && !existsSync(place.db)) return false;
  const anybody = async (deps: OpenedGate) => {
    const { people } = (await deps.standing.current()).rows;
    return people.some((person) => person.state === "active");
  };
  return withDatabase(inPlace(given, place), anybody, { mayBeNew: true });
}

const TRIES_MAX = 3;

/** An admin as of the last checkpoint, who gave their passphrase; undefined if no admin was ever recorded. */
export async function provedRecoverer(given: CommandInput, deps: OpenedGate, act: string): Promise<Person | undefined> {
  const admins = await recoverers(deps);
  if (admins.length === 0) return undefined;
  needTerminal(given.io, act);
  const person = recovererAs(admins, text(given, "as"));
  return hidden(given.io, async (ask) => {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const passphrase = await ask(`passphrase of ${person.name}, to ${act}`);
      const no = await proveRecoverer(deps, person, passphrase);
      if (no === undefined) return person;
      if (no.code === "LEEWAY_LOCKED") throw failureOf(no);
      const left = TRIES_MAX - tries - 1;
      if (left > 0) given.io.stderr.write(`${wrongPassphraseText(person.name, left)}\n`);
    }
    throw new Failure(5, `${TRIES_MAX} wrong passphrases`, "nothing was changed");
  });
}

function recovererAs(admins: readonly Person[], as: string | undefined): Person {
  const wanted = as ?? systemName();
  const only = as === undefined && admins.length === 1 ? admins[0] : undefined;
  const found = admins.find(({ name }) => name === wanted) ?? only;
  if (found !== undefined) return found;
  const names = admins.map(({ name }) => name).join(", ");
  throw usage(`${wanted} was not an admin when the ledger was last signed`, `give your name with --as: ${names}`);
}

/**
 * The admin of that database who gave their passphrase, even if the database went back; undefined if no admin was
 * ever recorded.
 */
export function proveRecovererAt(given: CommandInput, place: DatabasePlace, act: string): Promise<Person | undefined> {
  return withUnguarded(inPlace(given, place), (deps) => provedRecoverer(given, deps, act));
}

/** The admin of that database who gave their passphrase. */
export function proveAdmin(given: CommandInput, place: DatabasePlace, act: string): Promise<string> {
  return withDatabase(inPlace(given, place), async (deps) => {
    const { name } = await prove(given, deps, act);
    const { people } = (await deps.standing.current()).rows;
    if (people.some((person) => person.name === name && person.admin)) return name;
    throw new Failure(5, `${name} is not an admin`, `only an admin can ${act}`);
  });
}

/** Who permits the first person: nobody on a new machine; an existing admin for another workspace or database. */
export async function leaveOf(given: CommandInput, name: string): Promise<string> {
  const { db, workspace } = readSettings(given.io.env);
  const [own, meant] = [ownPlace(given), meantPlace(given)];
  if (workspace !== meant.workspace) {
    if (await hasPeople(given, meant)) return proveAdmin(given, meant, `set up the workspace ${workspace}`);
    throw new Failure(
      5,
      `only admins of the workspace ${meant.workspace} can set up another workspace, and it has no admin yet`,
      "run `leeway init` without LEEWAY_WORKSPACE first; nothing was changed",
    );
  }
  if (!isSamePlace(own, meant) && (await hasPeople(given, own)))
    await proveAdmin(given, own, `set up ${shownDatabase(db)}`);
  return name;
}
