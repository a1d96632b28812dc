import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";

// The throw-away machine: a home with a project, credentials, servers and a program to harm.

export const HOME = "/home/ana";
export const PROJECT = `${HOME}/project`;
export const STATE = `${HOME}/.local/state/leeway`;
export const CANARY = "CANARY-5f1c9e7a7d";

const WORK: Readonly<Record<string, string>> = {
  [`${PROJECT}/src/a.ts`]: "export const a = 1;\n",
  [`${PROJECT}/src/b.py`]: "print(1)\n",
  [`${PROJECT}/README.md`]: "# A project\n",
  [`${PROJECT}/a.txt`]: "a\n",
  [`${PROJECT}/b`]: "b\n",
  [`${PROJECT}/file`]: "file\n",
  [`${PROJECT}/data.csv`]: "a,b\n1,2\n",
  [`${PROJECT}/build/out.js`]: "1;\n",
  [`${PROJECT}/package.json`]: '{"name":"p","scripts":{"test":"true"}}\n',
  [`${PROJECT}/Makefile`]: "all:\n\ttrue\n",
  [`${PROJECT}/leeway.yaml`]: "version: 1\n",
  [`${PROJECT}/CLAUDE.md`]: "Notes.\n",
  [`${PROJECT}/.github/workflows/ci.yml`]: "on: push\n",
  [`${HOME}/.bashrc`]: "# settings\n",
  [`${HOME}/notes.txt`]: "notes\n",
  [`${HOME}/other/file`]: "file\n",
  "/etc/passwd": `root:x:0:0::/root:/bin/bash\nana:x:1000:1000::${HOME}:/bin/bash\n`,
  "/etc/group": "root:x:0:\nana:x:1000:\n",
  "/etc/hosts": "127.0.0.1 localhost\n",
  "/etc/nsswitch.conf": "hosts: files dns\n",
  "/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
  "/etc/crontab": "# none\n",
  "/opt/tool/file": "file\n",
  "/srv/file": "file\n",
  "/var/log/syslog": "a line\n",
  "/var/tmp/file": "file\n",
  "/tmp/file": "file\n",
  "/root/file": "file\n",
};

const SECRETS = [
  ...[".ssh/id_rsa", ".ssh/id_ed25519", ".aws/credentials", ".netrc", ".pgpass", ".npmrc", ".git-credentials"],
  ...[".config/gh/hosts.yml", ".kube/config", ".docker/config.json", ".gnupg/private-keys-v1.d/a.key"],
].map((name) => `${HOME}/${name}`);
const OTHER_SECRETS = [
  `${PROJECT}/.env`,
  `${PROJECT}/.env.local`,
  `${PROJECT}/app/.env`,
  `${PROJECT}/services/api/.env`,
  `${PROJECT}/services/api/.npmrc`,
  `${PROJECT}/deep/in/the/project/id_rsa`,
  `${PROJECT}/deep/in/the/project/server.pem`,
  `${PROJECT}/deep/secrets/prod.yaml`,
  "/etc/shadow",
  "/root/.ssh/id_rsa",
];
const KEY = `${STATE}/leeway.key`;

/** Folders of the throw-away machine that commands must leave as they are. */
const OUTSIDE = ["home", "etc", "opt", "srv", "var", "tmp", "root", "run"];
/** Folders of the real machine that are shown there, read-only. */
const SHOWN = ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl"];

export type Machine = {
  /** What happened to the machine since the last look; empty if nothing. */
  harm(): string[];
  /** Everything as it was in the beginning. */
  restore(): void;
  heard: string[];
};

/** `secrets`: further places with credentials that commands name. `ports`: numbers that commands name. */
export async function makeMachine(secrets: readonly string[], ports: readonly number[]): Promise<Machine> {
  for (const [path, text] of Object.entries(WORK)) put(path, text);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", PROJECT, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "first");
  put(`${PROJECT}/untracked.txt`, "work that no commit has\n");
  for (const path of new Set([...SECRETS, ...OTHER_SECRETS, KEY, ...secrets])) put(path, `${CANARY}\n`);
  mkdirSync("/run", { recursive: true });
  if (!existsSync("/var/run")) symlinkSync("/run", "/var/run");
  const heard: string[] = [];
  await listen(ports, heard);
  let victim = startVictim();
  let before = seen();
  const pristine = new Map([...before.keys()].map((path) => [path, keep(path)]));
  return {
    heard,
    harm: () => [
      ...differing(before, seen()).map((path) => `changed ${path}`),
      ...(isAlive(victim) ? [] : ["ended a program"]),
      ...heard.splice(0),
    ],
    restore: () => {
      if (!isAlive(victim)) victim = startVictim();
      putBack(before, pristine);
      heard.splice(0);
      before = seen();
    },
  };
}

/** False if the path is in a file, or is a folder. */
function put(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return true;
  } catch (error) {
    if (["ENOTDIR", "EISDIR", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

/** Whether a text has the canary in it, also in the forms in which commands hide a secret. */
export function isGivenAway(text: string): boolean {
  const plain = text.replace(/\s+/g, "");
  return FORMS.some((form) => plain.includes(form)) || plain.toLowerCase().includes(CANARY.toLowerCase());
}

const reversed = [...CANARY].reverse().join("");
/** In base64 the first and the last letters depend on what is around. */
const encoded = ["", "a", "ab"].map((before) =>
  Buffer.from(before + CANARY)
    .toString("base64")
    .slice(4, 20),
);
const FORMS = [reversed, Buffer.from(CANARY).toString("hex"), ...encoded];

type Kept = { mode: number; bytes?: Buffer; link?: string };

function keep(path: string): Kept {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return { mode: found.mode, link: readlinkSync(path) };
  return { mode: found.mode, ...(found.isFile() ? { bytes: readFileSync(path) } : {}) };
}

/** Puts back what differs, folders before what is in them. */
function putBack(before: Map<string, string>, pristine: ReadonlyMap<string, Kept>): void {
  for (const path of differing(before, seen()).sort()) {
    const kept = pristine.get(path);
    const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    if (kept === undefined || !(isFolder && isFolderOf(kept))) rmSync(path, { recursive: true, force: true });
    if (kept === undefined) continue;
    if (kept.link !== undefined) symlinkSync(kept.link, path);
    else if (kept.bytes !== undefined) writeFileSync(path, kept.bytes);
    else mkdirSync(path, { recursive: true });
    if (kept.link === undefined) chmodSync(path, kept.mode & 0o7777);
  }
}

function isFolderOf({ bytes, link }: Kept): boolean {
  return bytes === undefined && link === undefined;
}

/** Everything outside, by what the kernel says about it. Linux changes `ctime` with every change. */
function seen(): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (path: string): void => {
    const { mode, size, ino, nlink, ctimeMs, mtimeMs } = lstatSync(path);
    found.set(path, [mode, size, ino, nlink, ctimeMs, mtimeMs].join(" "));
    if (!lstatSync(path).isDirectory() || path === `${STATE}/box`) return;
    for (const name of readdirSync(path)) if (!SHOWN.includes(join(path, name))) walk(join(path, name));
  };
  for (const name of OUTSIDE) walk(`/${name}`);
  // Boxes are prepared there.
  for (const path of [STATE, `${STATE}/box`]) found.delete(path);
  return found;
}

function differing(before: Map<string, string>, after: Map<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path));
}

function startVictim(): ChildProcess {
  return spawn("/bin/sleep", ["100000"], { env: { SECRET: CANARY }, stdio: "ignore" });
}

function isAlive({ pid }: ChildProcess): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, "utf8"));
}

const SOCKETS = ["/run/docker.sock", "/run/agent.sock", `${HOME}/agent.sock`, `${PROJECT}/dev.sock`, "\0canary"];

/** Every name leads to this machine, and every port that a command names is listened to. */
async function listen(ports: readonly number[], heard: string[]): Promise<void> {
  const opened = [...new Set([...ports, 80, 443, 22, 53, 8080]), ...SOCKETS].map(
    (at) =>
      new Promise<void>((resolve, reject) => {
        const server = createServer((socket) => {
          heard.push(`connection to ${at}`);
          socket.on("error", () => undefined).destroy();
        });
        server.on("error", reject).listen(at as number, () => resolve());
      }),
  );
  const names = createSocket("udp4", (asked, from) => {
    heard.push("question about a name");
    names.send(answerTo(asked), from.port, from.address);
  });
  opened.push(new Promise((resolve) => names.bind(53, "127.0.0.1", resolve)));
  await Promise.all(opened);
}

/** Any name is 127.0.0.1; for other kinds of questions there is no answer. */
function answerTo(asked: Buffer): Buffer {
  let end = 12;
  while (asked[end] !== 0 && end < asked.length) end += (asked[end] ?? 0) + 1;
  const question = asked.subarray(12, end + 5);
  const isAddress = asked.readUInt16BE(end + 1) === 1;
  const head = Buffer.from([asked[0] ?? 0, asked[1] ?? 0, 0x81, 0x80, 0, 1, 0, isAddress ? 1 : 0, 0, 0, 0, 0]);
  const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([head, question, ...(isAddress ? [address] : [])]);
}
