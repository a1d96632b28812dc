import { expect, test } from "vitest";
import { commandEffect } from "./commands.ts";

const commandsOf = (line: string) => commandEffect({ line }, { env: [] }).targets.map(({ words }) => words.join(" "));

test.each([
  ["npm test", ["npm test"]],
  ["npm run build", ["npm run build"]],
  ["yarn add left-pad", ["yarn add left-pad"]],
  ["pnpm --filter app test", ["pnpm --filter app test"]],
])("a package manager that runs no other program is one command: %s", (line, commands) => {
  expect(commandsOf(line)).toEqual(commands);
});

test.each([
  ["npm exec rm -rf x", ["npm exec rm -rf x", "rm -rf x"]],
  ["npm --prefix app exec -- rm -rf x", ["npm --prefix app exec -- rm -rf x", "rm -rf x"]],
  ["npm x rm -rf x", ["npm x rm -rf x", "rm -rf x"]],
  ["pnpm dlx rimraf x", ["pnpm dlx rimraf x", "rimraf x"]],
  ["yarn dlx rimraf x", ["yarn dlx rimraf x", "rimraf x"]],
  ["npx rimraf x", ["npx rimraf x", "rimraf x"]],
  ["sudo npm exec rm x", ["sudo npm exec rm x", "npm exec rm x", "rm x"]],
])("what it runs is seen too: %s", (line, commands) => {
  expect(commandsOf(line)).toEqual(commands);
});
