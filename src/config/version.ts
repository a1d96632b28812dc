import { readFileSync } from "node:fs";

/** The version of the package, for `--version` and for the server's answers. */
export function ownVersion(): string {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
