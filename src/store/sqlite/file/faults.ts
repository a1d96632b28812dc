import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type Message, say } from "../../../core/messages/message.ts";
import { StoreUnavailable } from "../../../ports.ts";

/** An error of the database, in words for the person who has to fix it. `hint`: what to do, if the words do not say it. */
type Fault = { busy: boolean; message: string; hint?: Message };

const BUSY = new Set([5, 6]);

/** Too big, constraint, wrong type, out of range: errors of the values, not of the database. */
const OF_VALUES = new Set([18, 19, 20, 25]);

/** SQLite's primary result codes. */
const MEANINGS: Record<number, string> = {
  3: "this user may not open the database; check the owner and mode of the file and its folder",
  5: "the database is locked by another process; close it or wait until it is done",
  6: "the database is locked by another process; close it or wait until it is done",
  7: "there is not enough memory for the database; end other programs",
  8: "the database is read-only; check the mode of the file and whether the disk is mounted read-only",
  10: "the disk reported an error (input/output) while the database was used; check the disk",
  11: "the database file is damaged; run `leeway doctor`, or restore a backup with `leeway restore`",
  13: "the disk is full, so the database cannot grow",
  14: "the database file cannot be opened; check that its folder exists and belongs to this user",
  26: "the file is not a database; move it away, or restore a backup with `leeway restore`",
};

/** Some drivers give no number for a statement that could not be prepared, only SQLite's text. */
const WORDS: Record<string, number> = {
  "attempt to write a readonly database": 8,
  "database disk image is malformed": 11,
  "database is locked": 5,
  "database or disk is full": 13,
  "database table is locked": 6,
  "disk I/O error": 10,
  "file is not a database": 26,
  "out of memory": 7,
  "unable to open database file": 14,
};

/** The same for errors of the file system before SQLite is used. */
const FILE_MEANINGS: Record<string, number> = {
  EACCES: 3,
  EPERM: 3,
  EROFS: 8,
  EIO: 10,
  ENOSPC: 13,
  EDQUOT: 13,
  ENOENT: 14,
  ENOTDIR: 14,
  EEXIST: 14,
  EISDIR: 14,
  EMFILE: 14,
  ENFILE: 14,
};

/** An error caused by one Change only: its values, its workspace, or a bug of ours. */
export function isOfOne(error: unknown): boolean {
  if (error instanceof StoreUnavailable || faultOf(error) === undefined) return true;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === "number" && OF_VALUES.has(errcode & PRIMARY);
}

/** The upper bits are variants, such as which disk operation failed. */
const PRIMARY = 0xff;

/** Erased data stays in the write-ahead log as long as somebody reads there. */
export class LogInUse extends Error {
  override name = "LogInUse";
  constructor() {
    super(
      "it is erased, but its bytes stay in the write-ahead log as long as another process goes on reading there; " +
        "they go when that process ends",
    );
  }
}

/** `undefined` for a bug of ours, which is not an error of the database. `path`: the file of the database, if it is known. */
export function faultOf(error: unknown, path?: string): Fault | undefined {
  if (error instanceof StoreUnavailable) return { busy: false, message: error.message, hint: error.hint };
  if (error instanceof LogInUse) return { busy: true, message: error.message };
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === "ERR_SQLITE_ERROR") {
    const primary = typeof errcode === "number" ? errcode & PRIMARY : (WORDS[error.message] ?? 1);
    return { busy: BUSY.has(primary), ...said(primary === IO && isFull(path) ? FULL : primary, error.message, path) };
  }
  if (code === "ERR_INVALID_STATE")
    return { busy: false, message: "the database was closed while in use; start the program again" };
  const primary = typeof code === "string" ? FILE_MEANINGS[code] : undefined;
  return primary === undefined ? undefined : { busy: false, ...said(primary, String(code), path) };
}

const [IO, FULL] = [10, 13];
/** SQLite needs this much for the files beside the database. Where less is left, it only says that the disk failed. */
const LEFT_MIN = 64 * 1024;

function isFull(path: string | undefined): boolean {
  if (path === undefined) return false;
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < LEFT_MIN;
  } catch {
    // Then it is not known to be full, and the error stays as the disk reported it.
    return false;
  }
}

function said(primary: number, text: string, path: string | undefined): Pick<Fault, "message" | "hint"> {
  const full = primary === FULL && path !== undefined;
  const meaning = full
    ? `the disk is full, so the database ${path} cannot grow`
    : (MEANINGS[primary] ?? "the database failed; run `leeway doctor`");
  return { message: `${meaning} (${text})`, ...(primary === FULL ? { hint: say("hint.free_disk") } : {}) };
}
