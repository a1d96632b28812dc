import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { workedIn } from "../../config/policy/policy-files.ts";
import type { TranscriptCall, TranscriptSource } from "../../importers/transcripts.ts";
import { Failure } from "../failure.ts";
import type { Io } from "../terminal/io.ts";
import { progress } from "../terminal/progress.ts";
import { partsOf, sessionsIn } from "./opencode-database.ts";

// Transcripts of an agent program, read file by file and line by line, because some are too large for memory.

/** A call with the folder it was made in and the project that folder belongs to. */
export type PlacedCall = TranscriptCall & { cwd: string; project: string };

export type Transcripts = {
  sessions: number;
  calls: readonly PlacedCall[];
  /** How much could not be read and was skipped. */
  badLines: number;
  badFiles: number;
};

type Wanted = { folder: string; limit: number; sinceMs?: number };

/**
 * The newest session first, and in each session the newest call first. A call that a resumed session has copied
 * counts once.
 */
export async function readTranscripts(io: Io, source: TranscriptSource, wanted: Wanted): Promise<Transcripts> {
  const files =
    source.database === undefined ? filesIn(wanted) : sessionsIn(join(wanted.folder, source.database), wanted);
  const bar = progress(io, "reading transcripts, KB");
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const seen = new Set<string>();
  const found = { sessions: 0, calls: [] as PlacedCall[], badLines: 0, badFiles: 0 };
  let doneBytes = 0;
  for (const file of files) {
    const room = wanted.limit - found.calls.length;
    if (room <= 0) break;
    const onBytes = (bytes: number) => bar.at(Math.round((doneBytes + bytes) / 1024), Math.round(total / 1024));
    const read = await readOne(file, source, onBytes);
    doneBytes += file.size;
    if (read === undefined) {
      found.badFiles++;
      continue;
    }
    found.badLines += read.badLines;
    const fresh = read.calls.filter((call) => isWanted(call, wanted, seen));
    const taken = placed(fresh.reverse().slice(0, room), read.cwd ?? io.cwd);
    if (taken.length > 0) found.sessions++;
    found.calls.push(...taken);
  }
  bar.end();
  return found;
}

/** A transcript: a file, or a session of a database. */
type Found = { path: string; size: number; changedMs: number; session?: string };

/** Older sessions of Gemini CLI are one JSON text each. */
const WHOLE = /^session-.*\.json$/;

function filesIn({ folder, sinceMs = Number.NEGATIVE_INFINITY }: Wanted): readonly Found[] {
  return listed(folder)
    .filter((entry) => entry.isFile() && (entry.name.endsWith(".jsonl") || WHOLE.test(entry.name)))
    .flatMap((entry): Found[] => {
      const path = join(entry.parentPath, entry.name);
      // The file was deleted meanwhile.
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, size: stat.size, changedMs: stat.mtimeMs }];
    })
    .filter(({ changedMs }) => changedMs >= sinceMs)
    .sort((a, b) => b.changedMs - a.changedMs || (a.path < b.path ? -1 : 1));
}

function listed(folder: string) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const hint = "name the folder of the transcripts with --transcripts";
    if (code === "ENOENT") throw new Failure(1, `the folder ${folder} does not exist`, hint);
    if (code === "ENOTDIR") throw new Failure(1, `${folder} is not a folder`, hint);
    throw new Failure(1, `${folder} cannot be read: ${code ?? String(error)}`, "check its permissions");
  }
}

type ReadFile = { calls: TranscriptCall[]; badLines: number; cwd?: string };

async function readOne(
  { path, session }: Found,
  source: TranscriptSource,
  onBytes: (bytes: number) => void,
): Promise<ReadFile | undefined> {
  const root = source.rootFile === undefined ? undefined : rootAbove(path, source.rootFile);
  const read: ReadFile = { calls: [], badLines: 0, ...(root === undefined ? {} : { cwd: root }) };
  const reader = source.reader();
  try {
    for await (const line of session === undefined ? linesOf(path, onBytes) : partsOf(path, session)) {
      const found = line === undefined ? ({ ok: false } as const) : reader(line);
      if (!found.ok) {
        read.badLines++;
        continue;
      }
      read.calls.push(...found.calls);
      if (read.cwd === undefined && found.cwd !== undefined) read.cwd = found.cwd;
    }
  } catch (error) {
    // The caller counts and reports it: one unreadable file must not hide all others.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
  return read;
}

/** The folder that the program noted for the transcripts below it. */
function rootAbove(path: string, name: string): string | undefined {
  const folders = [dirname(path), dirname(dirname(path)), dirname(dirname(dirname(path)))];
  const file = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  const root = file === undefined ? undefined : readFileSync(file, "utf8").trim();
  return root?.startsWith("/") ? root : undefined;
}

/** The maximum length of a line; very long lines contain pictures. Longer lines are skipped as unreadable. */
const LINE_MAX = 32 * 1024 * 1024;

/** The non-empty lines of a file; `undefined` stands for a line that is too long. */
async function* linesOf(path: string, onBytes: (bytes: number) => void): AsyncGenerator<string | undefined> {
  if (path.endsWith(".json")) {
    yield statSync(path).size > LINE_MAX ? undefined : readFileSync(path, "utf8");
    return;
  }
  const stream = createReadStream(path, { encoding: "utf8", highWaterMark: 1024 * 1024 });
  let pieces: string[] = [];
  let length = 0;
  const take = (): string | undefined => {
    const line = length > LINE_MAX ? undefined : pieces.join("");
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = chunk.split("\n");
    for (const [at, piece] of lines.entries()) {
      length += piece.length;
      if (length <= LINE_MAX) pieces.push(piece);
      if (at === lines.length - 1) break;
      const line = take();
      if (line?.trim() !== "") yield line;
    }
    onBytes(stream.bytesRead);
  }
  const last = take();
  if (last?.trim() !== "") yield last;
}

function isWanted(call: TranscriptCall, { sinceMs }: Wanted, seen: Set<string>): boolean {
  if (sinceMs !== undefined && call.atMs !== undefined && call.atMs < sinceMs) return false;
  if (call.id === undefined) return true;
  if (seen.has(call.id)) return false;
  seen.add(call.id);
  return true;
}

/** The project of a session is the one it was started in, wherever its commands went later. */
function placed(calls: readonly TranscriptCall[], startedIn: string): readonly PlacedCall[] {
  const project = workedIn(resolve(startedIn));
  return calls.map((call) => ({ ...call, cwd: call.cwd ?? startedIn, project }));
}
