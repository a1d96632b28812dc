/** A policy text with one mistake, of the kinds that people make. */
export type Mutant = { kind: Kind; text: string; line: number; was: string; now: string };

export const KINDS = [
  "typo",
  "foreign word",
  "wrong type",
  "dropped line",
  "moved line",
  "lost mark",
  "doubled line",
] as const;
export type Kind = (typeof KINDS)[number];

/** Words from other systems, or from memory, that people write instead of ours. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  deny: ["block", "forbid", "never", "denied"],
  ask: ["prompt", "asks", "review"],
  notify: ["tell", "notice"],
  auto: ["automatic", "yes", "run"],
  tier: ["level", "action", "decision"],
  match: ["matches", "if", "on"],
  because: ["reason", "why"],
  preset: ["profile", "mode"],
  standard: ["default", "normal"],
  conservative: ["strict", "safe"],
  classes: ["class", "types"],
  "fs.write": ["file.write.all", "filesystem.write", "fs.writes"],
  "fs.delete": ["fs.remove", "fs.rm"],
  class: ["type", "effect"],
  path: ["paths", "file"],
  command: ["cmd", "commands"],
  human: ["humans", "person"],
  per: ["every", "window"],
  max: ["maximum", "limit"],
  headless: ["unattended", "onTimeout"],
  limits: ["limit", "budgets"],
  rules: ["rule", "policies"],
};
const WRONG_TYPES = ["true", "7", "[]", "{}", "", "null", "-1", "[[deny]]"];

/** The same seed gives the same mistakes, so that a failing one can be examined again. */
export function mutants(source: string, count: number, seed: number): Mutant[] {
  const next = numbers(seed);
  const made: Mutant[] = [];
  for (let tries = 0; made.length < count && tries < count * 20; tries++) {
    const kind = KINDS[tries % KINDS.length] ?? "typo";
    const lines = source.split("\n");
    const written = lines.flatMap((line, at) => (/^\s*(#|$)/.test(line) ? [] : [at]));
    const at = written[next(written.length)] ?? 0;
    const was = lines[at] ?? "";
    const changed = MUTATE[kind](was, next);
    if (changed === undefined || changed.join("\n") === was) continue;
    made.push({
      kind,
      text: lines.toSpliced(at, 1, ...changed).join("\n"),
      line: at + 1,
      was,
      now: changed.join("\n"),
    });
  }
  return made;
}

type Next = (below: number) => number;

const MUTATE: Readonly<Record<Kind, (line: string, next: Next) => string[] | undefined>> = {
  typo: (line, next) => replaceOne(line, /[A-Za-z][A-Za-z_.-]{2,}/g, next, (word) => slip(word, next)),
  "foreign word": (line, next) =>
    replaceOne(line, /[a-z][a-z.]*/g, next, (word) => {
      const words = FOREIGN[word];
      return words?.[next(words.length)] ?? word;
    }),
  "wrong type": (line, next) =>
    replaceOne(
      line,
      /(?<=: )("[^"]*"|\[[^\]]*\]|[^\s,{}[\]]+)/g,
      next,
      () => WRONG_TYPES[next(WRONG_TYPES.length)] ?? "",
    ),
  "dropped line": () => [],
  "moved line": (line, next) => [
    next(2) === 0 && line.startsWith("  ") ? line.slice(2) : `${" ".repeat(1 + next(3))}${line}`,
  ],
  "lost mark": (line, next) => replaceOne(line, /[:"{}[\],-]/g, next, () => ""),
  "doubled line": (line) => [line, line],
};

function slip(word: string, next: Next): string {
  const at = next(word.length - 1);
  const [a = "", b = ""] = [word[at], word[at + 1]];
  const put = (text: string) => word.slice(0, at) + text + word.slice(at + 2);
  return [put(b + a), put(a), put(a + a + b), put(`${a}x`)][next(4)] ?? word;
}

/** Never in a comment, where a change is not a mistake. */
function replaceOne(line: string, pattern: RegExp, next: Next, by: (found: string) => string): string[] | undefined {
  const code = line.replace(/\s#.*$/, "");
  const found = [...code.matchAll(pattern)];
  const one = found[next(Math.max(1, found.length))];
  if (one === undefined) return undefined;
  return [line.slice(0, one.index) + by(one[0]) + line.slice(one.index + one[0].length)];
}

function numbers(seed: number): Next {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
