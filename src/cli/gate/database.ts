import { headOf, listEntries } from "../../gate/record/ledger.ts";
import { sealWhenDue } from "../../gate/record/sealing.ts";
import { lookAtLedger } from "../../gate/time/clock.ts";
import type { openDeps } from "../../open.ts";
import { Failure } from "../failure.ts";
import { namesServer } from "../io.ts";
import { progress } from "../progress.ts";
import { type Given, text } from "../spec.ts";

export type Opened = Awaited<ReturnType<typeof openDeps>>;

export const POLICY_OPTION = ["--policy <file>", "judge by this file alone, as if it had been accepted"] as const;

/** Opens the database of whoever runs the command, for one act. Refuses where a server is named. */
export async function withDatabase<T>(given: Given, act: (deps: Opened) => Promise<T>): Promise<T> {
  const deps = await opened(given, {});
  try {
    // What is shown and what is meant by "in an hour" go by the same time as what is decided.
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

/** The same for a database that went back, to put it right. Nothing is signed here but by who does that. */
export async function withUnguarded<T>(given: Given, act: (deps: Opened) => Promise<T>): Promise<T> {
  const deps = await opened(given, { unguarded: true });
  try {
    await lookAtLedger(deps);
    return await act(deps);
  } finally {
    await deps.close();
  }
}

async function opened(given: Given, how: { unguarded?: true }): Promise<Opened> {
  refuseServer(given);
  // Loaded only now: help and completion answer without a database.
  const { openDeps } = await import("../../open.ts");
  const policy = text(given, "policy");
  const shown = progress(given.io, "bringing the database up to date");
  const onProgress = (done: number, of: number) => (done < of ? shown.at(done, of) : shown.end());
  const options = { env: given.io.env, cwd: given.io.cwd, ...(policy === undefined ? {} : { policy }) };
  return openDeps(options, { ...how, onProgress });
}

/** Deciding here what somebody wanted decided there would be a quiet way around their policy. */
export function refuseServer({ io }: Given): void {
  if (!namesServer(io)) return;
  const set = ["LEEWAY_URL", "LEEWAY_TOKEN"].filter((name) => (io.env[name] ?? "") !== "").join(" and ");
  throw new Failure(
    1,
    `${set} ${set.includes(" ") ? "name" : "names"} a server, and this command works on the database of this machine; nothing was done`,
    `unset ${set} to use it, or use the server's pages; docs/cli.md lists the commands that ask the server`,
  );
}

/** A checkpoint is a file that is kept: what people did gets one at once, what agents did when this much came together. */
const SEAL_EVERY = 20;

/** Signs what the command recorded. Without a signature it waits for the next, so that is said and changes nothing. */
async function seal({ io }: Given, deps: Opened, before: number): Promise<void> {
  try {
    if ((await headOf(deps)).index === before) return;
    const fresh = await listEntries(deps, { afterIndex: before }, { limit: SEAL_EVERY, order: "newest" });
    const isActed = fresh.some(({ actor }) => actor.startsWith("person:"));
    const sealed = await sealWhenDue(deps, isActed ? 1 : SEAL_EVERY);
    if (sealed?.ok === false) io.stderr.write(`leeway: not signed: ${sealed.reason}\n  hint: ${sealed.hint}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    io.stderr.write(`leeway: not signed: ${why}\n  hint: the next command signs it too\n`);
  }
}
