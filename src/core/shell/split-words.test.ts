import { expect, test } from "vitest";
import { commandCall, knowing } from "../../../test/cases/trying.ts";
import { classify } from "../classify/classify.ts";
import { readCall } from "../classify/reading.ts";

function understood(command: string): string {
  const call = commandCall(command);
  return classify(readCall(call), knowing(call)).understood;
}

test("a variable without quotes may become several words, and the second may be an option that runs something", () => {
  const open = [
    "sort -k $X a",
    "sort --key=$X a",
    "sort -k1$X a",
    "rg -e $X src",
    "rg foo$X src",
    "find . -name $X",
    "find . -name a$X",
    "git log --format=$X",
  ];
  expect(open.filter((command) => understood(command) === "fully")).toEqual([]);
});

test("a variable in quotes stays one word", () => {
  const closed = [
    'sort -k "$X" a',
    'sort --key="$X" a',
    'rg -e "$X" src',
    'find . -name "$X"',
    'git log --format="$X"',
  ];
  expect(closed.filter((command) => understood(command) !== "fully")).toEqual([]);
});
