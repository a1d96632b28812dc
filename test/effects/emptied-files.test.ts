import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { check } from "../../src/gate/calls/judging.ts";
import { openDeps } from "../../src/open.ts";

test("a tool that writes a file without any content removes what it had, and makes a new empty file", async () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "leeway-emptied-")));
  writeFileSync(join(project, "notes.txt"), "ten hours of work\n");
  const policy = { version: 1, preset: "standard" } as const;
  const deps = await openDeps({ db: ":memory:", policy, cwd: project, env: { PATH: "/usr/bin", HOME: project } });
  const classes = async (tool: string, args: Record<string, string>) =>
    (await check(deps, callOf(deps, { agent: "coder", tool, args, cwd: project }))).effect.parts.map(
      (part) => part.class,
    );
  const file = (name: string) => join(project, name);
  expect([
    await classes("Write", { file_path: file("notes.txt"), content: "" }),
    await classes("write_file", { path: "notes.txt", content: "" }),
    await classes("Write", { file_path: file("notes.txt"), content: "x" }),
    await classes("Write", { file_path: file("pkg/__init__.py"), content: "" }),
  ]).toEqual([["fs.delete", "fs.write"], ["fs.delete", "fs.write"], ["fs.write"], ["fs.write"]]);
  await deps.close();
  rmSync(project, { recursive: true });
});
