import { readFileSync } from "node:fs";

/** The package's own version, for `--version` and for whoever asks the server. */
export function ownVersion(): string {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
