import { afterAll, expect, test } from "vitest";
import { leeway, machine } from "./program.ts";

const on = machine();
afterAll(() => on.remove());

const COMMANDS = [
  ["init"],
  ["status"],
  ["demo"],
  ["check"],
  ["run"],
  ["why"],
  ["inbox"],
  ["approve"],
  ["deny"],
  ["show"],
  ["grants"],
  ["grants", "list"],
  ["grants", "add"],
  ["grants", "revoke"],
  ["agents"],
  ["agents", "list"],
  ["agents", "show"],
  ["agents", "pause"],
  ["agents", "resume"],
  ["agents", "promote"],
  ["agents", "demote"],
  ["people"],
  ["people", "list"],
  ["people", "add"],
  ["people", "remove"],
  ["pause"],
  ["resume"],
  ["log"],
  ["verify"],
  ["export"],
  ["trust"],
  ["backup"],
  ["restore"],
  ["policy"],
  ["policy", "check"],
  ["policy", "test"],
  ["policy", "show"],
  ["policy", "diff"],
  ["policy", "accept"],
  ["policy", "try"],
  ["import"],
  ["doctor"],
  ["completion"],
];

test("every command's help has an example and its exit codes", { timeout: 120_000 }, async () => {
  const helps = await inBatches(COMMANDS, 4, async (words) => ({ words, ran: await leeway(on, [...words, "--help"]) }));
  for (const { words, ran } of helps) {
    expect({ words, code: ran.code, stderr: ran.stderr }).toEqual({ words, code: 0, stderr: "" });
    expect(ran.stdout).toMatch(new RegExp(`Examples:\n  leeway ${words[0]}`));
    expect(ran.stdout).toContain("Exit codes:\n  0  fine, or the call would run");
    if (words.length > 1 || !["grants", "agents", "people", "policy"].includes(words[0] ?? "")) {
      expect(ran.stdout).toContain("--json");
    }
  }
});

test("the help of the program lists every command and every exit code", async () => {
  const { stdout, code } = await leeway(on, ["--help"]);
  expect(code).toBe(0);
  for (const [word] of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${word}\\b`, "m"));
  for (const exit of [0, 1, 2, 3, 4, 5]) expect(stdout).toMatch(new RegExp(`^  ${exit}  \\w`, "m"));
});

test("help fits into eighty columns on a terminal", async () => {
  const { stdout } = await leeway(on, ["check", "--help"], { env: { COLUMNS: "80" } });
  expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

test("the version is the package's", async () => {
  expect((await leeway(on, ["--version"])).stdout).toBe("0.1.0\n");
});

test("a program called with nothing shows its help and says that something was missing", async () => {
  const { code, stderr } = await leeway(on, []);
  expect(code).toBe(2);
  expect(stderr).toContain("Examples:");
});

async function inBatches<T, R>(items: readonly T[], size: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += size)
    done.push(...(await Promise.all(items.slice(at, at + size).map(act))));
  return done;
}
