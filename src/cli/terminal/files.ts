import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { Failure } from "../failure.ts";
import type { Io } from "./io.ts";

/** Text that is not valid UTF-8 is refused, not read with replacement characters. */
export function fileText(path: string): string {
  const bytes = fileBytes(path);
  if (!isUtf8(bytes)) throw new Failure(1, `${path} is not UTF-8 text`, "save it as UTF-8");
  return bytes.toString("utf8");
}

function fileBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): Failure {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return new Failure(1, `the file ${path} does not exist`, "check the path");
  return new Failure(1, `${path} cannot be read: ${code ?? String(error)}`, "check its type and its permissions");
}

/** Everything on the standard input. */
export async function stdinText({ stdin }: Pick<Io, "stdin">): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return text(stdin);
}
