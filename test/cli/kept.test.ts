import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shortId } from "../../src/cli/views/texts.ts";
import { asAna, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

// Programs in the background, each in a box of its own. These tests need a machine that can make boxes.

const on: Machine = machine();
beforeAll(() => setUpAna(on, "version: 1\npreset: standard\n"));
afterAll(() => on.remove());

const SERVER = `
const { createServer } = require("node:http");
const { writeFileSync } = require("node:fs");
process.on("SIGTERM", () => process.exit(7));
const server = createServer((_, answer) => answer.end("hi"));
server.listen(0, "127.0.0.1", () => { writeFileSync("ready.txt", "1"); console.log("listening"); });
require("node:child_process").spawn("sleep", ["3141.59"]);
`;

async function started(...command: string[]): Promise<string> {
  const ran = await leeway(on, ["run", "--json", "--background", "--", ...command]);
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  return JSON.parse(ran.stdout).call;
}
const json = async (...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);

test("a program in the background goes on after the command, is listed, shown and ended, and the record has its true end", async () => {
  writeFileSync(join(on.project, "server.js"), SERVER);
  const call = await started("node", "server.js");
  await expect.poll(() => existsSync(join(on.project, "ready.txt"))).toBe(true);
  expect(await json("box", "list")).toEqual([
    {
      call,
      agent: "cli",
      command: "node server.js",
      folder: on.project,
      sinceMs: expect.any(Number),
      state: "running",
      memoryBytes: expect.any(Number),
    },
  ]);
  expect((await leeway(on, ["box", "show", call])).stdout).toBe("listening\n");
  expect(await json("box", "show", call)).toEqual({ call, state: "running", exitCode: null, output: "listening\n" });
  expect(await json("box", "stop", call)).toEqual({ call, exitCode: 7 });
  expect(await json("box", "list")).toEqual([]);
  expect(await json("box", "show", call)).toEqual({ call, state: "ended", exitCode: 7, output: "listening\n" });
  expect(spawnSync("pgrep", ["-f", "sleep 3141.59"]).status).toBe(1);
  expect((await leeway(on, ["why", call])).stdout).toMatch(/ended +failed, exit code 7/);
});

test("a program that does not end when it is told to is ended with everything in its box", async () => {
  const call = await started("sh", "-c", "trap '' TERM; touch deaf.txt; while :; do sleep 0.1; done");
  await expect.poll(() => existsSync(join(on.project, "deaf.txt"))).toBe(true);
  expect(await json("box", "stop", call)).toEqual({ call, exitCode: 137 });
});

test("if what keeps a box is killed, the program ends with it, and nobody says how", async () => {
  const call = await started("sh", "-c", "touch kept.txt; exec sleep 2718.28");
  await expect.poll(() => existsSync(join(on.project, "kept.txt"))).toBe(true);
  const file = join(on.home, "state", "leeway", "box", "kept", call, "box.json");
  process.kill(JSON.parse(readFileSync(file, "utf8")).keeper.pid, "SIGKILL");
  await expect.poll(() => spawnSync("pgrep", ["-f", "sleep 2718.28"]).status).toBe(1);
  const all = await json("box", "list", "--all");
  expect(all.find((one: { call: string }) => one.call === call).state).toBe("lost");
  expect((await leeway(on, ["box", "stop", call])).code).toBe(1);
});

test("a command that gets no box is refused in the background before anybody is asked, and nothing is recorded", async () => {
  const recorded = async () => (await leeway(on, ["log", "--json"])).stdout;
  const before = await recorded();
  for (const command of [
    ["sh", "-c", "LEEWAY_BOX=off touch no.txt"],
    ["git", "push"],
    ["chmod", "u+s", "server.js"],
  ]) {
    expect(await leeway(on, ["run", "--background", "--", ...command])).toEqual({
      code: 5,
      stdout: "",
      stderr:
        "leeway: nothing was run: this command does not run in a box, and a program in the background runs only in one\n  hint: leave out --background\n",
    });
  }
  expect([await recorded(), existsSync(join(on.project, "no.txt"))]).toEqual([before, false]);
});

test("status counts the programs in the background, and a pause says how to end those that it does not end", async () => {
  const call = await started("sh", "-c", "exec sleep 1618.03");
  expect((await leeway(on, ["status"])).stdout).toMatch(/^background +1 running: see `leeway box list`$/m);
  expect(await json("status")).toMatchObject({ background: 1 });
  const said = `toendit:leewayboxstop${shortId(call)}`;
  for (const [args, isSaid] of [
    [[], true],
    [["--agent", "cli"], true],
    [["--agent", "other"], false],
    [["--tool", "shell"], false],
  ] as const) {
    const paused = await asAna(on, ["pause", ...args]);
    expect([args, paused.code, paused.text.replaceAll(/\s+/g, "").includes(said)]).toEqual([args, 0, isSaid]);
    expect((await asAna(on, ["resume", ...args])).code).toBe(0);
  }
  await json("box", "stop", call);
  expect(await json("status")).toMatchObject({ background: 0 });
});
