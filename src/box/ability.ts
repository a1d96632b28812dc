import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { dirname, join } from "node:path";
import type { PreparedBox, ProgramStart } from "../box-port.ts";
import { ownVersion } from "../config/version.ts";
import type { Walls } from "../core/box.ts";
import { sha256 } from "../core/values/hash.ts";
import { callFilter } from "./call-filter.ts";
import { type Launching, shellArgs } from "./launch.ts";
import { whyNot } from "./reasons.ts";
import { withLockFile } from "./rehearsal/lock.ts";
import { systemTool } from "./rehearsal/tools.ts";
import { tryWalls } from "./trial.ts";

export type No = { ok: false; why: string; hint: string; passing?: true };
export type Ability = { ok: true; launching: Launching } | No;

export type Prepare = (start: ProgramStart, walls: Walls, project: string) => Promise<PreparedBox>;

/** Whether boxes can be made here. The walls are tried unless they held before on the same machine, started by the same programs. */
export async function findAbility(
  { stateFolder }: { stateFolder: string },
  prepareWith: (launching: Launching) => Prepare,
): Promise<Ability> {
  if (callFilter(process.arch) === undefined) return whyNot.otherProcessor(process.arch);
  const bwrap = BWRAPS.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (bwrap === undefined) return whyNot.notInstalled();
  const file = join(stateFolder, "box", "ability.json");
  const facts = factsOf(bwrap, stateFolder);
  const known = (): Ability | undefined => {
    const launching = remembered(file, facts);
    return launching === undefined ? undefined : { ok: true, launching: { ...launching, bwrap } };
  };
  const tried = async (): Promise<Ability> => {
    const launching = { bwrap, ...programsOf(bwrap) };
    const walls = await tryWalls(prepareWith(launching), stateFolder);
    if (!walls.ok) return walls.what === "time" ? whyNot.busy() : whyNot.failed(walls.what, walls.errors);
    const { env = null, argv0, setpriv = null } = launching;
    remember(file, { facts, env, argv0, setpriv });
    return { ok: true, launching };
  };
  return known() ?? oneAtATime(dirname(file), async () => known() ?? tried());
}

/** Many commands that start together would all try the walls, and make each other late. One does, and the others find its answer. */
export async function oneAtATime<T>(folder: string, work: () => Promise<T | No>): Promise<T | No> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (systemTool("flock") === undefined) return work();
  let begun = false;
  try {
    return await withLockFile(folder, "trial", () => {
      begun = true;
      return work();
    });
  } catch (error) {
    if (begun) throw error;
    return whyNot.busy();
  }
}

/** Never searched in PATH: whoever can set that variable would decide what the walls are. */
const BWRAPS = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

function programsOf(bwrap: string): Remembered {
  const works = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: "ignore" }).status === 0;
  const help = spawnSync(bwrap, ["--help"], { encoding: "utf8" });
  return {
    env: works(ENV, "--default-signal=INT", "true") ? ENV : undefined,
    argv0: `${help.stdout}${help.stderr}`.includes("--argv0"),
    setpriv: works(SETPRIV, "--pdeathsig", "KILL", "--", "true") ? SETPRIV : undefined,
  };
}

const ENV = "/usr/bin/env";
const SETPRIV = "/usr/bin/setpriv";

/** Everything on which the answer depends, as one hash. */
function factsOf(bwrap: string, stateFolder: string): string {
  const { ino, size, mtimeMs, ctimeMs, uid, mode } = statSync(bwrap);
  const settings = SETTINGS.map((path) => readable(path));
  const box = shellArgs(
    { bwrap, env: "", argv0: false, setpriv: "" },
    [],
    { program: "", name: "", args: [] },
    { filter: "", processes: 0, cwd: "", status: "", after: "" },
  );
  return sha256(
    JSON.stringify({
      bwrap: [bwrap, ino, size, mtimeMs, ctimeMs, uid, mode],
      system: [release(), readable("/proc/sys/kernel/random/boot_id"), ...settings],
      leeway: [ownVersion(), process.version, process.execPath, process.getuid?.() ?? -1, stateFolder, box],
    }),
  );
}

const SETTINGS = [
  "/proc/sys/kernel/unprivileged_userns_clone",
  "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
  "/proc/sys/user/max_user_namespaces",
];

function readable(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? "" : readFileSync(path, "utf8").trim();
}

type Remembered = Omit<Launching, "bwrap">;

/** Only what this user wrote, nobody else can write, and is about the same facts. Everything else is tried again. */
export function saidBefore(file: string, facts: string): Record<string, unknown> | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.uid !== process.getuid?.() || (found.mode & 0o777) !== 0o600)
    return undefined;
  const said = parsed(readFileSync(file, "utf8"));
  return said?.["facts"] === facts ? said : undefined;
}

function remembered(file: string, facts: string): Remembered | undefined {
  const { env, argv0, setpriv } = saidBefore(file, facts) ?? {};
  if (typeof argv0 !== "boolean") return undefined;
  if ((env !== null && env !== ENV) || (setpriv !== null && setpriv !== SETPRIV)) return undefined;
  return { env: env ?? undefined, argv0, setpriv: setpriv ?? undefined };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function remember(file: string, said: { facts: string; [what: string]: unknown }): void {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, JSON.stringify(said), { mode: 0o600 });
  renameSync(next, file);
}
