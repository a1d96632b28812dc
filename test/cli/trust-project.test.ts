import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { asAna, ended, PASSPHRASE } from "./person.ts";
import { leeway, machine, program } from "./program.ts";
import { screen } from "./screen.ts";

// A machine without bubblewrap: the file of bubblewrap is covered, so that no box can be made.

const on = machine();
afterAll(() => on.remove());

const HIDDEN = ["--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap", "--"] as const;

function withoutBoxes(...args: string[]) {
  const { status, stdout, stderr } = spawnSync("/usr/bin/bwrap", [...HIDDEN, process.execPath, program(), ...args], {
    cwd: on.project,
    env: on.env,
    encoding: "utf8",
  });
  return { code: status, stdout, stderr: stderr.replaceAll(/\s+/g, " ") };
}

const CODE = `code in files of the project ${on.project}, without a box: tests, builds, scripts, installed packages, also what agents write there`;

test("init trusts the project's code if it is told to and no box can be made, says so, and the grant can be revoked", async () => {
  writeFileSync(join(on.project, "Makefile"), "test:\n\techo ok\n");
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const set = ["init", "--yes", "--name", "ana", "--password-file", join(on.home, "pw"), "--json"];
  const ran = withoutBoxes(...set, "--trust-project");
  expect(ran.stderr).toContain("No box can be made here: bubblewrap is not installed");
  expect(ran.stderr).toContain(CODE);
  const { trusted } = JSON.parse(ran.stdout);
  expect((await leeway(on, ["grants", "list"])).stdout).toContain(`auto for ${CODE}`);
  const tier = () => JSON.parse(withoutBoxes("check", "--json", "--command", "make test").stdout).tier;
  expect(tier()).toBe("auto");
  expect((await asAna(on, ["grants", "revoke", trusted])).code).toBe(0);
  expect(tier()).toBe("ask");
});

test("grants for code of the project, and for calls in a box only, are added by name and shown literally", async () => {
  const added = await asAna(on, ["grants", "add", "--project-code"]);
  expect(added.text.replaceAll(/\s+/g, " ")).toContain(`this will run without a question: auto for ${CODE}`);
  await asAna(on, ["grants", "add", "--agent", "coder", "--command", "make all", "--in-box"]);
  const { stdout } = await leeway(on, ["grants", "list"]);
  expect(stdout).toContain(`auto for exactly \`make all\`, in ${on.project} (any class up to execute), only in a box`);
});

test.each([
  ["Enter", "\r", 0],
  ["Ctrl-C", "\x03", 1],
])(
  "where no box can be made, init asks about the project's code, and %s trusts nothing and keeps all else",
  async (_key, key, code) => {
    const fresh = machine();
    writeFileSync(join(fresh.home, "pw"), `${PASSPHRASE}\n`);
    const args = ["init", "--name", "ana", "--password-file", join(fresh.home, "pw")];
    const shown = screen(fresh, args, { rows: 60, through: ["/usr/bin/bwrap", ...HIDDEN] });
    await shown.shows("set this up?");
    shown.type("y");
    await shown.shows("without a question?");
    shown.type(key);
    expect((await ended(shown)).code).toBe(code);
    expect(shown.text().includes("everything else is set up")).toBe(code === 1);
    expect(existsSync(join(fresh.project, "leeway.yaml"))).toBe(true);
    expect(JSON.parse((await leeway(fresh, ["grants", "list", "--json"])).stdout)).toEqual([]);
    expect((await leeway(fresh, ["check", "--json", "--command", "ls"])).code).toBe(0);
    fresh.remove();
  },
);
