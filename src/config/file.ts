import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, statSync } from "node:fs";
import { type Message, say } from "../core/messages/message.ts";

type ReadText = { ok: true; text: string } | { ok: false; why: Message; hint: Message };

/** A cheap fingerprint of a file that differs for every state of the file. */
export function stampOf(path: string): string {
  return `${stampBy(lstatSync, path)} ${stampBy(statSync, path)}`;
}

function stampBy(stat: typeof lstatSync | typeof statSync, path: string): string {
  try {
    const { ino, mode, size, mtimeNs, ctimeNs } = stat(path, { bigint: true });
    return [ino, mode, size, mtimeNs, ctimeNs].join(":");
  } catch (error) {
    // An error is a state like any other; reading the file reports what is wrong.
    return codeOf(error);
  }
}

/** The text of a file, undefined if it does not exist, or why it cannot be used. */
export function readText(path: string, o: { followLinks: boolean }): ReadText | undefined {
  let fd: number;
  try {
    // Non-blocking, because opening a pipe without a writer would wait forever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (o.followLinks ? 0 : constants.O_NOFOLLOW));
  } catch (error) {
    return unreadable(error);
  }
  try {
    if (!fstatSync(fd).isFile()) return { ok: false, why: say("file.not_a_file"), hint: say("file.move_away") };
    const bytes = readFileSync(fd);
    if (!isUtf8(bytes)) return { ok: false, why: say("file.not_utf8"), hint: say("file.save_as_utf8") };
    return { ok: true, text: bytes.toString("utf8") };
  } finally {
    closeSync(fd);
  }
}

function unreadable(error: unknown): ReadText | undefined {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  if (code === "ELOOP") return { ok: false, why: say("file.is_link"), hint: say("file.replace_link") };
  return { ok: false, why: say("file.not_readable", { code }), hint: say("file.make_readable") };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
