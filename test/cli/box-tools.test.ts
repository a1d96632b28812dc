import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { toolsFolder } from "../../src/box/packages/tools.ts";
import { leeway, machine } from "./program.ts";

/** A machine with a tool that an earlier command in a box installed for this project: it says its name. */
function withTool(name: string) {
  const on = machine();
  const stateFolder = join(on.home, "state/leeway");
  const project = realpathSync.native(on.project);
  const folder = toolsFolder({ stateFolder, project });
  mkdirSync(join(folder, "files/npm/bin"), { recursive: true });
  for (const made of [stateFolder, join(stateFolder, "box"), folder]) chmodSync(made, 0o700);
  writeFileSync(join(folder, "project"), project);
  writeFileSync(join(folder, "files/npm/bin", name), `#!/bin/sh\necho ran ${name}\n`, { mode: 0o755 });
  const run = async (line: string, cwd = on.project) => {
    const { code, stdout } = await leeway(on, ["run", "--wait", "1s", "--", "sh", "-c", line], { cwd });
    return [code, stdout];
  };
  return { on, project, folder, run, [Symbol.dispose]: on.remove };
}

test("a tool runs in boxes of its project, not in those of another one, and not without a box", async () => {
  using here = withTool("some-tool");
  expect(await here.run("some-tool")).toEqual([0, "ran some-tool\n"]);
  expect(await here.run("LEEWAY_BOX=off some-tool")).toEqual([5, ""]);
  const other = join(here.on.home, "other");
  mkdirSync(other);
  expect((await here.run("some-tool", other))[0]).toBe(127);
  expect((await leeway(here.on, ["box", "--", "sh", "-c", "some-tool"])).code).toBe(127);
}, 120_000);

test("a rule about a program by its name counts for a tool", async () => {
  using here = withTool("some-tool");
  const rule = '{ id: never, match: { command: "some-tool *" }, tier: deny }';
  writeFileSync(join(here.on.home, "policy.yaml"), `version: 1\npreset: standard\nrules:\n  - ${rule}\n`);
  const policy = ["--policy", join(here.on.home, "policy.yaml")];
  const { code, stdout } = await leeway(here.on, ["run", ...policy, "--", "sh", "-c", "some-tool a"]);
  expect([code, stdout]).toEqual([5, ""]);
}, 60_000);

test("tools are listed and removed, and a project without tools is named", async () => {
  using here = withTool("some-tool");
  const listed = await leeway(here.on, ["box", "tools", "--json"]);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ project: here.project, isGone: false }]);
  const removed = await leeway(here.on, ["box", "tools", "--remove", "."]);
  expect([removed.code, removed.stdout]).toEqual([0, `the tools of ${here.project} are removed\n`]);
  expect(existsSync(here.folder)).toBe(false);
  const again = await leeway(here.on, ["box", "tools", "--remove", "."]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("no tools were installed for boxes of")]);
  expect((await leeway(here.on, ["box", "tools"])).stdout).toBe("No tools were installed for boxes of any project.\n");
}, 60_000);
