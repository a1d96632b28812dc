import type { Word } from "../shell/script.ts";
import { INTERPRETERS, programOf } from "../tables/launchers.ts";

const RUNS_A_WORD = new Set(
  (
    "sudo doas su pkexec env command builtin exec nohup timeout nice ionice time watch xargs parallel setsid stdbuf " +
    "npx bunx pnpx uvx npm pnpm yarn bun deno tsx ts-node corepack busybox caffeinate"
  ).split(" "),
);
/** A package manager that fetches or looks at the package does not run it. */
const PACKAGE_VERBS = new Set(
  "install i add remove uninstall rm update up view info ls list why outdated audit pack".split(" "),
);
const NAMED = /leeway/i;
const OWN = /^leeway(@[\w.^~-]+)?$|^leeway\.([cm]?js|cmd|ps1|exe)$/i;

/** An agent that runs the gate's own program would answer its own questions. */
export function runsLeeway(words: readonly Word[]): boolean {
  if (!words.some((word) => NAMED.test(word.text))) return false;
  const [first = "", ...rest] = words.map((word) => word.text);
  if (isOwn(first)) return true;
  const program = programOf(first);
  if (!RUNS_A_WORD.has(program) && !INTERPRETERS.has(program)) return false;
  // Which words are the wrapper's own depends on the wrapper: here any that names the gate counts.
  return !PACKAGE_VERBS.has(rest[0] ?? "") && rest.some(isOwn);
}

function isOwn(word: string): boolean {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return OWN.test(name) || OWN.test(word.replaceAll("\\", "/").split("/").at(-1) ?? "");
}
