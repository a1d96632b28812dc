import type { Random } from "../model/random.ts";

const LETTERS = [
  ..."'\"\\$(){}[];&|<>#!*?~`=,.-+@%^:/ \n\tapX12e",
  "$(",
  "${",
  "$'",
  "((",
  "))",
  "[[",
  "]]",
  ";;",
  "&&",
  "||",
  "<<",
  "<<<",
  ">>",
  "\\\n",
  "$((",
  "<(",
  "E\n",
  "`p2 m`",
  "$(p3 m)",
  "; p1 m",
  "\np2 m\n",
  "'\"'",
  "\r",
  "é",
  "\u00a0",
  "do ",
  " done",
  " fi",
  "\n)",
  "\n}",
];

/** The same with letters lost, doubled, inserted, moved or taken from another script. */
export function mutated(text: string, c: Random, others: readonly string[]): string {
  let now = text;
  for (let left = 1 + c.int(3); left > 0; left--) {
    const at = c.int(now.length + 1);
    const to = Math.min(now.length, at + 1 + c.int(4));
    const other = others.length === 0 ? "p1" : c.pick(others);
    const from = c.int(other.length);
    now = c.pick([
      () => now.slice(0, at) + c.pick(LETTERS) + now.slice(at),
      () => now.slice(0, at) + c.pick(LETTERS) + now.slice(at),
      () => now.slice(0, at) + now.slice(at + 1),
      () => now.slice(0, at) + now.slice(to),
      () => now.slice(0, to) + now.slice(at),
      () => now.slice(0, at) + other.slice(from, from + 1 + c.int(12)) + now.slice(at),
      () => now.slice(0, at) + now.slice(to) + now.slice(at, to),
    ])();
  }
  return now;
}
