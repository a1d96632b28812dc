import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listTools, removeTools, toolsFolder } from "../../../src/box/packages/tools.ts";
import { makeWorld, ranInBox, type World } from "../boxed.ts";
import { crateAnswers, npmAnswers, pythonAnswers } from "./archives.ts";
import { openRegistry } from "./registry.ts";
import { ranRehearsed } from "./rehearsed.ts";

// The real pip, npm and cargo install "for the whole machine" in a box: the tools are there for boxes of the project alone.

let world: World;
const ends: (() => void)[] = [];
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => {
  world.end();
  for (const end of ends.splice(0)) end();
});

/** The program itself: what starts it here may be a script that keeps lists in a home which is not that of the test. */
const PYTHON = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
const PIP = `PIP_CONFIG_FILE=/dev/null ${PYTHON} -m pip`;

async function withLeft() {
  const { folder } = world;
  const on = await openRegistry(() => pythonAnswers(join(folder, "wheel")));
  ends.push(on.end);
  const source = { kind: "pypi", from: `${on.origin}/simple/` } as const;
  return ranRehearsed(world, `${PIP} install left 2>&1`, [source], { tools: ["pypi"] });
}

test("pip without an environment installs a tool that later boxes of the project find, and nothing else does", async () => {
  const installed = await withLeft();
  expect(installed).toMatchObject({ code: 0, output: expect.stringContaining("Successfully installed left-1.0") });
  const uses = "left-program && python3 -c 'import left; print(left.name)'";
  const seen = await ranInBox(world, uses, { walls: { tools: [] } });
  expect({ code: seen.code, output: seen.output }).toEqual({ code: 0, output: "ran left\nleft\n" });
  // A box whose walls do not have the tools, and one of another project.
  expect(await ranInBox(world, "left-program")).toMatchObject({ code: 127 });
  expect(await ranInBox(world, "python3 -c 'import left'")).toMatchObject({ code: 1 });
  const other = join(dirname(world.project), "other");
  mkdirSync(other);
  expect(await ranInBox({ ...world, project: other }, "left-program", { walls: { tools: [] } })).toMatchObject({
    code: 127,
  });
  // Nothing is at home, and nothing in the project.
  expect(existsSync(join(world.home, ".local"))).toBe(false);
  expect(readdirSync(world.project)).toEqual([]);
}, 180_000);

test("a box that only sees the tools cannot change them, and they never stand for a program of the machine", async () => {
  await withLeft();
  const write = "echo x > /run/leeway-tools/python/bin/left-program";
  expect(await ranInBox(world, write, { walls: { tools: [] } })).toMatchObject({ code: 2 });
  const fake = "printf '#!/bin/sh\\necho fake\\n' | tee /run/leeway-tools/npm/bin/ls >/run/leeway-tools/npm/bin/made";
  const script = `mkdir -p /run/leeway-tools/npm/bin && ${fake} && chmod +x /run/leeway-tools/npm/bin/*`;
  expect(await ranRehearsed(world, script, [], { tools: ["npm"] })).toMatchObject({ code: 0 });
  const ran = await ranInBox(world, "made; ls -d /", { walls: { tools: [] } });
  expect(ran.output).toBe("fake\n/\n");
}, 180_000);

test("a box that can read modules of Go does not find the tools on its path", async () => {
  await withLeft();
  const packages = [{ kind: "go", from: "http://127.0.0.1:9/" }] as const;
  const script = "left-program; echo $? $GOBIN; echo $PYTHONUSERBASE";
  const ran = await ranRehearsed(world, script, packages, { tools: ["go"] });
  expect(ran.output).toBe("127 /run/leeway-tools/go/bin\n\n");
}, 180_000);

test("npm installs a program with -g for boxes of the project, and the machine's folder of programs stays as it is", async () => {
  const files = { "left.js": "#!/usr/bin/env node\nconsole.log('ran left');\n" };
  const on = await openRegistry((origin) => npmAnswers(origin, "left", { bin: { left: "left.js" } }, files));
  ends.push(on.end);
  const source = { kind: "npm", from: `${on.origin}/` } as const;
  const ran = await ranRehearsed(world, "npm install -g left && left", [source], { tools: ["npm"] });
  expect({ code: ran.code, last: ran.output.trim().split("\n").at(-1) }).toEqual({ code: 0, last: "ran left" });
  const again = await ranInBox(world, "left", { walls: { tools: [] } });
  expect({ code: again.code, output: again.output }).toEqual({ code: 0, output: "ran left\n" });
  const removed = await ranRehearsed(world, "npm uninstall -g left; left", [source], { tools: ["npm"] });
  expect(removed.code).toBe(127);
}, 180_000);

test("cargo installs a program for boxes of the project", async () => {
  const main = 'fn main() { println!("ran left"); }\n';
  const on = await openRegistry((origin) => crateAnswers(world.folder, origin, { "src/main.rs": main }));
  ends.push(on.end);
  const rustup = process.env["RUSTUP_HOME"] ?? join(userInfo().homedir, ".rustup");
  const script = `export RUSTUP_HOME=${rustup}; cargo install left --quiet && left`;
  const ran = await ranRehearsed(world, script, [{ kind: "crates", from: `${on.origin}/` }], { tools: ["crates"] });
  expect(ran).toMatchObject({ code: 0, output: "ran left\n" });
  expect((await ranInBox(world, "left", { walls: { tools: [] } })).output).toBe("ran left\n");
}, 180_000);

test("the tools of projects are listed with their size and can be removed, and a link in them leads nowhere", async () => {
  const { stateFolder, project, home } = world;
  const script = `ln -s ${home} /run/leeway-tools/home && echo 1 > /run/leeway-tools/file`;
  expect(await ranRehearsed(world, script, [], { tools: ["npm"] })).toMatchObject({ code: 0 });
  const [only, ...others] = listTools(stateFolder);
  expect([only?.project, only?.isGone, others]).toEqual([project, false, []]);
  expect(only?.bytes).toBeGreaterThan(0);
  expect(readFileSync(join(toolsFolder({ stateFolder, project }), "files/file"), "utf8")).toBe("1\n");
  expect(removeTools({ stateFolder, project })).toBe(true);
  expect([listTools(stateFolder), existsSync(project)]).toEqual([[], true]);
  expect(removeTools({ stateFolder, project })).toBe(false);
}, 120_000);
