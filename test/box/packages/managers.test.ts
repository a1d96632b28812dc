import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeWorld, type World } from "../boxed.ts";
import { crateAnswers, pythonAnswers } from "./archives.ts";
import { openRegistry } from "./registry.ts";
import { ranRehearsed } from "./rehearsed.ts";

// The real pip and cargo in a box. Both are looked for: where one is missing, its test says so and fails.

let world: World;
const ends: (() => void)[] = [];
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => {
  world.end();
  for (const end of ends.splice(0)) end();
});

test("pip (from python3 of this machine) installs into an environment of the project, and asks only for packages", async () => {
  const { project, folder, home } = world;
  const on = await openRegistry(() => pythonAnswers(join(folder, "wheel")));
  ends.push(on.end);
  // Settings of this machine must not matter for the test.
  const env = { ...process.env, HOME: home, PIP_CONFIG_FILE: "/dev/null" };
  const made = spawnSync("python3", ["-m", "venv", ".venv"], { cwd: project, env, encoding: "utf8" });
  expect({ status: made.status, errors: made.stderr }).toEqual({ status: 0, errors: "" });
  const script =
    "PIP_CONFIG_FILE=/dev/null .venv/bin/pip install left && .venv/bin/python -c 'import left; print(left.name)'";
  const ran = await ranRehearsed(world, script, [{ kind: "pypi", from: `${on.origin}/simple/` }]);
  expect({ code: ran.code, last: ran.output.trim().split("\n").at(-1) }).toEqual({ code: 0, last: "left" });
  expect(on.asked.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
    "GET /simple/left/ ",
    "GET /packages/left-1.0-py3-none-any.whl ",
  ]);
  expect(readFileSync(join(project, ".venv/bin/pip"), "utf8")).not.toContain("127.0.0.1");
}, 180_000);

test("cargo (of this machine) adds and fetches a crate, and its lock file names the public registry", async () => {
  const { project, folder } = world;
  const on = await openRegistry((origin) => crateAnswers(folder, origin, { "src/lib.rs": "" }));
  ends.push(on.end);
  mkdirSync(join(project, "src"));
  writeFileSync(join(project, "src/lib.rs"), "");
  writeFileSync(join(project, "Cargo.toml"), '[package]\nname = "x"\nversion = "1.0.0"\nedition = "2021"\n');
  const rustup = process.env["RUSTUP_HOME"] ?? join(userInfo().homedir, ".rustup");
  const script = `export RUSTUP_HOME=${rustup}; cargo add left && cargo fetch && cargo publish --allow-dirty --no-verify --token secret`;
  const ran = await ranRehearsed(world, script, [{ kind: "crates", from: `${on.origin}/` }]);
  // Everything but the last works.
  expect({ code: ran.code, errors: ran.errors }).toMatchObject({
    code: 101,
    errors: expect.stringContaining("publish"),
  });
  expect(readFileSync(join(project, "Cargo.toml"), "utf8")).toContain('left = "1.0.0"');
  expect(readFileSync(join(project, "Cargo.lock"), "utf8")).toContain(
    'name = "left"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"',
  );
  expect(new Set(on.asked.map(({ method, url, body }) => `${method} ${url} ${body}`))).toEqual(
    new Set(["GET /config.json ", "GET /le/ft/left ", "GET /crates/left/1.0.0/download "]),
  );
}, 180_000);
