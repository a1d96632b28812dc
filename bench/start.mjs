// Starting the command line: an empty Node program, `leeway --version`, one call checked, and a hundred calls checked in one
// process, in turns within one run, in time by the clock and in CPU time. `ratio` and `cpuRatio` are against the empty program of
// the same round. A hook decides a call and records it, alone or with the process that answers hooks. The last row is the same
// program without compiled code, as it is installed: `leeway init` and `leeway up` make that code if the package is the user's own.
// node bench/start.mjs [--json]        LEEWAY_BENCH_ROUNDS for more rounds
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, print, spread } from "./store-kit.mjs";

const ROUNDS = Number(process.env.LEEWAY_BENCH_ROUNDS ?? 25);
const CALLS = 100;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "leeway-bench-start-"));
const project = join(folder, "project");
mkdirSync(join(project, "src"), { recursive: true });

/** Typical commands of agents. */
const COMMANDS = ["ls -la src", "git status", "npm test", "cat package.json | head -20", "git commit -m 'a b'"];
const lines = Array.from({ length: CALLS }, (_, i) => {
  const command = COMMANDS[i % COMMANDS.length];
  return JSON.stringify({ agent: "coder", tool: "Bash", args: { command } });
});
writeFileSync(join(folder, "calls.jsonl"), lines.join("\n"));

/** A copy of the package as it is shipped, without compiled code. */
function copied() {
  const copy = join(folder, "copy");
  for (const name of ["bin", "dist/program", "package.json"])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/[\\/]compiled-[^\\/]*$/.test(path),
    });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

const leeway = (at, ...args) => [join(at, "bin", "leeway.cjs"), ...args];
let hooks = 0;
/** What Claude Code says before it reads a file; each call has an id of its own. */
function read() {
  const call = { session_id: "s", cwd: project, hook_event_name: "PreToolUse", tool_use_id: `call${hooks++}` };
  return JSON.stringify({ ...call, tool_name: "Read", tool_input: { file_path: join(project, "package.json") } });
}
const tests = [
  { test: "an empty Node program", args: ["-e", "0"], calls: 1 },
  { test: "leeway --version", args: leeway(root, "--version"), calls: 1, goal: "" },
  { test: "leeway check --command ls", args: leeway(root, "check", "--command", "ls"), calls: 1, goal: "≤ 3" },
  {
    test: `leeway check --batch, ${CALLS} calls`,
    args: leeway(root, "check", "--batch", join(folder, "calls.jsonl")),
    calls: CALLS,
  },
  {
    test: "leeway hook, a read, alone",
    args: leeway(root, "hook", "claude-code"),
    calls: 1,
    goal: "≤ 3",
    input: read,
    more: { LEEWAY_RESIDENT: "off" },
  },
  {
    test: "leeway hook, a read, with the resident",
    args: leeway(root, "hook", "claude-code"),
    calls: 1,
    goal: "≤ 1.6",
    input: read,
    more: {},
  },
  {
    test: "leeway check --command ls, without compiled code",
    args: leeway(copied(), "check", "--command", "ls"),
    calls: 1,
  },
];

const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state"), NO_COLOR: "1" };

/** Bash alone tells the time and the CPU time of what it starts to the millisecond. */
function started({ args, input, more }) {
  writeFileSync(join(folder, "input"), input?.() ?? "");
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" <../input >out 2>errors';
  const { status, stderr } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...args], {
    cwd: project,
    env: { ...env, ...more },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}; look into it with the same arguments`);
  const [wall, user, system] = stderr.trim().split(" ").map(Number);
  return { wallMs: wall * 1_000, cpuMs: (user + system) * 1_000 };
}

// Once before it counts: the state folder is made, and the files are in the system's memory.
for (const one of tests) started(one);
const seen = tests.map(() => []);
for (let round = 0; round < ROUNDS; round++) {
  for (const [i, one] of tests.entries()) seen[i].push(started(one));
}
const { path } = JSON.parse(readFileSync(join(folder, "state", "leeway", "resident.json"), "utf8"));
process.kill(Number(/(\d+)\.sock$/.exec(path)[1]));
rmSync(folder, { recursive: true });

const of = (list, key) => list.map((one) => one[key]);
const ratios = (list, key) => list.map((one, round) => one[key] / seen[0][round][key]);
print(
  tests.map(({ test, calls, goal }, i) => ({
    test,
    wallMs: median(of(seen[i], "wallMs")),
    wallSpread: spread(of(seen[i], "wallMs")),
    cpuMs: median(of(seen[i], "cpuMs")),
    cpuSpread: spread(of(seen[i], "cpuMs")),
    ratio: median(ratios(seen[i], "wallMs")),
    ratioSpread: spread(ratios(seen[i], "wallMs")),
    cpuRatio: median(ratios(seen[i], "cpuMs")),
    cpuRatioSpread: spread(ratios(seen[i], "cpuMs")),
    goal: goal ?? "",
    msPerCall: median(of(seen[i], "wallMs")) / calls,
  })),
);
