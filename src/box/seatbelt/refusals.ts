import { resolve } from "node:path";
import type { WallRefusal } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import { heardRefusals } from "../refusals.ts";

// What programs on macOS write when the walls do not let them do something: "Operation not permitted". Programs that were refused
// for another reason write "Permission denied".

const NOT_PERMITTED = String.raw`(?:operation not permitted|EPERM\b|os error 1\b)`;
const QUOTED = String.raw`['"‘“\`](?<path>[^'"’”\`\n]+)['"’”\`]`;
const PATHS = [
  new RegExp(String.raw`${NOT_PERMITTED}[^\n]*?${QUOTED}`, "gi"),
  new RegExp(String.raw`${QUOTED}[^'"\n]{0,3}: \(?${NOT_PERMITTED}`, "gi"),
  /(?:^|[ :])(?!EPERM:)(?<path>[^\s:'"’]*[^\s:'"’\d\]][^\s:'"’]*): (?:operation not permitted|os error 1\b)/gim,
  new RegExp(String.raw`${NOT_PERMITTED}: (?<path>[^\s:'"’]+)$`, "gim"),
];
/** A connection that was refused names an address. */
const ADDRESSES = /\bconnect EPERM (?<domain>[0-9a-f.:]+)|nodename nor servname provided/gi;

const HEARD_MAX = 20;

/** `hidden`: places that cannot be read either. A program that tried to read one did not try to write. */
export function heardOnMac(errors: string, cwd: string, hidden: readonly string[]): WallRefusal[] {
  const said = PATHS.flatMap((pattern) => [...errors.matchAll(pattern)].map((found) => found.groups?.["path"] ?? ""));
  const paths = new Set(
    said.filter((path) => !/^(connect|bind|listen)\b/.test(path)).map((path) => resolve(cwd, path)),
  );
  const written = [...paths].filter((path) => !hidden.some((at) => isUnder(path, at)));
  const domains = new Set([...errors.matchAll(ADDRESSES)].map((found) => found.groups?.["domain"] ?? ""));
  return [
    ...written.map((path) => ({ of: "write", path }) as const),
    ...[...domains].map((domain) => ({ of: "network", domain }) as const),
    ...heardRefusals(errors, cwd),
  ].slice(0, HEARD_MAX);
}
