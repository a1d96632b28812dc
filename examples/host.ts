// What the examples of agent programs share: a home and a project of their own, `leeway init`, and programs started as an
// agent program starts them. No agent program has to be installed.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The real program: `npm run build` makes it. */
const PROGRAM =
  process.env["LEEWAY_PROGRAM"] ?? join(dirname(fileURLToPath(import.meta.url)), "..", "bin", "leeway.cjs");

const POLICY = `version: 1
preset: standard
rules:
  - name: never-wipe
    match: { command: "rm -rf *" }
    tier: deny
    because: whole folders are not deleted by agents
`;

export type Ran = { code: number | null; stdout: string; stderr: string };

/** Runs the story on a new machine and removes it afterwards. */
export async function onNewMachine(story: (on: Machine) => Promise<void>): Promise<void> {
  const on = machine();
  try {
    await story(on);
  } finally {
    rmSync(on.home, { recursive: true, force: true });
  }
}

export type Machine = ReturnType<typeof machine>;

function machine() {
  const home = mkdtempSync(join(tmpdir(), "leeway-example-"));
  const project = join(home, "project");
  mkdirSync(project);
  // Nothing of the real home is used; no process goes on after the example.
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, LEEWAY_RESIDENT: "off" };
  const write = (path: string, text: string) => writeFileSync(join(project, path), text);
  write("leeway.yaml", POLICY);
  writeFileSync(join(home, "passphrase.txt"), "correct horse\n");

  /** `leeway init HOST`, as ana, who is the first person on this machine. */
  const init = (host: string): void => {
    const person = ["--name", "ana", "--password-file", join(home, "passphrase.txt")];
    const args = [PROGRAM, "init", host, "--yes", ...person];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: project, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`leeway init ${host} failed: ${stderr}`);
  };

  /** Starts a program as the settings of the agent program say, and gives it the event. */
  const start = ([program = "", ...args]: readonly string[], event: object): Promise<Ran> =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd: project, env });
      const said = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const)
        child[name].setEncoding("utf8").on("data", (text: string) => {
          said[name] += text;
        });
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, ...said }));
      child.stdin.end(JSON.stringify(event));
    });

  return {
    ...{ home, project, env, write, init, start },
    /** A settings file that `leeway init` has written. */
    settings: (path: string) => JSON.parse(readFileSync(join(project, path), "utf8")),
  };
}
