import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { leeway, type Machine, machine } from "./program.ts";

// The program is told that it runs on another system. What it then looks for is not there, as on a machine that makes no boxes.

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());

function systemNamed(name: string): Record<string, string> {
  const file = join(on.home, `${name}.cjs`);
  // The database has a part for this system, and must find it.
  const said = `/node-gyp-build|photostructure/.test(new Error().stack) ? "${process.platform}" : "${name}"`;
  writeFileSync(file, `Object.defineProperty(process, "platform", { get: () => ${said} });`);
  return { NODE_OPTIONS: `--require ${file}` };
}

test.each([
  ["freebsd", "boxes can be made on Linux and macOS only, and this system is freebsd"],
  ["darwin", "/usr/bin/sandbox-exec is missing, which belongs to macOS; boxes on macOS were never run on a Mac by us"],
])("on %s without boxes doctor says why, code is asked about, and nothing runs", async (system, why) => {
  const env = systemNamed(system);
  const { findings } = JSON.parse((await leeway(on, ["doctor", "--json"], { env })).stdout);
  expect(findings).toContainEqual({
    what: "box",
    state: "warn",
    says: `no box can be made here: ${why}`,
    hint: "commands that would run in a box are asked about instead",
  });
  writeFileSync(join(on.project, "code.js"), 'require("node:fs").writeFileSync("ran", "")');
  const ran = await leeway(on, ["run", "--", "node", "code.js"], { env });
  expect([ran.code, existsSync(join(on.project, "ran"))]).toEqual([5, false]);
  expect(ran.stderr).toContain("a person must approve this");
  const boxed = await leeway(on, ["box", "--", "node", "code.js"], { env });
  expect([boxed.code, existsSync(join(on.project, "ran"))]).toEqual([5, false]);
  expect(boxed.stderr).toContain(`no box can be made here (${why}), so nothing was run`);
});
