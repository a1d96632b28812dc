import type { BoxLimits, WallRefusal } from "../../core/box.ts";
import { EXTRA, KEEPS_EXTRA } from "../launch.ts";

// On macOS no system call ends all programs of a box, and none tells that whoever started it was killed. So every box has a keeper:
// a process outside of the box that starts it, watches it, and ends what it left behind.

/** What the keeper is told. `limits`: what is left out is not limited. */
export type Keeping = {
  start: { program: string; args: readonly string[] };
  status: string;
  limits: BoxLimits;
};

/** What the keeper writes when the box has ended. `left`: the names of programs that still ran, and that it ended. */
export type Kept = { exceeded: readonly Extract<WallRefusal, { of: "limit" }>[]; left: readonly string[] };

/** The variable that tells the shell how many processes the user may have: those that run now too. */
export const PROCESSES = "LEEWAY_BOX_PROCESSES";
/** The descriptor by which the box says that it was made. */
export const STATUS = 6;
export const MADE = "made";
/** How the keeper ends if the box could not be made. */
const UNMADE = 125;

const LOOK_EVERY_MS = 500;
const END_WITHIN_MS = 5_000;
const ROUNDS_MAX = 20;

/**
 * The keeper, as text for \`node -e\`. Programs of a box are found by their parents and groups, as long as these run, and at the end by a
 * variable that only programs of this box were started with. A number that the system has given to another program is
 * told by its time of start.
 */
export const KEEPER = `
const { spawn, spawnSync } = require("node:child_process");
const { randomUUID } = require("node:crypto");
const { appendFileSync, closeSync, openSync, readFileSync } = require("node:fs");
const { constants } = require("node:os");
const { start, status, limits } = JSON.parse(process.argv[1]);
const starter = process.ppid;
const mark = "LEEWAY_BOX_NAME=" + randomUUID();
const exceeded = [], left = new Set(), known = new Map();
let over = Infinity;

const ps = (...args) => spawnSync("/bin/ps", args, { encoding: "utf8", env: { LC_ALL: "C" }, maxBuffer: 1 << 28 }).stdout ?? "";
const ROW = /^ *(\\d+) +(\\d+) +(\\d+) +(\\d+) +(\\S+) +(\\S+ +\\S+ +\\d+ +[\\d:]+ +\\d+) +(.*)$/gm;
const running = () => [...ps("-A", "-o", "pid=,ppid=,pgid=,rss=,stat=,lstart=,comm=").matchAll(ROW)]
  .map(([, pid, parent, group, kilobytes, state, since, name]) => ({ pid: +pid, parent: +parent, group: +group, bytes: kilobytes * 1024, state, since, name }))
  .filter(({ state }) => !state.startsWith("Z"));

const ofBox = (all) => {
  const inside = new Map(all.filter(({ pid, since }) => pid === child.pid || known.get(pid) === since).map((one) => [one.pid, one]));
  const groups = () => new Set([...inside.values()].map(({ group }) => group).filter((group) => known.has(group)));
  for (let before = -1; before !== inside.size; ) {
    before = inside.size;
    for (const { pid, since } of inside.values()) known.set(pid, since);
    const own = groups();
    for (const one of all) if (one.pid !== process.pid && (inside.has(one.parent) || own.has(one.group))) inside.set(one.pid, one);
  }
  return [...inside.values()];
};
const marked = () => {
  const pids = new Set(ps("-A", "-ww", "-E", "-o", "pid=,command=").split("\\n").filter((line) => line.includes(mark)).map((line) => parseInt(line, 10)));
  pids.delete(process.pid);
  return pids;
};
const tell = (pid, signal) => { try { process.kill(pid, signal); } catch (error) { if (error.code !== "ESRCH" && error.code !== "EPERM") throw error; } };
const endAll = () => {
  tell(-child.pid, "SIGKILL");
  for (let round = 0; round < ${ROUNDS_MAX}; round++) {
    const all = running(), more = marked();
    for (const { pid, since } of all) if (more.has(pid)) known.set(pid, since);
    const inside = ofBox(all).filter(({ pid }) => pid !== child.pid);
    if (inside.length === 0) return;
    for (const { pid, name } of inside) { left.add(name.split("/").at(-1)); tell(pid, "SIGKILL"); }
  }
};
const exceed = (limit, max) => { if (exceeded.length === 0) exceeded.push({ of: "limit", limit, max }); };
const look = () => {
  if (process.ppid !== starter) { endAll(); process.exit(137); }
  const inside = ofBox(running());
  const { memoryBytes = Infinity, processes = Infinity, timeMs = Infinity } = limits;
  const nowMs = performance.now() - startedMs;
  if (inside.reduce((sum, { bytes }) => sum + bytes, 0) > memoryBytes) { exceed("memory", memoryBytes); endAll(); }
  else if (inside.length > processes) { exceed("processes", processes); endAll(); }
  else if (nowMs > timeMs && over === Infinity) { exceed("time", timeMs); over = nowMs + ${END_WITHIN_MS}; tell(-child.pid, "SIGTERM"); }
  else if (nowMs > over) endAll();
};

// Before the box is started: a signal must never end the keeper alone.
for (const signal of ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"]) process.on(signal, () => tell(-child.pid, signal));
const said = openSync(status, "a");
const extra = process.env.${KEEPS_EXTRA} === "1" ? [${EXTRA}] : [];
const [name, value] = mark.split("=");
const env = { ...process.env, [name]: value, ${PROCESSES}: String(running().length + (limits.processes ?? Infinity)) };
const child = spawn(start.program, start.args, { detached: true, env, stdio: [0, 1, 2, "ignore", "ignore", "ignore", said, "ignore", ...extra] });
const startedMs = performance.now();
// Should the keeper be killed, its end of this pipe is closed, and the group of the box is ended all the same.
const guard = spawn("/bin/sh", ["-c", 'read ended; kill -KILL -"$0"', String(child.pid)], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
closeSync(said);
child.on("error", (error) => { console.error("the box could not be started: " + error.message); process.exit(${UNMADE}); });
const timer = setInterval(look, ${LOOK_EVERY_MS});
child.on("exit", (code, signal) => {
  clearInterval(timer);
  guard.kill("SIGKILL");
  endAll();
  const isMade = readFileSync(status, "utf8").startsWith("${MADE}\\n");
  if (isMade) appendFileSync(status, JSON.stringify({ exceeded, left: [...left] }) + "\\n");
  process.exit(isMade ? code ?? 128 + constants.signals[signal] : ${UNMADE});
});
`;
