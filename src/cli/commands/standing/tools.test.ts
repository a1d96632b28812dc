import { expect, test } from "vitest";
import type { Declaration } from "../../../core/standing/declaration.ts";
import { policyFrom } from "../../../testing.ts";
import { policyRows } from "./tools.ts";

type Said = Pick<Declaration, "about" | "class"> & { agent?: string };

function exported(said: readonly Said[]): string {
  const rows = said.map((one, at) => ({ ...one, id: `dec_${at}`, declaredBy: "ana", state: "live" }));
  return policyRows(rows as unknown as Declaration[]);
}

const tool = (name: string, letter?: string): Declaration["about"] =>
  letter === undefined
    ? { of: "tool", tool: name }
    : { of: "tool", tool: name, definition: `sha256:${letter.repeat(64)}` as never };

test("declarations of tools and of whole servers are exported as rows that a policy file accepts", () => {
  const text = exported([
    { about: tool("get_weather"), class: "network.read" },
    { about: { of: "server", server: "docs" }, class: "network.read" },
    { about: tool("peek"), class: "fs.read", agent: "coder" },
  ]);
  expect(text).toBe(
    [
      "tools:",
      '  "get_weather": { class: network.read } # declared by ana',
      '  "docs/*": { class: network.read } # declared by ana',
      "# not exported: peek (fs.read) for coder alone",
    ].join("\n"),
  );
  expect(policyFrom(`version: 1\n${text}\n`).tools.map(({ name }) => name)).toEqual(["get_weather", "docs/*"]);
});

test("if a tool has several definitions or spellings, its most dangerous class is exported", () => {
  const text = exported([
    { about: tool("find_it", "a"), class: "network.read" },
    { about: tool("findIt", "b"), class: "db.write" },
    { about: tool("find_it", "c"), class: "none" },
  ]);
  expect(text).toBe('tools:\n  "findIt": { class: db.write } # declared by ana');
});
