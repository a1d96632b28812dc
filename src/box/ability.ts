import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { dirname, join } from "node:path";
import type { BoxAbility, PreparedBox, ProgramStart } from "../box-port.ts";
import { ownVersion } from "../config/version.ts";
import type { Walls } from "../core/box.ts";
import { sha256 } from "../core/values/hash.ts";
import { callFilter } from "./call-filter.ts";
import { canShareMounts } from "./covers/covering.ts";
import { type Launching, shellArgs } from "./launch.ts";
import { whyNot } from "./reasons.ts";
import { withLockFile } from "./rehearsal/lock.ts";
import { systemTool } from "./rehearsal/tools.ts";
import { tryWalls } from "./trial.ts";

export type No = Extract<BoxAbility, { ok: false }>;
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
  const found = await knownOrTried(stateFolder, factsOf(bwrap, stateFolder), remembered, async () => {
    const programs = programsOf(bwrap);
    const walls = await tryWalls(prepareWith({ bwrap, ...programs }), stateFolder);
    if (walls.ok) return { ok: true, known: programs };
    return walls.what === "time" ? whyNot.busy() : whyNot.failed(walls.what, walls.errors);
  });
  return found.ok ? { ok: true, launching: { ...found.known, bwrap } } : found;
}

/** How long a failed trial counts: it takes long, and every command would repeat it. */
const REMEMBERED_NO_MS = 60_000;

type Known<T> = { ok: true; known: T } | No;

/**
 * What the walls did when they were tried, by this process or an earlier one. \`readKnown\`: what the trial found out besides;
 * undefined if it cannot be used. A no is \`isNew\` if it was never given about these facts.
 */
export async function knownOrTried<T extends object>(
  stateFolder: string,
  facts: string,
  readKnown: (said: Said) => T | undefined,
  tryOut: () => Promise<Known<T>>,
): Promise<Known<T>> {
  const file = join(stateFolder, "box", "ability.json");
  const answered = (): Known<T> | undefined => {
    const said = saidBefore(file, facts);
    if (said === undefined) return undefined;
    const no = noIn(said);
    if (no !== undefined) return isRecent(file) ? no : undefined;
    const known = readKnown(said);
    return known === undefined ? undefined : { ok: true, known };
  };
  const tried = async (): Promise<Known<T>> => {
    const { why: before } = saidBefore(file, facts) ?? {};
    const found = await tryOut();
    if (found.ok) remember(file, { facts, ...found.known });
    else if (found.passing !== true) {
      remember(file, { facts, why: found.why, hint: found.hint });
      if (found.why !== before) return { ...found, isNew: true };
    }
    return found;
  };
  return answered() ?? oneAtATime(dirname(file), async () => answered() ?? tried());
}

function noIn({ why, hint }: Said): No | undefined {
  return typeof why === "string" && typeof hint === "string" ? { ok: false, why, hint } : undefined;
}

function isRecent(file: string): boolean {
  return Math.abs(Date.now() - statSync(file).mtimeMs) < REMEMBERED_NO_MS;
}

/** Many commands that start together would all try the walls, and make each other late. One does, and the others find its answer. */
async function oneAtATime<T>(folder: string, work: () => Promise<T | No>): Promise<T | No> {
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
    shares: canShareMounts(),
  };
}

const ENV = "/usr/bin/env";
const SETPRIV = "/usr/bin/setpriv";

/** Everything on which the answer depends, as one hash. */
function factsOf(bwrap: string, stateFolder: string): string {
  const { ino, size, mtimeMs, ctimeMs, uid, mode } = statSync(bwrap);
  const settings = SETTINGS.map((path) => readable(path));
  const box = shellArgs(
    { bwrap, env: "", argv0: false, setpriv: "", shares: true },
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
type Said = Readonly<Record<string, unknown>>;

/** Only what this user wrote, nobody else can write, and is about the same facts. Everything else is tried again. */
function saidBefore(file: string, facts: string): Said | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.uid !== process.getuid?.() || (found.mode & 0o777) !== 0o600)
    return undefined;
  const said = parsed(readFileSync(file, "utf8"));
  return said?.["facts"] === facts ? said : undefined;
}

function remembered({ env, argv0, setpriv, shares }: Said): Remembered | undefined {
  if (typeof argv0 !== "boolean" || typeof shares !== "boolean") return undefined;
  if ((env !== undefined && env !== ENV) || (setpriv !== undefined && setpriv !== SETPRIV)) return undefined;
  return { env, argv0, setpriv, shares };
}

function parsed(text: string): Said | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Said) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function remember(file: string, said: { facts: string; [what: string]: unknown }): void {
  const next = `${file}.${process.pid}`;
  writeFileSync(next, JSON.stringify(said), { mode: 0o600 });
  renameSync(next, file);
}
