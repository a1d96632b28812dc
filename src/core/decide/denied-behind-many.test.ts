import { expect, test } from "vitest";
import { denied, isDenied, policyOf } from "../../../test/cases/denying.ts";
import { commandCall } from "../../../test/cases/trying.ts";
import type { Match } from "../policy.ts";

// However many other words a command has, a denied one among them is denied. If there are more than the gate examines, a
// deny that may apply to the rest applies.

const LINKS = { live: "infra/prod" };
const words = (count: number, ending = "") => Array.from({ length: count }, (_, i) => `a${i}${ending}`).join(" ");
const COUNTS = [5, 9, 40, 100, 400, 1_000];

test.each<[string, Match, (count: number) => string]>([
  ["a path behind a link", { path: ["infra/prod/**"] }, (count) => `gcc ${words(count, ".c")} -o live/main.tf`],
  [
    "a path matched by a pattern",
    { path: ["infra/prod/**"] },
    (count) => `gcc ${words(count, ".c")} -o infra/pr?d/main.tf`,
  ],
  [
    "a path in a long text",
    { path: ["infra/prod/**"] },
    (count) => `python3 -c 'x = "${words(count, "/b")}"; open("live/main.tf", "w")'`,
  ],
  [
    "a path in a patch",
    { path: ["infra/prod/**"] },
    (count) => `patch <<'P'\n${patch(count)}--- live/main.tf\n+++ live/main.tf\nP`,
  ],
  ["a command", { command: ["git push *"] }, (count) => `unknownwrap ${words(count)} git push origin main`],
  [
    "a command given as a text",
    { command: ["git push *"] },
    (count) => `unknownwrap ${texts(count)} 'git push origin main'`,
  ],
  [
    "a command behind a mark",
    { command: ["git push *"] },
    (count) => `unknownwrap ${marks(count)} -c 'git push origin main'`,
  ],
  [
    "a command in a text",
    { command: ["git push *"] },
    (count) => `awk 'BEGIN{${prints(count)} system("git push origin main")}'`,
  ],
  [
    "a command that another program gets",
    { command: ["git push *"] },
    (count) => `unknownwrap <<'E'\n${words(count).replaceAll(" ", "\n")}\ngit push origin main\nE`,
  ],
  [
    "a command of a program that starts others",
    { command: ["git push *"] },
    (count) => `poetry run ${words(count)} git push origin main`,
  ],
  ["a goal", { command: ["make deploy"] }, (count) => `make ${words(count)} deploy`],
  ["a class", { class: ["fs.delete"] }, (count) => `unknownwrap ${words(count)} rm -rf src`],
])("%s is denied behind any number of other words", (_, match, command) => {
  const commands = COUNTS.map(command);
  expect(denied(commands, match, LINKS).map((text) => text.length)).toEqual(commands.map((text) => text.length));
});

test("unknown options, however many, do not hide a subcommand", () => {
  const options = (count: number) => Array.from({ length: count }, (_, i) => `--a${i} b${i}`).join(" ");
  const commands = [1, 3, 4, 6, 9, 30].map((count) => `unknowncli ${options(count)} push main`);
  expect(denied(commands, { command: ["unknowncli push *"] })).toEqual(commands);
  expect(denied([`unknowncli ${options(9)} pull main`], { command: ["unknowncli push *"] })).toEqual([]);
});

test("many words without a denied one are not denied", () => {
  const commands = [5, 9, 40, 100, 300].flatMap((count) => [
    `gcc ${words(count, ".c")} -o build/main`,
    `unknownwrap ${words(count)} git status`,
    `unknownwrap <<'E'\n${words(count).replaceAll(" ", "\n")}\nE`,
    `make ${words(count)}`,
  ]);
  expect(denied(commands, { path: ["infra/prod/**"] }, LINKS)).toEqual([]);
  expect(denied(commands, { command: ["git push *"] }, LINKS)).toEqual([]);
});

test("a denied program that the tables do not know is denied behind every program that may start it", () => {
  const commands = [
    "unknownwrap mydeploy prod",
    "unknownwrap mydeploy install prod",
    "poetry run mydeploy prod",
    "poetry run a b c d e f g h mydeploy prod",
    "yarn mydeploy prod",
    "mpirun -n 1 mydeploy prod",
    "ccache mydeploy prod",
    "cmake -E chdir . mydeploy prod",
  ];
  expect(denied(commands, { command: ["mydeploy *"] })).toEqual(commands);
  expect(denied(commands, { command: ["my*y *"] })).toEqual(commands);
  expect(denied(["unknownwrap install mydeploy"], { command: ["mydeploy *"] })).toEqual([]);
});

test("an unknown tool with more commands than can be read is denied if a rule might deny the rest", () => {
  const told = (count: number) => ({
    ...commandCall("ls"),
    tool: "mystery_tool",
    args: { command: `unknownwrap ${texts(count)} 'git push origin main'` },
  });
  const counts = [1, 20, 400, 1_000];
  expect(counts.map((count) => isDenied(told(count), policyOf({ command: ["git push *"] })))).toEqual(
    counts.map(() => true),
  );
});

function patch(count: number): string {
  return Array.from({ length: Math.min(count, 200) }, (_, i) => `--- b${i}\n+++ b${i}\n`).join("");
}

function texts(count: number): string {
  return Array.from({ length: count }, (_, i) => `'say a${i}'`).join(" ");
}

function marks(count: number): string {
  return Array.from({ length: count }, (_, i) => `-c 'say a${i}'`).join(" ");
}

function prints(count: number): string {
  return Array.from({ length: count }, (_, i) => `print "a ${i}";`).join("");
}

test("if many words are known only at run time, each of them may be the denied one", () => {
  const opens = (count: number) => Array.from({ length: count }, (_, i) => `--a${i} "$A${i}"`).join(" ");
  const commands = [1, 2, 3, 5, 8, 9, 40].map((count) => `unknowncli ${opens(count)} "$B"`);
  expect(denied(commands, { command: ["unknowncli push *"] })).toEqual(commands);
  const others = [1, 2, 3, 5, 8, 9, 40].map((count) => `unknowncli pull ${opens(count)} "$B"`);
  expect(denied(others, { command: ["unknowncli push *"] })).toEqual([]);
});
