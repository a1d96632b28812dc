import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import type { PreparedBox, ProgramStart } from "../box-port.ts";
import type { Walls } from "../core/box.ts";

// Before the first box of a machine is used, its walls are tried: each must hold, and what is open must work.

type Prepare = (start: ProgramStart, walls: Walls, project: string) => Promise<PreparedBox>;

/**
 * `what`: the first wall that did not hold, `start` if the box did not start at all, or `time` if it did not end in time.
 * `errors`: what was printed.
 */
export type Tried = { ok: true } | { ok: false; what: string; errors: string };

/** What the program in the box found out, by wall. */
const EXPECTED: { readonly [wall: string]: boolean } = {
  "write in the project": true,
  "write to a protected place": false,
  "read a hidden place": false,
  "connect to this machine": false,
  "reach a listed domain": true,
  "reach another domain": false,
  "end a program outside": false,
  "change a setting of the machine": false,
};

/** By wall: a text for the shell, in the project, that must not succeed. Its first argument is a path outside. */
export type MustFail = { readonly [wall: string]: string };

/**
 * `stateFolder`: what is next to it can be written by this user, and must not be by a program in a box. `mustFail`: what only this
 * system has.
 */
export async function tryWalls(prepare: Prepare, stateFolder: string, mustFail: MustFail = {}): Promise<Tried> {
  const folder = mkdtempSync(join(realpathSync.native(stateFolder), "box", "trial-"));
  const outside = [join(folder, "outside"), join(dirname(realpathSync.native(stateFolder)), `.${basename(folder)}`)];
  const project = join(folder, "project");
  mkdirSync(join(project, ".git", "hooks"), { recursive: true });
  writeFileSync(join(project, ".env"), "hidden");
  const server = createServer((_, answer) => void answer.end("reached"));
  const port = await listening(server);
  const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  try {
    const given = [folder, String(port), String(victim.pid), JSON.stringify(mustFail), ...outside];
    const args = ["-e", SCRIPT, "--", ...given];
    const start = {
      program: process.execPath,
      name: "node",
      args,
      cwd: project,
      env: { PATH: "/usr/bin:/bin", HOME: project },
    };
    const box = await prepare(start, { write: [project], network: ["localhost"], reveal: [] }, project);
    const ran = await run(box.start);
    await box.ended(ran.errors);
    return verdictOf(ran, { outside, victim, mustFail });
  } finally {
    victim.kill("SIGKILL");
    server.close();
    server.closeAllConnections();
    for (const path of [folder, ...outside]) rmSync(path, { recursive: true, force: true });
  }
}

type Seen = { outside: readonly string[]; victim: ChildProcess; mustFail: MustFail };
type Ran = { output: string; errors: string; isLate: boolean };

/** What the program says, and what can be seen from outside. */
function verdictOf({ output, errors, isLate }: Ran, { outside, victim, mustFail }: Seen): Tried {
  if (isLate) return { ok: false, what: "time", errors };
  const said = /^\{.*\}$/m.exec(output)?.[0];
  if (said === undefined) return { ok: false, what: "start", errors };
  const found = JSON.parse(said) as { [wall: string]: boolean };
  const wrong =
    Object.keys(EXPECTED).find((wall) => found[wall] !== EXPECTED[wall]) ??
    Object.keys(mustFail).find((wall) => found[wall] !== false);
  if (wrong !== undefined) return { ok: false, what: wrong, errors };
  if (outside.some((path) => existsSync(path))) return { ok: false, what: "write outside", errors };
  if (victim.exitCode !== null || victim.signalCode !== null)
    return { ok: false, what: "end a program outside", errors };
  return { ok: true };
}

const SCRIPT = `
const { closeSync, openSync, readFileSync, writeFileSync } = require("node:fs");
const { connect } = require("node:net");
const { spawnSync } = require("node:child_process");
const [folder, port, victim, mustFail, ...outside] = process.argv.slice(1);
const works = (act) => { try { return act() !== false; } catch { return false; } };
const proxy = new URL(process.env.http_proxy);
// By a bare connection: from version 22 on, Node's own requests read the proxy from the variables, and would ask it for itself.
const through = (host) => new Promise((resolve) => {
  const asking = connect(Number(proxy.port), proxy.hostname);
  asking.once("data", (bytes) => { resolve(String(bytes).startsWith("HTTP/1.1 200 ")); asking.destroy(); });
  asking.on("error", () => resolve(false)).on("close", () => resolve(false));
  asking.write("GET http://" + host + "/ HTTP/1.1\\r\\nHost: " + host + "\\r\\nConnection: close\\r\\n\\r\\n");
});
const direct = () => new Promise((resolve) => {
  connect(Number(port), "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
});
(async () => {
  const found = {
    "write in the project": works(() => writeFileSync(folder + "/project/made", "")),
    "write to a protected place": works(() => writeFileSync(folder + "/project/.git/hooks/pre-commit", "")),
    "read a hidden place": works(() => readFileSync(folder + "/project/.env", "utf8").length > 0),
    "connect to this machine": await direct(),
    "reach a listed domain": await through("localhost:" + port),
    "reach another domain": await through("127.0.0.1:" + port),
    "end a program outside": works(() => process.kill(Number(victim), "SIGKILL")),
    // It is opened and not written to: should this wall be missing, nothing is changed.
    "change a setting of the machine": works(() => closeSync(openSync("/proc/sys/kernel/core_pattern", "a"))),
  };
  for (const [wall, text] of Object.entries(JSON.parse(mustFail))) {
    found[wall] = spawnSync("/bin/sh", ["-c", text, "sh", outside[0]], { stdio: "ignore", timeout: 5000 }).status === 0;
  }
  // In a folder of the box's own this works, and is not seen outside.
  for (const path of outside) works(() => writeFileSync(path, ""));
  console.log(JSON.stringify(found));
  process.exit(0);
})();
`;

const TRIAL_MS = 30_000;

function run({ program, name, args, cwd, env }: ProgramStart): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      argv0: name,
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TRIAL_MS,
      killSignal: "SIGKILL",
    });
    let [output, errors] = ["", ""];
    child.stdout.on("data", (bytes) => (output += bytes));
    child.stderr.on("data", (bytes) => (errors += bytes));
    child.on("error", (error) => resolve({ output: "", errors: String(error), isLate: false }));
    child.on("close", () => resolve({ output, errors, isLate: child.killed }));
  });
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}
