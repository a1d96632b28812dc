import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

/** A program that bash started: its name, its words and its folder. */
export type Start = { name: string; words: readonly string[]; folder: string };

/** What a script really did in its own empty folder. Paths are relative to where it began. */
export type Trace = { starts: readonly Start[]; wrote: readonly string[]; home: string; here: string };

/** Programs that only record that they were started. Those whose names begin with `no` fail. */
export const STUBS = ["p1", "p2", "p3", "no1", "no2", "ls", "cat", "rm", "git", "touch", "grep", "cp", "mkdir"];
/** Programs that start others, so the real ones are used. */
const REAL = ["env", "xargs", "timeout", "nice", "nohup", "bash", "sh", "find", "stdbuf", "setsid"];
/** Shells with another grammar; a test of one says so if it is not installed. */
const OTHER_SHELLS = ["dash", "busybox", "zsh", "ksh", "mksh"];
/** Files in the folder of every script, so that patterns match something. */
const FILES = ["a", "b.ts", "c d", "d/e.ts", "d/f/g"];

const STUB = `#!/bin/sh
case "$0" in */no*) code=1;; *) code=0;; esac
printf '%s\\0' "$#" "$PWD" "\${0##*/}" "$@" >> "\${0%/bin/*}/trace"
exit $code
`;

/** One bash for every script, with an empty environment, ended after a few seconds in any case. */
const DRIVER = `
ulimit -t 3 -f 256 -u 512
base=$1; shift
for i; do
  IFS= read -r -d '' text < "$base/$i/script"
  ( cd "$base/$i/w/x" && exec /usr/bin/env -i PATH="$base/$i/bin" HOME="$base/$i/h" LC_ALL=C.UTF-8 \\
    /usr/bin/timeout -s KILL 4 /bin/bash -c "$text" )
done
exit 0
`;

const BATCH = 40;
const AT_ONCE = 3;

/** Runs every script in real bash, where it can start only stubs, and says what it started and wrote. */
export async function traceAll(scripts: readonly string[]): Promise<readonly Trace[]> {
  const base = mkdtempSync(join(tmpdir(), "leeway-bash-"));
  try {
    chmodSync(base, 0o755);
    installPrograms(join(base, "bin"));
    const traces: Trace[] = [];
    let next = 0;
    const work = async () => {
      while (next < scripts.length) {
        const from = next;
        next += BATCH;
        const batch = scripts.slice(from, next).map((text, i) => ({ at: from + i, text }));
        for (const one of batch) prepare(base, one.at, one.text);
        await drive(
          base,
          batch.map((one) => one.at),
        );
        for (const one of batch) {
          traces[one.at] = traceOf(join(base, String(one.at)));
          rmSync(join(base, String(one.at)), { recursive: true, force: true });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return traces;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** If the tests run as root, the scripts run as another user without permissions. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

function installPrograms(bin: string): void {
  mkdirSync(bin);
  for (const name of STUBS) writeFileSync(join(bin, name), STUB, { mode: 0o755 });
  for (const name of REAL) {
    const real = placeOf(name);
    if (real === undefined) throw new Error(`${name} is missing on this machine; the comparison needs it`);
    symlinkSync(real, join(bin, name));
  }
  for (const name of OTHER_SHELLS) {
    const real = placeOf(name);
    if (real !== undefined) symlinkSync(real, join(bin, name));
  }
}

/** Where the system keeps a program. */
export function placeOf(name: string): string | undefined {
  return ["/usr/bin", "/bin"].map((folder) => join(folder, name)).find(existsSync);
}

function prepare(base: string, at: number, text: string): void {
  const root = join(base, String(at));
  const made = [root, join(root, "w"), join(root, "w/x"), join(root, "w/x/d"), join(root, "w/x/d/f"), join(root, "h")];
  for (const folder of made) mkdirSync(folder);
  const files = FILES.map((name) => join(root, "w/x", name));
  for (const file of files) writeFileSync(file, OLD);
  if (NOBODY !== undefined) for (const path of [...made, ...files]) chownSync(path, NOBODY.uid, NOBODY.gid);
  symlinkSync(join(base, "bin"), join(root, "bin"));
  writeFileSync(join(root, "script"), text);
}

const OLD = "old\n";

function drive(base: string, ats: readonly number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["-c", DRIVER, "driver", base, ...ats.map(String)], {
      cwd: base,
      env: {},
      stdio: "ignore",
      ...NOBODY,
    });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`the driver ended with ${code}`))));
  });
}

function traceOf(root: string): Trace {
  const here = join(root, "w/x");
  const home = join(root, "h");
  const file = join(root, "trace");
  const fields = existsSync(file) ? readFileSync(file, "utf8").split("\0") : [];
  const starts: Start[] = [];
  for (let at = 0; at + 2 < fields.length; ) {
    const count = Number(fields[at]);
    // If two stubs wrote at the same time, their lines cannot be separated.
    if (!Number.isInteger(count) || at + 3 + count > fields.length) break;
    const [folder = "", name = ""] = fields.slice(at + 1, at + 3);
    starts.push({ folder: folder.startsWith("/") ? folder : "", name, words: fields.slice(at + 3, at + 3 + count) });
    at += 3 + count;
  }
  const kept = new Set(FILES.map((name) => join(here, name)));
  const wrote = [join(root, "w"), home].flatMap(filesBelow).filter((path) => !kept.has(path) || !isOld(path));
  return { starts, wrote: wrote.map((path) => relative(here, path)), home, here };
}

function isOld(path: string): boolean {
  return statSync(path).size === OLD.length && readFileSync(path, "utf8") === OLD;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}
