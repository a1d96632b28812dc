import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../tidy/sources.ts";
import { type Machine, machine, program } from "./program.ts";
import { endAll, up } from "./servers.ts";

// The package as users have it: with its dependencies, and without the optional packages that this clone has.

let on: Machine;
let folder: string;
beforeAll(() => {
  on = machine();
  folder = mkdtempSync(join(tmpdir(), "leeway-installed-"));
  const built = dirname(dirname(program()));
  const place = join(folder, "node_modules", "leeway");
  for (const name of ["bin", "dist", "policies", "assets", "package.json"])
    cpSync(join(built, name), join(place, name), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
});
afterAll(() => {
  endAll();
  on.remove();
  rmSync(folder, { recursive: true, force: true });
});

test("the server of an installed package starts and stops without any optional package", async () => {
  const server = await up(on, [], join(folder, "node_modules", "leeway", "bin", "leeway.cjs"));
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(await server.stop()).toMatchObject({ code: 0 });
});

test("a program that names PostgreSQL without its package is told what to install, and nothing else", () => {
  const script = [
    'import { openGate } from "leeway";',
    'const gate = await openGate({ db: "postgres://127.0.0.1:1/none" });',
    'const said = await gate.submit({ agent: "a", tool: "read_file", args: { path: "a" } }).catch((error) => error);',
    "console.log(JSON.stringify([said.code, said.reason, said.hint]));",
    "await gate.close();",
  ].join("\n");
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
    env: on.env,
    encoding: "utf8",
  });
  expect(ran.status).toBe(0);
  expect(JSON.parse(ran.stdout)).toEqual([
    "LEEWAY_AUDIT_UNAVAILABLE",
    expect.stringContaining("npm install pg"),
    expect.not.stringContaining("disk"),
  ]);
});
