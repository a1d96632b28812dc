import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBoxing } from "../../src/box/boxing.ts";
import { makeWorld, prepared, ran, type World } from "./boxed.ts";

// Files that somebody outside replaces while a box runs in which they are hidden or protected: Linux drops the mount over them.

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.end());

/** Runs a script while `replace` is done outside. The script waits for it with `await`; what is in the files then is its output. */
async function whileReplacing(script: string, replace: () => unknown) {
  const { project } = world;
  const waiting = "await() { : > here; while ! [ -e there ]; do sleep 0.02; done; sleep 0.5; }";
  const box = ran(await prepared(world, { args: ["-c", `${waiting}\n${script}`] }));
  await expect.poll(() => existsSync(join(project, "here")), { interval: 10 }).toBe(true);
  await replace();
  writeFileSync(join(project, "there"), "");
  return box;
}

const REPLACING: { readonly [how: string]: (path: string, text: string) => unknown } = {
  rename: (path, text) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  },
  "remove and write": (path, text) => {
    rmSync(path);
    writeFileSync(path, text);
  },
  "changes of another box": async (path, text) => {
    const { project, stateFolder, home } = world;
    const { maker, rehearsals } = openBoxing({ stateFolder, home }, Date.now);
    writeFileSync(join(project, "text"), text);
    const start = { program: "/bin/sh", name: "sh", cwd: project, env: { PATH: "/usr/bin:/bin" } };
    const args = ["-c", 'rm -f "$1"; cp text "$1"', "sh", path];
    const walls = { write: [project], network: [], reveal: [] };
    const box = await maker.prepare({ ...start, args }, walls, { rehearse: true, project });
    const { report, errors } = await ran(box);
    expect([errors, report.rehearsal?.changes.length]).toEqual(["", 1]);
    expect(await rehearsals.apply(report.rehearsal?.name ?? "")).toMatchObject({ ok: true });
  },
};

for (const [how, replace] of Object.entries(REPLACING))
  test(`a hidden file stays hidden and a protected one protected when they are replaced: ${how}`, async () => {
    const { project } = world;
    mkdirSync(join(project, "sub"));
    const [hidden, kept] = [
      [".env", "sub/.env"],
      ["package.json", "sub/package.json"],
    ].map((names) => names.map((name) => join(project, name))) as [string[], string[]];
    const files = how === "changes of another box" ? kept : [...hidden, ...kept];
    for (const path of [...hidden, ...kept]) writeFileSync(path, "before\n");
    const read =
      "cat .env sub/.env package.json sub/package.json; for one in package.json sub/package.json .env; do echo x >> $one; done";
    const { code, output, report } = await whileReplacing(`await; { ${read}; } 2>/dev/null; echo end`, async () => {
      for (const path of files) await replace(path, "after\n");
    });
    expect({ code, output, refused: report.refused }).toEqual({ code: 0, output: "after\nafter\nend\n", refused: [] });
    expect(files.map((path) => readFileSync(path, "utf8"))).toEqual(files.map(() => "after\n"));
  });

test("a box is ended when a hidden file was replaced and read before it was covered again, and the reason is said", async () => {
  const env = join(world.project, ".env");
  writeFileSync(env, "before");
  const { code, report } = await whileReplacing("await; sleep 60", async () => {
    writeFileSync(`${env}.new`, "after");
    await new Promise((resolve) => setTimeout(resolve, 20));
    renameSync(`${env}.new`, env);
    // The box is looked at by this process, so only after this. Who has read the file, Linux does not say.
    readFileSync(env);
  });
  expect({ code, refused: report.refused }).toEqual({ code: 137, refused: [{ of: "uncovered", path: env }] });
});
