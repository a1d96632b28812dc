import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBoxing } from "../../src/box/boxing.ts";
import type { BoxReport, PreparedBox } from "../../src/box-port.ts";
import type { Walls } from "../../src/core/box.ts";

/** A home with a project in it, a state folder, and boxes for them. */
export type World = ReturnType<typeof makeWorld>;

export function makeWorld() {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-boxed-")));
  const [home, project, stateFolder] = [join(folder, "home"), join(folder, "home/project"), join(folder, "state")];
  for (const one of [project, stateFolder]) mkdirSync(one, { recursive: true });
  const boxes = openBoxing({ stateFolder, home }, Date.now).maker;
  return { folder, home, project, stateFolder, boxes, end: () => rmSync(folder, { recursive: true, force: true }) };
}

export type Ran = { code: number | null; signal: string | null; output: string; errors: string; report: BoxReport };

type How = {
  walls?: Partial<Walls>;
  env?: Record<string, string>;
  program?: string;
  args?: readonly string[];
  cwd?: string;
};

/** Makes a box. Fails with a clear sentence where none can be made. */
export async function prepared(
  { boxes, project, home }: World,
  { walls = {}, env = {}, ...how }: How,
  rehearse = false,
) {
  const ability = await boxes.ability();
  if (!ability.ok) throw new Error(`no box can be made here, and the tests need one: ${ability.why}; ${ability.hint}`);
  const { program = "/bin/sh", args = [], cwd = project } = how;
  const start = { program, name: program.split("/").at(-1) ?? program, args, cwd, env: { ...ENV, HOME: home, ...env } };
  return boxes.prepare(start, { write: [project], network: [], reveal: [], ...walls }, { rehearse, project });
}

const ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8" };

/** Runs a program in a box, by default a text for the shell, in a project that can be changed. */
export async function ranInBox(world: World, script: string, how: How = {}): Promise<Ran> {
  return ran(await prepared(world, { args: ["-c", script], ...how }));
}

/** Runs what a box was prepared for. */
export async function ran(box: PreparedBox): Promise<Ran> {
  const { program, name, args, cwd, env } = box.start;
  const child = spawn(program, args, { argv0: name, cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (bytes) => (output += bytes));
  child.stderr.on("data", (bytes) => (errors += bytes));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.on("error", reject).on("close", (...ended) => resolve(ended));
  });
  return { code, signal, output, errors, report: await box.ended(errors) };
}
