import { expect, test } from "vitest";
import { classify } from "../../src/core/classify/classify.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { covers } from "../../src/core/decide/grants.ts";
import type { Grant } from "../../src/core/standing/grant.ts";
import { commandCall, knowing } from "../cases/trying.ts";

const NOW = 1_000;

function coversCommand(words: readonly string[], command: string): boolean {
  const call = commandCall(command);
  const grant = {
    id: "grt_1",
    workspace: call.workspace,
    subject: { agent: call.agent },
    covers: { class: "process.exec", level: "admin", targets: [{ kind: "command", words, cwd: call.cwd }] },
    tier: "auto",
    grantedBy: { person: "ana" },
    because: "",
    createdMs: NOW - 1,
    untilMs: NOW + 1,
    state: "live",
  } as unknown as Grant;
  return covers(grant, call, classify(readCall(call), knowing(call)), NOW);
}

test("a grant for a script covers the arguments that are passed to it", () => {
  expect(coversCommand(["npm", "test", "*"], "npm test")).toBe(true);
  expect(coversCommand(["npm", "test", "*"], "npm test -- --shell a")).toBe(true);
  expect(coversCommand(["npm", "run", "build", "*"], "npm run build --silent")).toBe(true);
});

test("no grant for a script covers an option that starts another program or selects another project", () => {
  const options = [
    "--script-shell=./x",
    "--script-shell ./x",
    "--node-options=-r=./x",
    "--prefix ../x",
    "--userconfig=./x",
    "--script-sh=./x",
  ];
  for (const option of options)
    expect([option, coversCommand(["npm", "test", "*"], `npm test ${option}`)]).toEqual([option, false]);
  expect(coversCommand(["pnpm", "*"], "pnpm --config.script-shell=./x test")).toBe(false);
  expect(coversCommand(["bun", "*"], "bun --cwd ../x test")).toBe(false);
  expect(coversCommand(["yarn", "*"], "yarn --cwd ../x test")).toBe(false);
});
