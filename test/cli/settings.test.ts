import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program } from "./program.ts";

// Problems around a command: variables, files of the state folder, places to write to.

let on: Machine;
beforeEach(async () => {
  on = machine();
  await setUpAna(on);
});
afterEach(() => on.remove());

const state = (...names: string[]) => join(on.home, "state", "leeway", ...names);

/** How a command that cannot continue ends: one line with the problem, one line with what to do, and no internals. */
async function told(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ what: string; hint: string }> {
  const ran = await leeway(on, args, { env });
  expect({ args, code: ran.code, stdout: ran.stdout }).toEqual({ args, code: 1, stdout: "" });
  const [, what = "", hint = ""] = /^leeway: (.+)\n {2}hint: (.+)\n$/.exec(ran.stderr) ?? [];
  expect(ran.stderr).toBe(`leeway: ${what}\n  hint: ${hint}\n`);
  expect(hint).not.toContain("LEEWAY_DEBUG");
  return { what, hint };
}

test("a receipt file that cannot be written is reported before anything is asked or run", async () => {
  const before = (await leeway(on, ["export"])).stdout;
  for (const place of ["/nowhere/receipt.json", "."]) {
    const ran = await leeway(on, ["run", "--receipt", place, "--", "touch", "made.txt"]);
    expect(ran).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("the receipt cannot be written"),
    });
  }
  expect((await leeway(on, ["export"])).stdout).toBe(before);
  expect(existsSync(join(on.project, "made.txt"))).toBe(false);
});

test("if a server is named, nothing is decided or changed in the local database", async () => {
  const named = { LEEWAY_URL: "http://127.0.0.1:4141", LEEWAY_TOKEN: "lwy_0_0" };
  for (const args of [["backup", "elsewhere"], ["up", "--port", "0"], ["verify"]]) {
    expect(await told(args, named)).toEqual({
      what: "LEEWAY_URL and LEEWAY_TOKEN name a server, but this command works on the database of this machine; nothing was done",
      hint: "unset LEEWAY_URL and LEEWAY_TOKEN to use the local database, or use the server's pages; docs/cli.md lists the commands that work with a server",
    });
  }
  for (const args of [["run", "--", "touch", "made"], ["status"], ["resume"], ["grants", "list"], ["people", "list"]]) {
    expect((await told(args, { LEEWAY_URL: named.LEEWAY_URL })).what).toBe(
      "LEEWAY_URL is set, but LEEWAY_TOKEN is not",
    );
    expect((await told(args, { LEEWAY_TOKEN: named.LEEWAY_TOKEN })).what).toBe(
      "LEEWAY_TOKEN is set, and no server runs on this machine",
    );
  }
  expect([existsSync(join(on.project, "elsewhere")), existsSync(join(on.project, "made"))]).toEqual([false, false]);
});

test("an invalid signing key is reported", async () => {
  writeFileSync(state("leeway.sign"), "junk\n");
  expect((await told(["status"])).what).toBe(`${state("leeway.sign")} is not a key`);
  rmSync(state("leeway.sign"));
  mkdirSync(state("leeway.sign"));
  expect((await told(["status"])).what).toBe(`${state("leeway.sign")} cannot be read (EISDIR)`);
});

test("a file in place of the folder of checkpoints is reported, and a folder in it is not a checkpoint", async () => {
  mkdirSync(state("checkpoints", "default", "0000000000009999.note"));
  expect((await leeway(on, ["verify"])).code).toBe(0);
  renameSync(state("checkpoints"), join(on.home, "checkpoints"));
  writeFileSync(state("checkpoints"), "");
  expect((await told(["verify"])).what).toBe(`${state("checkpoints", "default")} cannot be read (ENOTDIR)`);
});

test("a row that is not JSON is reported as damage of the database, with what to do", async () => {
  const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite");
  const db = new DatabaseSync(state("leeway.db"));
  db.exec("update people set row = '{broken'");
  db.close();
  const ran = await leeway(on, ["people", "list"]);
  expect([ran.code, ran.stdout]).toEqual([5, ""]);
  expect(ran.stderr).toMatch(
    /^leeway: this row of the database cannot be read: people \(without a readable id\) \(.*JSON.*LEEWAY_TAMPERED/s,
  );
  expect(ran.stderr).toContain("leeway restore");
});

test("for a file that is not a database the message says what to do, and does not blame a full disk", async () => {
  for (const end of ["-wal", "-shm"]) rmSync(`${state("leeway.db")}${end}`, { force: true });
  writeFileSync(state("leeway.db"), "garbage ".repeat(1000));
  expect(await told(["status"])).toEqual({
    what: "the file is not a database (file is not a database)",
    hint: "move it away, or restore a backup with `leeway restore`",
  });
});

test("output that cannot be written is reported, and a reader that stops early is not an error", () => {
  const run = (args: readonly string[], stdio: "pipe" | number) =>
    spawnSync(process.execPath, [program(), ...args], {
      cwd: on.project,
      env: on.env,
      encoding: "utf8",
      stdio: ["ignore", stdio, "pipe"],
    });
  const full = run(["log"], openSync("/dev/full", "w"));
  expect({ code: full.status, stderr: full.stderr }).toEqual({
    code: 1,
    stderr:
      "leeway: the answer could not be written (ENOSPC)\n" +
      "  hint: free disk space, or write to another place; `leeway log` shows what the command did\n",
  });
  appendFileSync(
    join(on.home, "head.sh"),
    `${process.execPath} ${program()} export | head -c 1 > /dev/null; echo "\${PIPESTATUS[0]}"\n`,
  );
  const head = spawnSync("bash", [join(on.home, "head.sh")], { cwd: on.project, env: on.env, encoding: "utf8" });
  expect({ stdout: head.stdout, stderr: head.stderr }).toEqual({ stdout: "0\n", stderr: "" });
  expect(readFileSync(state("leeway.key"))).toHaveLength(32);
});

test("a filter with an unknown value is refused, with the nearest known word", async () => {
  for (const [flag, slip, meant] of [
    ["--outcome", "denyed", "denied"],
    ["--class", "fs.wirte", "fs.write"],
  ] as const) {
    expect(await leeway(on, ["log", flag, slip])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`did you mean \`${meant}\`?`),
    });
  }
  expect((await leeway(on, ["check", "--tool", ""])).stderr).toContain("--tool is empty");
});

test("error messages show input shortened and with visible characters, and an empty value is refused", async () => {
  const hidden = await leeway(on, ["why", "a\u202eb\u200b\u001b[2J"]);
  expect(hidden).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("`a<U+202E>b<U+200B><U+001B>[2J` is not an id"),
  });
  const long = await leeway(on, ["show", "x".repeat(50_000)]);
  expect(long.stderr).toContain("… (50015 characters)");
  expect(long.stderr.length).toBeLessThan(1_500);
  for (const args of [
    ["trust", ""],
    ["deny", "apr_0", "--note", ""],
    ["log", "--agent", ""],
    ["run", "--", ""],
  ]) {
    expect(await leeway(on, args)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(" is empty\n"),
    });
  }
});

test("a policy with errors lets nothing run, and the hint names the command that shows how to correct it", async () => {
  writeFileSync(join(on.home, "broken.yaml"), "version: 1\npreset: standrd\n");
  const ran = await leeway(on, ["run", "--policy", join(on.home, "broken.yaml"), "--", "ls"]);
  expect([ran.code, ran.stderr]).toEqual([
    5,
    `leeway: the command did not run: ${join(on.home, "broken.yaml")}:2:9: expected a preset, found \`standrd\` (LEEWAY_POLICY_INVALID)
  hint: \`leeway policy check\` shows every error of the policy and how to correct it; no call runs before\n`,
  ]);
});
