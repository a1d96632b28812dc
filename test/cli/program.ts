import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
// Inside node_modules, so that the built program finds its dependencies and nobody lints or ships it.
const builds = join(root, "node_modules", ".leeway-cli-test");
const KEPT_MS = 3_600_000;

let made: string | undefined;

/** The real program, compiled from the current sources, once for all test files. */
export function program(): string {
  made ??= built();
  return made;
}

/** The folder of the compiled separate source files. */
export function compiled(): string {
  return join(dirname(dirname(program())), "dist");
}

function built(): string {
  const newest = Math.max(...["src", "bin", "tools"].map((name) => newestMs(join(root, name))));
  const folder = join(builds, String(newest));
  const entry = join(folder, "bin", "leeway.cjs");
  if (!existsSync(entry)) underLock(() => existsSync(entry) || compile(folder));
  return entry;
}

function compile(folder: string): void {
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const args = [
    "-p",
    "tsconfig.build.json",
    // `npm test` checks the types separately.
    "--noCheck",
    "--outDir",
    join(folder, "dist"),
    "--declaration",
    "false",
    "--sourceMap",
    "false",
  ];
  const done = spawnSync(tsc, args, { cwd: root, encoding: "utf8" });
  if (!existsSync(join(folder, "dist", "cli", "main.js")))
    throw new Error(`the program did not compile\n${done.stdout}`);
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  for (const name of ["policies", "assets"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  const bundled = spawnSync(process.execPath, ["tools/bundle.mjs", join(folder, "dist")], {
    cwd: root,
    encoding: "utf8",
  });
  if (bundled.status !== 0) throw new Error(`the program could not be bundled\n${bundled.stderr}`);
  for (const old of readdirSync(builds).filter((name) => Number(name) < Date.now() - KEPT_MS)) {
    rmSync(join(builds, old), { recursive: true, force: true });
  }
  // Written last, because its existence says that the build is complete.
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
}

function underLock(act: () => unknown): void {
  mkdirSync(builds, { recursive: true });
  const lock = join(builds, "lock");
  for (let waitedMs = 0; ; waitedMs += 100) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      // A worker that died while compiling must not block the others.
      if (waitedMs > 60_000) rmSync(lock, { recursive: true, force: true });
      else if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
  try {
    act();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function newestMs(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}

/** A person's machine for one test: a home, a state folder and a project, all deleted afterwards. */
export type Machine = { home: string; project: string; env: Record<string, string>; remove(): void };

export function machine(): Machine {
  const home = mkdtempSync(join(tmpdir(), "leeway-cli-"));
  const project = join(home, "project");
  mkdirSync(project);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    XDG_CONFIG_HOME: join(home, "config"),
    TERM: "xterm-256color",
    TZ: "UTC",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    // A process that goes on after its test would keep the deleted folder in use.
    LEEWAY_RESIDENT: "off",
  };
  return { home, project, env, remove: () => removed(home) };
}

/** A command that was killed in a rehearsal leaves a folder that only root, or a changed mode, lets anybody look into. */
function removed(home: string): void {
  execFileSync("chmod", ["-R", "u+rwX", home]);
  rmSync(home, { recursive: true, force: true });
}

export type Ran = { code: number; stdout: string; stderr: string };

/** A command that waits for a person: its question, and how it ends. */
export type Asking = { asked: Promise<string>; ended: Promise<Ran> };

/** Runs a command that will be asked about; the id of the question is in its output. */
export function asking(on: Machine, args: readonly string[]): Asking {
  let said = "";
  const settle = { tell: (_id: string): void => undefined, fail: (_why: Error): void => undefined };
  const asked = new Promise<string>((resolve, reject) => {
    settle.tell = resolve;
    settle.fail = reject;
  });
  const ended = leeway(on, args, {
    onStderr: (chunk) => {
      said += chunk;
      const id = /waiting for a person: (apr_\w+)\n/.exec(said)?.[1];
      if (id !== undefined) settle.tell(id);
    },
  });
  ended.then((ran) => settle.fail(new Error(`nobody was asked: ${JSON.stringify(ran)}`)), settle.fail);
  asked.catch(() => undefined);
  return { asked, ended };
}

/** Runs the program without a terminal, as a script or an agent would. */
export function leeway(
  on: Machine,
  args: readonly string[],
  over: {
    stdin?: string | Buffer;
    cwd?: string;
    env?: Record<string, string>;
    onStderr?: (chunk: string) => void;
    /** Another copy of the program. */
    program?: string;
  } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [over.program ?? program(), ...args], {
      cwd: over.cwd ?? on.project,
      env: { ...on.env, ...over.env },
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
      over.onStderr?.(chunk);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: code ?? (signal === null ? -1 : 128), stdout, stderr }));
    child.stdin.on("error", () => undefined).end(over.stdin ?? "");
  });
}
