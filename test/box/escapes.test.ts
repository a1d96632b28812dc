import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn as spawnTerminal } from "@lydell/node-pty";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBoxing } from "../../src/box/boxing.ts";
import type { ProgramStart } from "../../src/box-port.ts";
import { prepared, type World } from "./boxed.ts";

/** One attempt to get out, as an attacker would write it: a text for the shell with names in braces. */
type Attempt = {
  kind: string;
  title: string;
  run: string;
  /** Without a box it succeeds, and does no harm to the machine that runs the tests. */
  control?: true;
  network?: readonly string[];
  /** It is started with open descriptors, or in a terminal. */
  descriptors?: true;
  terminal?: true;
  /** An argument of a process that must be gone when the program has ended. */
  outlives?: string;
};

const attempts = readFileSync(new URL("../cases/box/escapes.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Attempt);

const CANARY = `CANARY-${randomBytes(12).toString("hex")}`;

/** A machine to escape into: canaries, listeners and a program outside. Not in a temporary folder, which a box does not see. */
let world: World;
let names: Record<string, string>;
let touched: string[];
let victim: ChildProcess;
const servers: Server[] = [];

beforeAll(async () => {
  const top = new URL("../../node_modules", import.meta.url).pathname;
  const folder = realpathSync.native(mkdtempSync(join(top, ".leeway-escapes-")));
  const [home, project, stateFolder] = [join(folder, "home"), join(folder, "home/project"), join(folder, "state")];
  const boxes = openBoxing({ stateFolder, home }, Date.now).maker;
  world = { folder, home, project, stateFolder, boxes, end: () => undefined };
  const temporary = mkdtempSync(join(tmpdir(), "leeway-escapes-"));
  names = { OUT: join(folder, "out"), HOME: home, PROJECT: project, STATE: stateFolder, TMP: temporary };
  names["ABSTRACT"] = `leeway-${randomBytes(6).toString("hex")}`;
  touched = [];
  build();
  await listen();
}, 60_000);

afterAll(() => {
  victim?.kill("SIGKILL");
  for (const server of servers) server.close();
  for (const path of [world.folder, names["TMP"] ?? ""]) rmSync(path, { recursive: true, force: true });
});

const FILES = ["out/file", "home/.bashrc", "home/project/README.md"];
const PROTECTED = [
  ".git/config",
  "Makefile",
  "app/Makefile",
  "package.json",
  "leeway.yaml",
  "CLAUDE.md",
  ".github/workflows/ci.yml",
];
const HIDDEN = [
  "home/.ssh/id_ed25519",
  "home/.aws/credentials",
  "home/.config/gh/hosts.yml",
  "home/.netrc",
  "state/leeway.key",
];

/** Everything as it is before each attempt. */
function build(): void {
  const { folder, project } = world;
  for (const one of ["out", "home"]) rmSync(join(folder, one), { recursive: true, force: true });
  const put = (path: string, text: string) => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  };
  for (const path of FILES) put(join(folder, path), "as it was\n");
  for (const path of PROTECTED) put(join(project, path), "");
  for (const path of [...HIDDEN, "home/project/.env", "home/project/app/.env"]) put(join(folder, path), `${CANARY}\n`);
  for (const one of ["out/open", "home/project/.git/hooks", "home/project/.git/objects", "home/project/.git/refs"]) {
    mkdirSync(join(folder, one), { recursive: true });
  }
  put(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  put(join(project, ".git/hooks/pre-commit"), "");
  chmodSync(join(folder, "out/open"), 0o777);
  chmodSync(join(folder, "out/file"), 0o666);
}

async function listen(): Promise<void> {
  const heard = (what: string) => () => void touched.push(what);
  const tcp = createServer(heard("tcp"));
  const allowed = createHttpServer((asked, answer) => {
    if (asked.headers.host !== `localhost:${names["ALLOWED"]}`) touched.push(`host ${asked.headers.host}`);
    answer.end("fine");
  });
  servers.push(tcp, allowed);
  for (const [server, name] of [
    [tcp, "TCP"],
    [allowed, "ALLOWED"],
  ] as const) {
    await once(server.listen(0), "listening");
    names[name] = String((server.address() as AddressInfo).port);
  }
  const udp = createSocket("udp4", heard("udp")).unref();
  await once(udp.bind(0, "127.0.0.1"), "listening");
  names["UDP"] = String(udp.address().port);
  const code = 'setInterval(() => {}, 1000); console.log("ready"); /* leeway-victim */';
  victim = spawn(process.execPath, ["-e", code], { env: { SECRET: CANARY }, stdio: ["ignore", "pipe", "ignore"] });
  await once(victim.stdout ?? victim, "data");
  names["PID"] = String(victim.pid);
}

/** Sockets have to be made again with the folders in which they are. */
async function listenOnPaths(): Promise<Server[]> {
  const paths = [`${names["OUT"]}/agent.sock`, `${names["PROJECT"]}/dev.sock`, `${names["TMP"]}/agent.sock`];
  const open = [...paths, `\0${names["ABSTRACT"]}`].map((path) => {
    if (existsSync(path)) rmSync(path);
    return createServer(() => void touched.push(`unix ${path}`)).listen(path);
  });
  await Promise.all(open.map((server) => once(server, "listening")));
  return open;
}

function filled(text: string): string {
  return text.replace(/\{([A-Z]+)\}/g, (whole, name: string) => names[name] ?? whole);
}

/** What is outside of the walls, as one text. */
function outside(): string {
  const found: string[] = [];
  const walk = (path: string): void => {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return void found.push(`${path} is gone`);
    const { mode, mtimeMs } = lstatSync(path);
    const isLink = lstatSync(path).isSymbolicLink();
    const isFolder = lstatSync(path).isDirectory();
    const isFile = lstatSync(path).isFile();
    const content = isLink
      ? readlinkSync(path)
      : isFile
        ? createHash("sha256").update(readFileSync(path)).digest("hex")
        : "";
    found.push(`${path} ${mode} ${isFile ? Math.round(mtimeMs) : ""} ${content}`);
    if (isFolder) for (const name of readdirSync(path).sort()) walk(join(path, name));
  };
  walk(names["OUT"] ?? "");
  for (const name of readdirSync(world.home).sort()) if (name !== "project") walk(join(world.home, name));
  for (const path of [".git/hooks", ...PROTECTED]) walk(join(world.project, path));
  walk(join(world.stateFolder, "leeway.key"));
  return found.join("\n");
}

const ENV = { SECRET_TOKEN: CANARY, AWS_SECRET_ACCESS_KEY: CANARY, MY_API: CANARY, SSH_AUTH_SOCK: "/run/agent" };

async function startOf(attempt: Attempt, isBoxed: boolean): Promise<ProgramStart & { ended: () => Promise<unknown> }> {
  const args = ["-c", filled(attempt.run)];
  const env = { PATH: `/usr/bin:/bin:/usr/sbin:/sbin:${join(process.execPath, "..")}`, HOME: world.home, ...ENV };
  if (!isBoxed) return { program: "/bin/sh", name: "sh", args, cwd: world.project, env, ended: async () => undefined };
  const network = (attempt.network ?? []).map(filled);
  const box = await prepared(world, { args, env, walls: { network } });
  return { ...box.start, ended: () => box.ended("") };
}

const ATTEMPT_MS = 15_000;

/** Starts an attempt and returns everything that it printed. */
async function printed(attempt: Attempt, start: ProgramStart): Promise<string> {
  const { program, name, cwd, env } = start;
  const args = [...start.args];
  if (attempt.terminal) return inTerminal({ program, args, cwd, env });
  const more = attempt.descriptors ? [openSync(`${names["OUT"]}/file`, "a"), openSync(names["OUT"] ?? "", "r")] : [];
  const stdio = ["ignore", "pipe", "pipe", ...more] as const;
  const child = spawn(program, args, {
    argv0: name,
    cwd,
    env,
    stdio: [...stdio],
    timeout: ATTEMPT_MS,
    killSignal: "SIGKILL",
  });
  for (const one of more) closeSync(one);
  let text = "";
  child.stdout?.on("data", (bytes) => (text += bytes));
  child.stderr?.on("data", (bytes) => (text += bytes));
  await once(child, "exit");
  return text;
}

async function inTerminal({ program, args, cwd, env }: { program: string; args: string[]; cwd: string; env: object }) {
  const terminal = spawnTerminal(program, args, { cwd, env: { ...env } });
  let text = "";
  terminal.onData((data) => (text += data));
  await new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  return text;
}

/** What an attempt achieved; empty if nothing. */
async function breaches(attempt: Attempt, isBoxed: boolean): Promise<string[]> {
  build();
  const open = await listenOnPaths();
  touched = [];
  const before = outside();
  const start = await startOf(attempt, isBoxed);
  const text = await printed(attempt, start);
  await start.ended();
  const after = outside();
  for (const server of open) server.close();
  return [
    ...(text.includes("ESCAPED") ? [`said so: ${text.slice(0, 200)}`] : []),
    ...(text.includes(CANARY) ? ["printed a hidden text"] : []),
    ...(after === before ? [] : ["changed something outside"]),
    ...(isAlive(victim) ? [] : ["ended a program outside"]),
    ...(attempt.outlives !== undefined && isRunning(attempt.outlives) ? ["outlived the program"] : []),
    ...touched,
  ];
}

/** The kernel knows at once; Node is told later. */
function isAlive({ pid }: ChildProcess): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, "utf8"));
}

/** Processes of a box are seen from outside too. */
function isRunning(argument: string): boolean {
  return spawnSync("pgrep", ["-f", argument]).status === 0;
}

test("there are at least 120 attempts, each with a title of its own", () => {
  expect(attempts.length).toBeGreaterThanOrEqual(120);
  expect(new Set(attempts.map(({ kind, title }) => `${kind}: ${title}`)).size).toBe(attempts.length);
});

test("no attempt to get out of a box achieves anything", async () => {
  const escaped: string[] = [];
  for (const attempt of attempts) {
    const found = await breaches(attempt, true);
    if (found.length > 0) escaped.push(`${attempt.kind}: ${attempt.title}: ${found.join("; ")}`);
  }
  expect(escaped).toEqual([]);
}, 180_000);

test("the attempts are real: without a box those that are harmless to this machine succeed", async () => {
  const failed: string[] = [];
  for (const attempt of attempts.filter(({ control }) => control)) {
    if ((await breaches(attempt, false)).length === 0) failed.push(`${attempt.kind}: ${attempt.title}`);
    if (!isAlive(victim)) await listen();
  }
  expect(failed).toEqual([]);
}, 120_000);

test("the programs that attempts are written for are installed", () => {
  for (const program of ["perl", "bash", "git", "pgrep"]) {
    expect(`${program} ${spawnSync(program, ["--version"]).status}`).toBe(`${program} 0`);
  }
});
