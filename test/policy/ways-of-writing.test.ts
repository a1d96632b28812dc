import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { check } from "../../src/gate/calls/judging.ts";
import { openDeps } from "../../src/open.ts";
import { leeway, machine } from "../cli/program.ts";

// A file gets its content in several ways. A rule that asks or denies and says `fs.write` means all of them.

let project: string;
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "leeway-ways-")));
  mkdirSync(join(project, "src"));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

type Tiers = { readonly [name: string]: string };

/** The tier of each command under one rule about `conf/live/**`, or about `*.pem` in every folder. */
async function tiersOf(rule: object, tiers: Tiers, commands: readonly string[]): Promise<Record<string, string>> {
  const policy = { version: 1, tier: "auto", tiers, rules: [{ name: "r", because: "it matters", ...rule }] };
  const deps = await openDeps({
    db: ":memory:",
    policy: policy as never,
    cwd: project,
    env: { PATH: "/usr/bin:/bin" },
  });
  const found: Record<string, string> = {};
  for (const command of commands) {
    const call = callOf(deps, { agent: "coder", tool: "shell", args: { command }, cwd: project });
    found[command] = (await check(deps, call)).decision.tier;
  }
  await deps.close();
  return found;
}

const LIVE = { class: "fs.write", path: "conf/live/**" };

test("a rule that refuses writing below a folder refuses copying, moving, linking and replacing the folder around it", async () => {
  expect(
    await tiersOf({ match: LIVE, tier: "deny" }, {}, [
      "echo a > conf/live/a",
      "cp a conf/live/a",
      "cp -r a conf/live",
      "mv a conf/live/b",
      "ln -s a conf/live/c",
      "install a conf/live/d",
      "rsync -a a/ conf/",
      "mv staged conf",
      "cp a conf/live/package.json",
      "mv conf/live/a b",
      "cp conf/live/a b",
      "cat conf/live/a",
      "mv other elsewhere",
    ]),
  ).toEqual({
    "echo a > conf/live/a": "deny",
    "cp a conf/live/a": "deny",
    "cp -r a conf/live": "deny",
    "mv a conf/live/b": "deny",
    "ln -s a conf/live/c": "deny",
    "install a conf/live/d": "deny",
    "rsync -a a/ conf/": "deny",
    "mv staged conf": "auto",
    "cp a conf/live/package.json": "deny",
    "mv conf/live/a b": "deny",
    "cp conf/live/a b": "auto",
    "cat conf/live/a": "auto",
    "mv other elsewhere": "auto",
  });
});

test("a rule about a name in any folder says nothing about a folder that is moved or copied as a whole", async () => {
  const rule = { match: { class: "fs.write", path: "**/*.pem" }, tier: "ask" };
  expect(await tiersOf(rule, {}, ["mv src lib", "cp -r src lib", "mv a.pem b", "cp a b/c.pem"])).toEqual({
    "mv src lib": "auto",
    "cp -r src lib": "auto",
    "mv a.pem b": "ask",
    "cp a b/c.pem": "ask",
  });
});

test("another way of writing only makes a call stricter: no rule lets run what a row refuses, and none that lets calls run means more than it names", async () => {
  const copies = ["cp a conf/live/a", "echo a > conf/live/a"];
  expect(await tiersOf({ match: LIVE, tier: "ask" }, { "fs.copy": "deny", "fs.write": "deny" }, copies)).toEqual({
    "cp a conf/live/a": "deny",
    "echo a > conf/live/a": "ask",
  });
  expect(await tiersOf({ match: LIVE, tier: "auto" }, { "fs.copy": "ask", "fs.write": "ask" }, copies)).toEqual({
    "cp a conf/live/a": "ask",
    "echo a > conf/live/a": "auto",
  });
});

test("`leeway policy check` names a rule that asks about copying or moving and leaves writing open", async () => {
  const on = machine();
  const rule = (name: string, kind: string, tier: string) =>
    `  - { name: ${name}, match: { class: ${kind}, path: "conf/**" }, tier: ${tier}, because: x }\n`;
  writeFileSync(
    join(on.project, "new.yaml"),
    `version: 1\nrules:\n${rule("one", "fs.move", "deny")}${rule("all", "fs.write", "deny")}${rule("free", "fs.copy", "auto")}`,
  );
  const { code, stdout } = await leeway(on, ["policy", "check", "new.yaml"]);
  on.remove();
  expect(code).toBe(0);
  expect(stdout.replaceAll(`${on.project}/`, "")).toEqual(
    [
      "new.yaml: fine",
      "new.yaml:3:5: rule `one`: the same files can also be changed as fs.write, fs.copy, deploy.write, permissions.change, schedule.write, about which it says nothing (add `fs.write`: a rule that asks or denies and names it holds for every way of writing a file)",
      "",
    ].join("\n"),
  );
});
