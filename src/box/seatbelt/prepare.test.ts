import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeWorld, ran, type World } from "../../../test/box/boxed.ts";
import { isUnmade } from "../../box-port.ts";
import type { Walls } from "../../core/box.ts";
import { makingOn } from "../boxing.ts";
import { NEVER_RUN } from "../reasons.ts";
import { type Keeping, type Kept, MADE } from "./keeper.ts";
import { prepareOnMac } from "./prepare.ts";
import { heardOnMac } from "./refusals.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.end());

function boxOf(walls: Partial<Walls> = {}) {
  const env = { PATH: "/usr/bin:/bin", HOME: world.home, SECRET_TOKEN: "abc" };
  const start = { program: "/bin/sh", name: "sh", args: ["-c", "echo ran > ran"], cwd: world.project, env };
  return prepareOnMac(start, { write: [world.project], network: [], reveal: [], ...walls }, world);
}

test("boxes are made by Seatbelt on macOS, and on other systems than Linux and macOS people are asked", async () => {
  expect(await makingOn("freebsd", world)).toEqual({
    ok: false,
    why: "boxes can be made on Linux and macOS only, and this system is freebsd",
    hint: "commands that would run in a box are asked about instead",
  });
  expect(await makingOn("darwin", world)).toEqual({
    ok: false,
    why: `/usr/bin/sandbox-exec is missing, which belongs to macOS; ${NEVER_RUN}`,
    hint: "commands that would run in a box are asked about instead",
  });
});

test("without sandbox-exec nothing runs, and the report says that there was no box", async () => {
  const { code, report } = await ran(await boxOf());
  expect(existsSync(join(world.project, "ran"))).toBe(false);
  expect([code, isUnmade(report, code)]).toEqual([125, true]);
  expect(readdirSync(join(world.stateFolder, "box/mac"))).toEqual([]);
});

test("the profile has what was found on the disk, and the variables are those of every box", async () => {
  mkdirSync(join(world.project, ".git/hooks"), { recursive: true });
  mkdirSync(join(world.home, "Library/Mail"), { recursive: true });
  mkdirSync(join(world.home, "Library/pnpm"), { recursive: true });
  writeFileSync(join(world.project, ".env"), "");
  const box = await boxOf({ network: ["a.example"] });
  const folder = join(world.stateFolder, "box/mac");
  const profile = readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith(".sb")) ?? ""), "utf8");
  const { http_proxy: proxy = "", TMPDIR: temporary = "", ...env } = box.start.env;
  // To macOS the folder for temporary files is a link.
  const [home, project, own] = [world.home, world.project, temporary].map((path) => `/private${path}`);
  for (const rule of [
    `(allow network-outbound (remote ip "localhost:${new URL(proxy).port}"))`,
    `(allow file-read* file-write* (subpath "${project}"))`,
    `(allow file-read* file-write* (subpath "${own}"))`,
    `(deny file-write* (subpath "${project}/.git")`,
    `(deny file-read* file-write* (subpath "${project}/.env")`,
    `(deny file-read* file-write* (subpath "${home}/Library")`,
    `(allow file-read* (subpath "${home}/Library/pnpm"))`,
    `(deny file-read* file-write* (subpath "/private/tmp")`,
  ])
    expect(profile).toContain(rule);
  expect(Object.keys(env).sort()).toEqual(
    ["ALL_PROXY", "HOME", "HTTPS_PROXY", "HTTP_PROXY", "NODE_USE_ENV_PROXY", "NO_PROXY", "PATH", "PWD"].concat([
      "all_proxy",
      "https_proxy",
      "no_proxy",
    ]),
  );
  await box.ended("");
  expect([existsSync(temporary), readdirSync(folder)]).toEqual([false, []]);
});

test("the report has what the keeper wrote: exceeded limits, and programs that were left", async () => {
  const box = await boxOf();
  const { status } = JSON.parse(box.start.args.at(-1) ?? "") as Keeping;
  const exceeded = [{ of: "limit", limit: "time", max: 5 }] as const;
  writeFileSync(status, `${MADE}\n${JSON.stringify({ exceeded, left: ["gradle"] } satisfies Kept)}\n`);
  expect(await box.ended("")).toEqual({ refused: exceeded, left: ["gradle"] });
});

test("a box that would install packages is not made on macOS", async () => {
  const packages = [{ kind: "npm", from: "https://registry.example/" }] as const;
  await expect(boxOf({ packages })).rejects.toThrow("packages cannot be installed in a box on macOS");
  await expect(boxOf({ tools: ["npm"] })).rejects.toThrow("packages cannot be installed in a box on macOS");
  expect(existsSync(join(world.stateFolder, "box/mac"))).toBe(false);
});

test.each([
  ["touch: /u/a: Operation not permitted", [{ of: "write", path: "/u/a" }]],
  ["bash: line 1: out.txt: Operation not permitted", [{ of: "write", path: "/p/out.txt" }]],
  ["zsh:1: operation not permitted: /u/b", [{ of: "write", path: "/u/b" }]],
  ["Error: EPERM: operation not permitted, open '/u/c d'", [{ of: "write", path: "/u/c d" }]],
  ["PermissionError: [Errno 1] Operation not permitted: '/u/d'", [{ of: "write", path: "/u/d" }]],
  ["Error: EPERM: operation not permitted, open '/p/.env'", []],
  ["Error: connect EPERM 93.184.216.34:443 - Local (0.0.0.0:0)", [{ of: "network", domain: "93.184.216.34:443" }]],
  ["curl: (6) Could not resolve host: a.example", [{ of: "network", domain: "a.example" }]],
  ["cat: /u/e: Permission denied", []],
])("what a program on macOS says about walls: %s", (errors, expected) => {
  expect(heardOnMac(errors, "/p", ["/p/.env"])).toEqual(expected);
});
