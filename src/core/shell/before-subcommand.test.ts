import { expect, test } from "vitest";
import { understand } from "./understand.ts";

const doubts = (line: string) => understand({ line }).lines.flatMap((one) => [...one.doubts]);

test("an option before a subcommand that no line names is a doubt, however free the program's own line is", () => {
  expect(doubts("yarn --use-yarnrc=./a why react")).toEqual(["the option --use-yarnrc of yarn is not known"]);
  expect(doubts("uv --config-file=a tool list")).toEqual(["the option --config-file of uv is not known"]);
  expect(doubts("yarn -K why react")).toEqual(["the option -K of yarn is not known"]);
  expect(doubts("yarn why react")).toEqual([]);
  expect(doubts("yarn --use-yarnrc=./a build")).toEqual([]);
});
