import { isUtf8 } from "node:buffer";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../config/environment.ts";
import { Failure } from "../failure.ts";
import type { Io } from "./io.ts";

/** Text that is not valid UTF-8 is refused, not read with replacement characters. */
export function fileText(path: string, flag: number = constants.O_RDONLY): string {
  const bytes = fileBytes(path, flag);
  if (!isUtf8(bytes)) throw new Failure(1, `${path} is not UTF-8 text`, "save it as UTF-8");
  return bytes.toString("utf8");
}

function fileBytes(path: string, flag: number): Buffer {
  try {
    return readFileSync(path, { flag: flag as unknown as string });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Failure {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return new Failure(1, `the file ${path} does not exist`, "check the path");
  return new Failure(1, `${path} cannot be read: ${code ?? String(error)}`, "check its type and its permissions");
}

/**
 * The text of a file that other programs read their settings from; undefined if there is none. Anything else than a plain file
 * is refused without opening it for long: a pipe without a writer would wait for ever, and a device may have no end.
 */
export function settingsText(path: string): string | undefined {
  const found = statOf(path);
  if (found === undefined) return undefined;
  if (!found.isFile())
    throw new Failure(1, `${path} is ${kindOf(found)}, not a file`, "move it away, then run the command again");
  return fileText(path, constants.O_RDONLY | constants.O_NONBLOCK);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw unreadable(path, error);
    throw new Failure(1, `there can be no ${path}: a part of this path is a file, not a folder`, "move that file away");
  }
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a pipe";
  return found.isSocket() ? "a socket" : "a device";
}

/** Where the text of this file is or will be: behind links, because some people keep their settings in another folder. */
export function behindLinks(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
    throw new Failure(1, `${file} is a link to a file that does not exist`, "repair or remove the link");
  const folder = dirname(file);
  return folder === file ? file : join(behindLinks(folder), basename(file));
}

/** The file as a person should see it before agreeing: a link may lead out of the project. */
export function placeOf(file: string): string {
  const real = behindLinks(file);
  return real === file ? file : `${file}, which is the file ${real}`;
}

/** Everything on the standard input. */
export async function stdinText({ stdin }: Pick<Io, "stdin">): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(stdin);
}

/** Checked before any question, so that init never stops half-way. */
export function refuseUnwritable(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (error) {
    throw new Failure(
      1,
      `${file} cannot be written (${codeOf(error)})`,
      "run `leeway init` in a project that you may write to; nothing was changed",
    );
  }
}
