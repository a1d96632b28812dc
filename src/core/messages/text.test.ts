import { expect, test } from "vitest";
import { say } from "./message.ts";
import { inEnglish } from "./text.ts";

test("a program gets a copy in which every message is English text and everything else is unchanged", () => {
  const given = {
    notes: [say("note.path_empty"), "as an older entry has it"],
    refused: { code: "LEEWAY_DENIED", because: say("note.agent_runs_leeway") },
    parts: [{ targets: [{ path: "/a", say: "a" }], reversible: false }],
  };
  expect(inEnglish(given)).toEqual({
    notes: ["the path is empty", "as an older entry has it"],
    refused: { code: "LEEWAY_DENIED", because: "an agent may not run leeway; only a person may" },
    parts: [{ targets: [{ path: "/a", say: "a" }], reversible: false }],
  });
  expect(inEnglish(given).parts[0]).not.toBe(given.parts[0]);
});
