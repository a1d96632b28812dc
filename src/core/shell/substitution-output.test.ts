import { expect, test } from "vitest";
import { understand } from "./understand.ts";

const isUnderstood = (line: string) => {
  const { lines, doubts, readable } = understand({ line });
  return readable && doubts.length === 0 && lines.every((one) => one.doubts.size === 0);
};

test("output that is certainly digits may be used in arithmetic, and any other output may not", () => {
  const counted = [
    "[[ $(wc -l < a) -gt 10 ]]",
    'if [[ "$(ls | wc -l)" -gt 3 ]]; then echo many; fi',
    "echo $(( $(date +%s) / 60 ))",
    "n=$(git rev-list --count HEAD); echo $((n + 1))",
    "n=$(grep -c foo a); [[ $n -gt 3 ]]",
  ];
  expect(counted.filter((line) => !isUnderstood(line))).toEqual([]);
  const unclear = [
    "[[ $(cat a) -gt 10 ]]",
    "[[ $(wc -l < a 2>&1) -gt 10 ]]",
    "[[ $(wc -l a) -gt 10 ]]",
    "[[ $(wc -l < a; cat b) -gt 10 ]]",
    "[[ x$(wc -l < a) -gt 10 ]]",
    "echo $(( $(grep -c foo a b) ))",
    "wc() { cat b; }; [[ $(wc -l < a) -gt 1 ]]",
    "n=$(cat a); echo $((n + 1))",
  ];
  expect(unclear.filter(isUnderstood)).toEqual([]);
});

test("output that may be empty is never trusted as a piece of a path", () => {
  expect(isUnderstood("cat src/$(wc -l < none)x")).toBe(false);
  expect(isUnderstood("X=$(wc -l < none); cat src/${X}x")).toBe(false);
  expect(isUnderstood("cat $(git rev-parse HEAD)/a")).toBe(false);
});

test("a commit id cannot be an option; a tag name is accepted only at the start of a range", () => {
  const known = [
    "git diff $(git merge-base main HEAD) --stat",
    'git log "$(git rev-parse HEAD~3)"..HEAD',
    "git log --oneline $(git describe --tags --abbrev=0)..HEAD",
  ];
  expect(known.filter((line) => !isUnderstood(line))).toEqual([]);
  const open = ["git log $(git describe --tags)", "git diff $(git rev-parse .env)", "git log $(cat a)..HEAD"];
  expect(open.filter(isUnderstood)).toEqual([]);
});

test("a program that only reads may get the files that another program lists", () => {
  const known = [
    "wc -l $(git ls-files)",
    "head -3 $(find src -name '*.ts')",
    "file $(which git)",
    "cat $(rg -l foo src)",
  ];
  expect(known.filter((line) => !isUnderstood(line))).toEqual([]);
  const open = [
    "sort $(git ls-files)",
    "rm $(git ls-files)",
    "cat $(cat names)",
    'cat "$(cat names)"',
    "cat $(echo .env)",
  ];
  expect(open.filter(isUnderstood)).toEqual([]);
});
