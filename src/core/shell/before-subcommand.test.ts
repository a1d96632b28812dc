import { expect, test } from "vitest";
import { understand } from "./understand.ts";

const doubts = (line: string) => understand({ line }).lines.flatMap((one) => [...one.doubts]);

test("an option before a subcommand that no line names is a doubt, however free the program's own line is", () => {
  expect(doubts("bun --install=./a pm ls")).toEqual(["the option --install of bun is not known"]);
  expect(doubts("uv --config-file=a tool list")).toEqual(["the option --config-file of uv is not known"]);
  expect(doubts("bun -K pm ls")).toEqual(["the option -K of bun is not known"]);
  expect(doubts("yarn why react")).toEqual([]);
  expect(doubts("yarn --mode=./a build")).toEqual([]);
});
