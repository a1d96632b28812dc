import { existsSync } from "node:fs";
import { openDatabase } from "../../open.ts";
import { Failure } from "../failure.ts";

// opencode keeps its sessions in a database. It is only read, and may be in use meanwhile.

type Session = { path: string; size: number; changedMs: number; session: string };

/** The sessions of the database, the newest first. */
export function sessionsIn(path: string, { sinceMs = 0 }: { sinceMs?: number }): readonly Session[] {
  if (!existsSync(path))
    throw new Failure(1, `${path} does not exist`, "name the folder of opencode.db with --transcripts");
  const rows = ask(path, "select id, time_updated from session where time_updated >= ? order by time_updated desc", [
    sinceMs,
  ]);
  return rows.map(({ id, time_updated: changedMs }) => ({
    path,
    size: 0,
    changedMs: Number(changedMs),
    session: String(id),
  }));
}

/** The parts of a session as lines, in the form that `importers/transcripts.ts` reads. */
export function* partsOf(path: string, session: string): Generator<string | undefined> {
  const rows = ask(
    path,
    "select part.data, part.time_created, session.directory from part join session on session.id = part.session_id where part.session_id = ? order by part.time_created, part.id",
    [session],
  );
  for (const { data, time_created: atMs, directory } of rows)
    yield `{"session":${JSON.stringify(session)},"directory":${JSON.stringify(String(directory))},"atMs":${Number(atMs)},"part":${String(data)}}`;
}

function ask(path: string, sql: string, values: readonly (string | number)[]) {
  try {
    const database = openDatabase(path, { readOnly: true });
    try {
      return database.prepare(sql).all(...values);
    } finally {
      database.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(
      1,
      `${path} cannot be read: ${why}`,
      "close opencode and try again; other versions may keep sessions in another form",
    );
  }
}
