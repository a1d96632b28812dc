import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findProgram } from "./programs.ts";

const project = realpathSync(mkdtempSync(join(tmpdir(), "leeway-programs-")));
afterAll(() => rmSync(project, { recursive: true, force: true }));

test("a program found in a folder of the project is loose, or installed if a package manager maintains that folder", () => {
  for (const folder of ["bin", "node_modules/.bin", ".venv/bin"]) {
    mkdirSync(join(project, folder), { recursive: true });
    writeFileSync(join(project, folder, "tool"), "#!/bin/sh\n");
    chmodSync(join(project, folder, "tool"), 0o755);
  }
  const found = (PATH: string, name = "tool") => findProgram(name, { cwd: "/", env: { PATH }, project });
  expect(found(`${project}/bin:/usr/bin`)).toEqual({ path: `${project}/bin/tool`, loose: true });
  expect(found(`${project}/bin:/usr/bin`, "ls")).toEqual({ path: "/usr/bin/ls", loose: true });
  expect(found(`/usr/bin:${project}/bin`, "ls")).toEqual({ path: "/usr/bin/ls", loose: false });
  expect(found(`${project}/node_modules/.bin:/usr/bin`)).toEqual({
    path: `${project}/node_modules/.bin/tool`,
    loose: false,
    installed: true,
  });
  expect(found(`${project}/.venv/bin:/usr/bin`, "ls")).toEqual({ path: "/usr/bin/ls", loose: false });
  expect(found("/usr/bin", "no-such-program")).toBeUndefined();
});
