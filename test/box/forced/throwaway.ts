import { type ChildProcessByStdio, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import type { Job, Verdict } from "./inside.ts";

/**
 * Runs commands in a throw-away machine: an outer namespace with a root in memory, no network, processes of its own and a
 * user without any right on this machine. So even where an inner wall is missing, only the throw-away tree can be harmed.
 */
export async function inThrowawayMachine(job: Job): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), "leeway-forced-"));
  try {
    await bundled(join(folder, "dist/test/inside.mjs"));
    // Boxes are tried again for every version of the package.
    copyFileSync(new URL("../../../package.json", import.meta.url), join(folder, "package.json"));
    writeFileSync(join(folder, "job.json"), JSON.stringify(job));
    chmodSync(folder, 0o755);
    return await verdictOf(spawnAsNobody(machineArgs(folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundled(file: string): Promise<void> {
  await build({
    input: fileURLToPath(new URL("./inside.ts", import.meta.url)),
    platform: "node",
    logLevel: "silent",
    transform: { target: "node20" },
    output: { file, format: "esm", codeSplitting: false },
  });
}

/** A user that owns nothing here, because root may write settings of the whole machine in `/proc/sys` from any namespace. */
const NOBODY = "61357";

/**
 * No file can be larger than 64 MB, and there can be 600 processes, so that a missing limit inside harms nobody. A box adds what it
 * may have to the number of all processes there are, also outside, so the same is done here.
 */
function limited(): string {
  const all = Number(/\d+\/(\d+)/.exec(readFileSync("/proc/loadavg", "utf8"))?.[1] ?? 0);
  return `ulimit -f 131072; ulimit -c 0; ulimit -u ${all + 600}; exec "$@"`;
}

function spawnAsNobody(args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  const machine = ["/bin/bash", "-c", limited(), "bash", "bwrap", ...args];
  const dropped = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", ...machine];
  const [program = "", ...rest] = process.getuid?.() === 0 ? dropped : machine;
  const env = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };
  return spawn(program, rest, { env, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
}

const ROOM = String(512 * 1024 * 1024);

function machineArgs(folder: string): string[] {
  const node = dirname(dirname(process.execPath));
  const shown = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/certs", ...(node === "/usr" ? [] : [node])];
  return [
    ..."--unshare-all --die-with-parent --uid 0 --gid 0 --cap-add ALL --clearenv".split(" "),
    ...["--size", ROOM, "--tmpfs", "/", "--ro-bind", "/usr", "/usr"],
    ...["/bin", "/sbin", "/lib", "/lib64", "/lib32"].flatMap(systemFolder),
    ...shown.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
    ...["--proc", "/proc", "--dev", "/dev", "--ro-bind", folder, "/job", "--chdir", "/"],
    ...["--", process.execPath, "/job/dist/test/inside.mjs"],
  ];
}

function systemFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

async function verdictOf(child: ChildProcessByStdio<null, Readable, null>): Promise<Verdict> {
  let text = "";
  child.stdout.on("data", (bytes) => (text += bytes));
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`the throw-away machine ended with ${code}: ${text.slice(-2000)}`);
  return JSON.parse(text) as Verdict;
}
