import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { leeway, machine } from "./program.ts";

const on = machine();
afterAll(() => on.remove());

test("bash completes commands, subcommands and their options", async () => {
  const script = join(on.home, "leeway.bash");
  writeFileSync(script, (await leeway(on, ["completion", "bash"])).stdout);
  expect(await bashCompletes(script, ["gr"])).toEqual(["grants"]);
  expect(await bashCompletes(script, ["grants", "re"])).toEqual(["revoke"]);
  expect(await bashCompletes(script, ["grants", "add", "--pa"])).toEqual(["--path"]);
  expect(await bashCompletes(script, ["log", "--fo"])).toEqual(["--follow"]);
});

test("the completion script of every shell names every command", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout, code } = await leeway(on, ["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["init", "inbox", "approve", "policy", "doctor"]) expect(stdout).toContain(word);
  }
});

test("an unknown shell is refused with the list of known ones", async () => {
  expect(await leeway(on, ["completion", "tcsh"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "leeway: unknown shell `tcsh`\n  hint: use one of: bash, zsh, fish\n",
  });
});

async function bashCompletes(script: string, words: readonly string[]): Promise<string[]> {
  const line = ["leeway", ...words].map((word) => `'${word}'`).join(" ");
  const code = `source '${script}'; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _leeway; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", code]);
  return stdout.split("\n").filter((word) => word !== "");
}
