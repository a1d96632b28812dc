import { readSettings, type Variables } from "../../config/environment.ts";
import { hasFolder } from "../../config/workspace-folders.ts";
import { FIRST_WORKSPACE } from "../../core/ids.ts";
import { textOf } from "../../core/messages/text.ts";
import { headOf, listEntries } from "../../gate/record/ledger.ts";
import { sealWhenDue } from "../../gate/record/sealing.ts";
import { lookAtLedger } from "../../gate/time/clock.ts";
import type { openDeps } from "../../open.ts";
import { Failure, shown } from "../failure.ts";
import { type CommandInput, text } from "../spec.ts";
import { namesServer, serverVariables } from "../terminal/io.ts";
import { progress } from "../terminal/progress.ts";

export type OpenedGate = Awaited<ReturnType<typeof openDeps>>;

export const POLICY_OPTION = ["--policy <file>", "use only this policy file, as if it were accepted"] as const;

/** `mayBeNew`: for the commands that set up a workspace, or say whether there is one. */
type Using = { cwd?: string; mayBeNew?: true };

/** Opens the local database for one command, for agents that work in `cwd`. Refuses if a server is named. */
export async function withDatabase<T>(
  given: CommandInput,
  act: (deps: OpenedGate) => Promise<T>,
  { cwd = given.io.cwd, mayBeNew }: Using = {},
): Promise<T> {
  const deps = await opened(given, { cwd });
  try {
    if (mayBeNew === undefined) await refuseUnknownWorkspace(given.io.env, deps);
    // Displayed times and durations use the same clock as decisions.
    await lookAtLedger(deps);
    const { index: before } = await headOf(deps);
    try {
      return await act(deps);
    } finally {
      await seal(given, deps, before);
    }
  } finally {
    await deps.close();
  }
}

/** The same for a database that went back, to recover it. Only the recovering verb signs here. */
export async function withUnguarded<T>(given: CommandInput, act: (deps: OpenedGate) => Promise<T>): Promise<T> {
  const deps = await opened(given, { cwd: given.io.cwd, unguarded: true });
  try {
    await lookAtLedger(deps);
    return await act(deps);
  } finally {
    await deps.close();
  }
}

async function opened(given: CommandInput, { cwd, ...how }: { cwd: string; unguarded?: true }): Promise<OpenedGate> {
  refuseServer(given);
  // Loaded only now: help and completion answer without a database.
  const { openDeps } = await import("../../open.ts");
  const policy = text(given, "policy");
  const shown = progress(given.io, "bringing the database up to date");
  const onProgress = (done: number, of: number) => (done < of ? shown.at(done, of) : shown.end());
  const options = { env: given.io.env, cwd, ...(policy === undefined ? {} : { policy }) };
  return openDeps(options, { ...how, onProgress });
}

/**
 * A workspace that nobody set up would be a record that nobody looks at: a typing error, or an agent that sets the variable
 * to get out of sight.
 */
export async function refuseUnknownWorkspace(env: Variables, deps: OpenedGate): Promise<void> {
  const { workspace } = deps;
  if (workspace === FIRST_WORKSPACE || hasFolder(readSettings(env).stateFolder, workspace)) return;
  if ((await headOf(deps)).index > 0) return;
  throw new Failure(
    1,
    `there is no workspace ${workspace}, which LEEWAY_WORKSPACE names; nothing was done`,
    `\`leeway workspaces list\` shows those that exist; an admin adds one with \`leeway workspaces add ${workspace}\``,
  );
}

/** If a server is named, deciding locally would bypass the server's policy without anybody noticing. */
export function refuseServer({ io }: CommandInput): void {
  if (!namesServer(io)) return;
  const set = serverVariables(io).join(" and ");
  throw new Failure(
    1,
    `${set} ${set.includes(" ") ? "name" : "names"} a server, but this command works on the database of this machine; nothing was done`,
    `unset ${set} to use the local database, or use the server's pages; docs/cli.md lists the commands that work with a server`,
  );
}

/**
 * Each checkpoint is a file that is kept. So acts of people are signed at once, and acts of agents after this many
 * entries.
 */
const SEAL_EVERY = 20;

/**
 * Signs what the command recorded. If signing fails, the next command signs it, so this is reported but is not an
 * error.
 */
async function seal({ io }: CommandInput, deps: OpenedGate, before: number): Promise<void> {
  try {
    const sealed = await sealRecorded(deps, before);
    if (sealed?.ok === false)
      io.stderr.write(`leeway: not signed: ${textOf(sealed.reason, "en")}\n  hint: ${textOf(sealed.hint, "en")}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    io.stderr.write(`leeway: not signed: ${shown(why)}\n  hint: the next command signs it too\n`);
  }
}

/** Signs the ledger if enough was recorded after the entry `before`. */
export async function sealRecorded(deps: OpenedGate, before: number): ReturnType<typeof sealWhenDue> {
  if ((await headOf(deps)).index === before) return undefined;
  const fresh = await listEntries(deps, { afterIndex: before }, { limit: SEAL_EVERY, order: "newest" });
  const isActed = fresh.some(({ actor }) => actor.startsWith("person:"));
  return sealWhenDue(deps, isActed ? 1 : SEAL_EVERY);
}
