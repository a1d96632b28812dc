import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { Failure } from "./failure.ts";

/** What the gate would refuse to read as text is not read here with other letters in its place. */
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
  if (code === "ENOENT") return new Failure(1, `there is no file ${path}`, "check the path");
  return new Failure(1, `${path} cannot be read: ${code ?? String(error)}`, "check what it is and its permissions");
}
