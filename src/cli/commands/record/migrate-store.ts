import { databaseAt, isServerAddress, shownDatabase } from "../../../config/database-place.ts";
import { readSettings, type Settings } from "../../../config/environment.ts";
import { announcedServer, serverElsewhere } from "../../../config/server-file.ts";
import { FIRST_WORKSPACE } from "../../../core/ids.ts";
import { textOf } from "../../../core/messages/text.ts";
import { verifyLedger } from "../../../gate/record/ledger.ts";
import type { MovedChain } from "../../../move-store.ts";
import { hasPeople, inPlace, proveAdmin } from "../../authority.ts";
import { Failure, usage } from "../../failure.ts";
import { refuseServer, withDatabase } from "../../gate/database.ts";
import { AS_OPTION } from "../../person.ts";
import { type CommandInput, type CommandSpec, flag, needed, text } from "../../spec.ts";
import { filesReleased } from "../../state-copy.ts";
import { progress } from "../../terminal/progress.ts";

export const migrateStore: CommandSpec = {
  name: "migrate-store",
  summary: "move everything from the database file to PostgreSQL, or back; the old database is closed",
  options: [
    ["--from <database>", "the file or the address to move; by default the database that is in use"],
    ["--to <database>", "an empty PostgreSQL database (postgres://…), or a file that does not exist yet"],
    ["--cancel", "give up a move that was interrupted, and go on with the database that it began with"],
    AS_OPTION,
  ],
  examples: [
    "leeway migrate-store --to postgres://leeway@db.internal/leeway",
    "leeway migrate-store --from postgres://leeway@db.internal/leeway --to ~/.local/state/leeway/leeway.db",
    "leeway migrate-store --cancel",
  ],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    refuseServer(given);
    const settings = readSettings(given.io.env);
    const from = databaseAt(text(given, "from") ?? settings.db);
    const { cancelMove, moveStore, seenSource } = await import("../../../move-store.ts");
    if (flag(given, "cancel")) {
      await cancelMove(settings, from);
      given.out.answer(
        { cancelled: true, database: shownDatabase(from) },
        () => `${shownDatabase(from)} is in use again.`,
      );
      return 0;
    }
    const to = databaseAt(needed(given, "to", "name an empty PostgreSQL database: --to postgres://…"));
    refuseSameEngine(from, to);
    refuseRunning(settings, from);
    const { move, workspaces } = await seenSource(from);
    // Who began it has proved who they are, and it can only go on to the same place.
    if (move?.role !== "from") await allowed(given, from, workspaces);
    await filesReleased();
    const [copying, verifying] = [progress(given.io, "copying"), progress(given.io, "verifying")];
    const chains = await moveStore(settings, { from, to }, { copying: copying.at, verifying: verifying.at });
    verifying.end();
    const moved = { from: shownDatabase(from), to: shownDatabase(to), chains };
    given.out.answer({ ...moved, next: nextOf(to) }, () => movedText(moved, to));
    return 0;
  },
};

/** Said before a passphrase is asked for. Servers on other machines are found when the move begins. */
function refuseRunning({ stateFolder }: Settings, from: string): void {
  const server = announcedServer(stateFolder);
  if (server === undefined || serverElsewhere({ stateFolder, db: from }) !== undefined) return;
  throw new Failure(
    1,
    `another process uses ${shownDatabase(from)}: the server at ${server.url} (pid ${server.pid})`,
    "stop the server, then run the command again; nothing was moved",
  );
}

function refuseSameEngine(from: string, to: string): void {
  if (isServerAddress(from) !== isServerAddress(to)) return;
  throw usage(
    `${shownDatabase(from)} and ${shownDatabase(to)} are of the same kind`,
    isServerAddress(from)
      ? "use pg_dump and pg_restore to copy PostgreSQL to PostgreSQL (docs/postgres.md)"
      : "use `leeway backup` and `leeway restore` to copy a file; --to takes postgres://…",
  );
}

/** Only an admin may move a database that has people, and only one whose record is whole. */
async function allowed(given: CommandInput, from: string, workspaces: readonly string[]): Promise<void> {
  const place = { db: from, workspace: FIRST_WORKSPACE };
  if (await hasPeople(given, place)) await proveAdmin(given, place, "move the database");
  const bar = progress(given.io, "verifying");
  for (const workspace of workspaces) {
    const found = await withDatabase(inPlace(given, { db: from, workspace }), (deps) =>
      verifyLedger(deps, { onProgress: bar.at }),
    );
    if (found.ok) continue;
    throw new Failure(
      1,
      `the record of the workspace ${workspace} is broken at entry ${found.fault.index}: ${textOf(found.fault.why, "en")}`,
      "nothing was moved; `leeway verify` says more",
    );
  }
  bar.end();
}

/** What people have to set so that everybody uses the new database. */
function nextOf(to: string): string {
  return isServerAddress(to) ? `LEEWAY_DB=${withoutPassword(to)}` : `LEEWAY_DB=${to}`;
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = "";
  url.searchParams.delete("password");
  return url.href;
}

function movedText(moved: { from: string; to: string; chains: readonly MovedChain[] }, to: string): string {
  const lines = moved.chains.map(({ workspace, entries, root }) => `  ${workspace}: ${entries} entries, root ${root}`);
  return [
    `moved ${moved.from} to ${moved.to}; every entry, row and checkpoint was verified there`,
    ...lines,
    `${moved.from} is closed: whoever opens it is told where it went. Keep it until you have a backup of the new one.`,
    `Next: set ${nextOf(to)} for every server, hook and program, on every machine, with the same key.`,
  ].join("\n");
}
