import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from "node:fs";

type ReadText = { ok: true; text: string } | { ok: false; why: string; hint: string };

/** What a change of the file would change: cheap to look at, and different for every state the file was in. */
export function stampOf(path: string): string {
  return `${stampBy(lstatSync, path)} ${stampBy(statSync, path)}`;
}

function stampBy(stat: typeof lstatSync | typeof statSync, path: string): string {
  try {
    const { ino, mode, size, mtimeNs, ctimeNs } = stat(path, { bigint: true });
    return [ino, mode, size, mtimeNs, ctimeNs].join(":");
  } catch (error) {
    // Not being able to look is a state like any other: reading says what is wrong.
    return codeOf(error);
  }
}

/** The text of a file, nothing if there is none, or why it cannot be used. */
export function readText(path: string, o: { followLinks: boolean }): ReadText | undefined {
  let fd: number;
  try {
    // Not blocking, because opening a pipe that nobody writes to would wait for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (o.followLinks ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    return unreadable(error);
  }
  try {
    if (!fstatSync(fd).isFile()) return { ok: false, why: "this is not a file", hint: "move it away" };
    const bytes = readFileSync(fd);
    if (!isUtf8(bytes)) return { ok: false, why: "this is not UTF-8 text", hint: "save it as UTF-8" };
    return { ok: true, text: bytes.toString("utf8") };
  } finally {
    closeSync(fd);
  }
}

function unreadable(error: unknown): ReadText | undefined {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  if (code === "ELOOP") {
    return {
      ok: false,
      why: "a policy file may not be a link",
      hint: "put the file itself there, or name it with LEEWAY_POLICY",
    };
  }
  return { ok: false, why: `the file cannot be read (${code})`, hint: "make it readable, or move it away" };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
