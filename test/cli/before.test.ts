import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { leeway, type Machine, machine } from "./program.ts";

// A machine on which nobody is set up yet: what a new user sees first.

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());

test("a program that does not exist ends with 127, and nobody is asked or told about it", async () => {
  for (const words of [["nosuchprog"], ["./nosuch.sh", "a"], ["/no/such/program"]]) {
    const ran = await leeway(on, ["run", "--receipt", "r.json", "--", ...words]);
    const stderr = `leeway: ${words[0]} was not found\n  hint: check the command's name\n`;
    expect([words, ran]).toEqual([words, { code: 127, stdout: "", stderr }]);
  }
  expect(existsSync(join(on.project, "r.json"))).toBe(false);
  expect((await leeway(on, ["log", "--kind", "call.decided", "--json"])).stdout).toBe("");
});

test("a variable in the environment counts for the programs that read it, and the refusal names it", async () => {
  const env = { KUBECONFIG: "k", NODE_OPTIONS: "--no-warnings", LESSOPEN: "| /usr/bin/lesspipe %s" };
  const policy = join(on.home, "no-box.yaml");
  writeFileSync(policy, "version: 1\npreset: standard\nbox: { for: [] }\n");
  const run = ["run", "--policy", policy, "--", "ls"];
  expect((await leeway(on, run, { env })).code).toBe(0);
  const ran = await leeway(on, run, { env: { ...env, LD_LIBRARY_PATH: "lib" } });
  expect([ran.code, ran.stdout]).toEqual([5, ""]);
  expect(ran.stderr).toContain("a person must approve this, but nobody is set up to answer");
  expect(ran.stderr).toContain("the variable LD_LIBRARY_PATH may change what programs do");
  expect(ran.stderr).not.toContain("KUBECONFIG");
});

test("check names the variables of the program that it did not consider, and doctor lists them all", async () => {
  const env = { KUBECONFIG: "k", GIT_DIR: "elsewhere" };
  const note = async (line: string) => (await leeway(on, ["check", "--command", line], { env })).stderr;
  expect(await note("ls -la")).toBe("");
  expect(await note("git status")).toBe(
    "not considered here: GIT_DIR, which is set in this environment; `leeway run` asks if a program reads it\n",
  );
  expect(await note("git status | sort")).toContain("GIT_DIR, KUBECONFIG");
  const { findings } = JSON.parse((await leeway(on, ["doctor", "--json"], { env })).stdout);
  expect(findings).toContainEqual({
    what: "variables",
    state: "warn",
    says: "GIT_DIR, KUBECONFIG are set: `leeway run` asks about commands that read them",
    hint: "unset what you do not need",
  });
});
