import { expect, test } from "vitest";
import { say } from "../messages/message.ts";
import { understand } from "./understand.ts";

const doubts = (line: string) => understand({ line }).lines.flatMap((one) => [...one.doubts]);

test("an unknown option before a subcommand leaves the command only partly understood", () => {
  expect(doubts("bun --install=./a pm ls")).toEqual([
    say("note.option_unknown", { option: "--install", program: "bun" }),
  ]);
  expect(doubts("uv --config-file=a tool list")).toEqual([
    say("note.option_unknown", { option: "--config-file", program: "uv" }),
  ]);
  expect(doubts("bun -K pm ls")).toEqual([say("note.option_unknown", { option: "-K", program: "bun" })]);
  expect(doubts("yarn why react")).toEqual([]);
  expect(doubts("yarn --mode=./a build")).toEqual([]);
});
