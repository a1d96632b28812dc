import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBoxing } from "../../src/box/boxing.ts";
import type { ProgramStart } from "../../src/box-port.ts";

// Real projects with their own tests, run outside of a box, in a live box and in a rehearsed one.

/** A project whose published archive has its tests. `needs`: the packages that its tests use. */
export type Project = {
  name: string;
  from: "npm" | "debian";
  archive: string;
  needs?: readonly string[];
  /** Where its tests are started, in the unpacked archive. */
  folder?: string;
  command: string;
};

/** How a suite ended: its exit code, and every test with its result, in the order of the names. */
export type Ending = { code: number | null; tests: readonly string[] };

/** A home with the project in it. */
export function fetched(project: Project) {
  const world = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-project-")));
  const [home, root, stateFolder] = [join(world, "home"), join(world, "home", "project"), join(world, "state")];
  for (const folder of [root, stateFolder]) mkdirSync(folder, { recursive: true });
  if (project.from === "npm") fromNpm(project, root);
  else fromDebian(project, root);
  const folder = join(root, project.folder ?? "");
  return { home, root, folder, stateFolder, remove: () => rmSync(world, { recursive: true, force: true }) };
}

type Place = Pick<ReturnType<typeof fetched>, "home" | "root" | "folder" | "stateFolder">;

function done(command: string, args: readonly string[], cwd: string): string {
  const ran = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${ran.status}: ${ran.stderr}`);
  return ran.stdout;
}

function fromNpm({ archive, needs = [] }: Project, root: string): void {
  const packed = done("npm", ["pack", archive, "--silent"], root).trim();
  done("tar", ["xzf", packed, "--strip-components=1"], root);
  // What its makers need besides the tests is large and is not used here.
  const file = join(root, "package.json");
  const { devDependencies: _, scripts: __, ...kept } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(kept));
  done("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...needs], root);
}

function fromDebian({ archive }: Project, root: string): void {
  done("apt-get", ["download", "-qq", archive], root);
  done("sh", ["-c", "dpkg-deb -x ./*.deb . && rm ./*.deb"], root);
}

export async function ranOutside(place: Place, command: string): Promise<Ending> {
  return suite(startOf(place, command));
}

export async function ranInside(place: Place, command: string, how: { rehearse: boolean }): Promise<Ending> {
  const { home, root, stateFolder } = place;
  const { maker, rehearsals } = openBoxing({ stateFolder, home }, Date.now);
  const ability = await maker.ability();
  if (!ability.ok) throw new Error(`no box can be made here, and the tests need one: ${ability.why}; ${ability.hint}`);
  const walls = { write: [root], network: [], reveal: [] };
  const box = await maker.prepare(startOf(place, command), walls, { ...how, project: root });
  const ending = await suite(box.start);
  const { rehearsal } = await box.ended("");
  if (rehearsal !== undefined) await rehearsals.drop(rehearsal.name);
  return ending;
}

function startOf({ home, folder }: Place, command: string): ProgramStart {
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", HOME: home, NO_COLOR: "1" };
  return { program: "/bin/sh", name: "sh", args: ["-c", command], cwd: folder, env };
}

async function suite({ program, name, args, cwd, env }: ProgramStart): Promise<Ending> {
  const child = spawn(program, args, { argv0: name, cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += bytes));
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  return { code, tests: testsIn(output) };
}

/** Lines of TAP (`ok 3 - name`) and of Python's unittest (`name … ok`, with anything that the test itself printed in between). */
const TAP = /^ *(ok|not ok) \d+ (?:- )?(.+?)(?: # time=.*)?$/gm;
const UNITTEST = /^(\w+ \([\w.]+\))[\s\S]*? \.\.\. [\s\S]*?(ok|FAIL|ERROR|expected failure|skipped\b.*)$/gm;

function testsIn(output: string): readonly string[] {
  const tap = [...output.matchAll(TAP)].map(([, result, name]) => `${name}: ${result}`);
  const unittest = [...output.matchAll(UNITTEST)].map(([, name, result]) => `${name}: ${result}`);
  return [...tap, ...unittest].sort();
}
