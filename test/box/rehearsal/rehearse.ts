import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Rehearsal } from "../../../src/box/rehearsal/begin.ts";
import { type LocalRehearsals, openRehearsals } from "../../../src/box/rehearsal/rehearsals.ts";
import type { ProgramStart } from "../../../src/box-port.ts";

export type Place = { root: string; state: string; home: string; project: string; rehearsals: LocalRehearsals };

/** A file system in memory makes tests fast, and is another one than that of the temporary folder. */
export const MEMORY = "/dev/shm";

/** A machine for a test: a state folder, a home folder and a project in it whose name needs care. */
export function newPlace(under = MEMORY, stateUnder = under): Place & Disposable {
  const root = realpathSync(mkdtempSync(join(under, "leeway-rehearsal-")));
  const stateRoot = realpathSync(mkdtempSync(join(stateUnder, "leeway-rehearsal-")));
  const [state, home] = [join(stateRoot, "state"), join(root, "home")];
  const project = join(home, "pro,j:e\\c't");
  mkdirSync(project, { recursive: true });
  const rehearsals = openRehearsals(state, () => Date.now());
  const dispose = () => {
    spawnSync("chmod", ["-R", "u+rwx", root, stateRoot]);
    spawnSync("rm", ["-rf", root, stateRoot]);
  };
  return { root, state, home, project, rehearsals, [Symbol.dispose]: dispose };
}

/** Starts a program in a box that shows the views and nothing else of its own. */
export function inBox(rehearsal: Rehearsal, cwd: string, program: string, args: readonly string[]): ProgramStart {
  const views = rehearsal.views.flatMap(({ at, from }) => ["--bind", from, at]);
  const user = ["--unshare-user", "--unshare-pid", "--die-with-parent", "--uid", id("getuid"), "--gid", id("getgid")];
  const box = [...user, "--dev-bind", "/", "/", ...views, "--chdir", cwd, "--", program, ...args];
  const env = { PATH: "/usr/bin:/bin" };
  return rehearsal.start({ program: "/usr/bin/bwrap", name: "bwrap", args: box, cwd, env });
}

function id(of: "getuid" | "getgid"): string {
  return String(process[of]?.());
}

export type Ended = { code: number | null; out: string; errors: string };

export function runProgram({ program, args, cwd, env }: ProgramStart): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let errors = "";
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (errors += data));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, out, errors }));
  });
}

/** Rehearses a line of shell in the project. */
export async function rehearse(place: Place, line: string, way: "overlay" | "copy" = "overlay") {
  const rehearsal = await place.rehearsals.begin({ project: place.project, home: place.home, way });
  const start = inBox(rehearsal, place.project, "/bin/sh", ["-c", line]);
  const ended = await runProgram(start);
  return { name: rehearsal.name, ...ended, ...(await rehearsal.ended()) };
}
