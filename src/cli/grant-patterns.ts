import { resolve } from "node:path";
import { readScript } from "../core/shell/read.ts";
import type { GrantPattern } from "../core/standing/grant.ts";
import { visible } from "../core/values/text.ts";
import { usage } from "./failure.ts";

/** What a grant covers, parsed from the options that people write. */
export function patternsOf(
  given: { path: string | undefined; domain: string | undefined; command: string | undefined },
  cwd: string,
): GrantPattern[] {
  const found: GrantPattern[] = [];
  if (given.path !== undefined) found.push(pathPattern(given.path, cwd));
  if (given.domain !== undefined) found.push({ kind: "domain", pattern: domainPattern(given.domain) });
  if (given.command !== undefined) found.push({ kind: "command", words: commandWords(given.command), cwd });
  return found;
}

/** The words of one simple command, as the shell would split them. */
function commandWords(text: string): readonly string[] {
  const { simples, readable } = readScript(text);
  const [simple, ...others] = simples;
  const words = simple?.words ?? [];
  const isRest = (word: (typeof words)[number], i: number) =>
    word.text === "*" && word.kind !== "plain" && i === words.length - 1 && i > 0;
  // A quoted star means the character itself, but a grant would read it as "any further words".
  const isPlain = words.every((word, i) => isRest(word, i) || (word.kind === "plain" && word.text !== "*"));
  const isAlone = others.length === 0 && simple?.sets.length === 0 && simple.redirects.length === 0;
  if (readable && isAlone && isPlain) return words.map((word) => word.text);
  throw usage(
    `\`${visible(text)}\` is not a single simple command`,
    "give a program and its words, as in 'npm run build' or 'git commit *', without variables, pipes or redirections",
  );
}

const DOMAIN = /^(\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f:]*:[0-9a-f:.]+)$/;

function domainPattern(given: string): string {
  const pattern = given.toLowerCase();
  if (DOMAIN.test(pattern)) return pattern;
  throw usage(`\`${visible(given)}\` is not a host`, "write api.github.com, *.github.com for all its subdomains, or *");
}

function pathPattern(path: string, cwd: string): GrantPattern {
  const recursive = path.endsWith("/**");
  const bare = recursive ? path.slice(0, -"/**".length) : path;
  if (/[*?[\]{}]/.test(bare)) {
    throw usage(
      `\`${path}\` is not a path`,
      "the only pattern allowed is /** at the end, for everything below a folder",
    );
  }
  return { kind: "path", path: resolve(cwd, bare === "" ? "/" : bare), recursive };
}
