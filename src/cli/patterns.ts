import { resolve } from "node:path";
import type { GrantPattern } from "../core/grant.ts";
import { usage } from "./failure.ts";

/** What a grant covers, from how people write it. */
export function patternsOf(
  given: { path: string | undefined; domain: string | undefined },
  cwd: string,
): GrantPattern[] {
  const found: GrantPattern[] = [];
  if (given.path !== undefined) found.push(pathPattern(given.path, cwd));
  if (given.domain !== undefined) found.push({ kind: "domain", pattern: given.domain.toLowerCase() });
  if (found.length > 1) throw usage("a grant has one kind of target", "give one of --path and --domain");
  return found;
}

function pathPattern(path: string, cwd: string): GrantPattern {
  const recursive = path.endsWith("/**");
  const bare = recursive ? path.slice(0, -"/**".length) : path;
  if (/[*?[\]{}]/.test(bare)) {
    throw usage(`\`${path}\` is not a path`, "only a last /** is understood, for everything below a folder");
  }
  return { kind: "path", path: resolve(cwd, bare === "" ? "/" : bare), recursive };
}
