// Tries boxes on a Mac: `npm ci && npm run build && node tools/box-on-a-mac.mjs`. First the walls are tried as Leeway itself does it
// before the first box. Then each attempt to get out runs in a box of its own. Everything is made in one folder of your
// home, which is removed at the end; attempts on your real files only open them, and change nothing.
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { MAC_ATTEMPTS } from "./mac-attempts.mjs";

if (process.platform !== "darwin") {
  process.stderr.write("this tool tries boxes by Seatbelt, which only macOS has; run it on a Mac\n");
  process.exit(1);
}
const { openBoxing } = await import("../dist/box/boxing.js").catch(() => {
  process.stderr.write("Leeway is not built: run `npm ci && npm run build` first\n");
  process.exit(1);
});

const CANARY = `CANARY-${randomBytes(12).toString("hex")}`;
const folder = mkdtempSync(join(homedir(), ".leeway-on-a-mac-"));
const at = (path) => join(folder, path);
const names = {
  OUT: at("out"),
  HOME: at("home"),
  PROJECT: at("home/project"),
  STATE: at("state"),
  TMP: mkdtempSync(join(tmpdir(), "leeway-on-a-mac-")),
  REAL: homedir(),
  ID: randomBytes(6).toString("hex"),
  CANARY,
};
let touched = [];

const FILES = ["out/file", "home/.bashrc", "home/project/README.md"];
const PROTECTED = [".git/config", ".git/hooks/pre-commit", "Makefile", "app/Makefile", "package.json", "leeway.yaml"];
const MORE_PROTECTED = ["CLAUDE.md", ".github/workflows/ci.yml"];
const HIDDEN = ["home/.ssh/id_ed25519", "home/.aws/credentials", "home/.config/gh/hosts.yml", "home/.netrc"];
const MORE_HIDDEN = ["state/leeway.key", "home/project/.env", "home/project/app/.env", "home/project/schlüssel.pem"];

/** Everything as it is before each attempt. */
function build() {
  for (const one of ["out", "home"]) rmSync(at(one), { recursive: true, force: true });
  const put = (path, text) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const path of FILES) put(at(path), "as it was\n");
  for (const path of [...PROTECTED, ...MORE_PROTECTED]) put(join(names.PROJECT, path), "");
  for (const path of [...HIDDEN, ...MORE_HIDDEN]) put(at(path), `${CANARY}\n`);
  for (const one of ["objects", "refs"]) mkdirSync(join(names.PROJECT, ".git", one), { recursive: true });
  put(join(names.PROJECT, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(at("out/open"), { mode: 0o777 });
}

async function listen() {
  const heard = (what) => () => void touched.push(what);
  const tcp = createServer(heard("reached a server of this machine"));
  const allowed = createHttpServer((asked, answer) => {
    if (asked.headers.host !== `localhost:${names.ALLOWED}`) touched.push(`reached ${asked.headers.host}`);
    answer.end("fine");
  });
  await Promise.all([once(tcp.listen(0), "listening"), once(allowed.listen(0), "listening")]);
  const udp = createSocket("udp4", heard("sent a packet"));
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
    env: { SECRET: CANARY },
    stdio: "ignore",
  });
  const ports = { TCP: tcp.address().port, ALLOWED: allowed.address().port, UDP: udp.address().port };
  for (const [name, value] of Object.entries({ ...ports, PID: victim.pid })) names[name] = String(value);
  return victim;
}

/** Sockets have to be made again with the folders in which they are. */
async function listenOnPaths() {
  const paths = [`${names.OUT}/agent.sock`, `${names.PROJECT}/dev.sock`, `${names.TMP}/agent.sock`];
  const open = paths.map((path) => createServer(() => void touched.push(`reached the socket ${path}`)).listen(path));
  await Promise.all(open.map((server) => once(server, "listening")));
  return open;
}

/** What is outside of the walls, as one text. */
function outside() {
  const found = [];
  const walk = (path) => {
    const is = lstatSync(path, { throwIfNoEntry: false });
    if (is === undefined) return void found.push(`${path} is gone`);
    const hash = is.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
    found.push(`${path} ${is.mode} ${is.isFile() ? Math.round(is.mtimeMs) : ""} ${hash}`);
    if (is.isDirectory())
      for (const name of readdirSync(path).sort()) if (join(path, name) !== names.PROJECT) walk(join(path, name));
  };
  for (const path of [names.OUT, names.HOME, ...MORE_HIDDEN.map(at)]) walk(path);
  for (const path of [...PROTECTED, ...MORE_PROTECTED]) walk(join(names.PROJECT, path));
  return found.join("\n");
}

const filled = (text) => text.replace(/\{([A-Z]+)\}/g, (whole, name) => names[name] ?? whole);

/** Attempts of the list for Linux that mean the same on a Mac. */
const LINUX_ONLY =
  /\/proc|syscall|unshare|mount|nsenter|ABSTRACT|\/dev\/(?!null|zero|tcp)|\/sys\/|systemd|setsid |--transform|touch -d|truncate|\bip |setcap|\/etc\/|\/usr\/|\/var\/|\/run|socket\(S|ipcs|renice|docker/;
const KINDS = [
  "write outside",
  "links made inside",
  "protected places",
  "hidden places",
  "processes outside",
  "outliving",
  "network",
  "unix sockets",
  "proxy",
];
const portable = readFileSync(new URL("../test/cases/box/escapes.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  .filter(
    ({ kind, run, terminal, descriptors }) =>
      KINDS.includes(kind) && !LINUX_ONLY.test(run) && !terminal && !descriptors,
  );

/** What an attempt achieved; empty if nothing. */
async function breaches(maker, victim, { run, network = [], outlives, home = names.HOME }) {
  build();
  const open = await listenOnPaths();
  touched = [];
  const before = outside();
  const path = `/usr/bin:/bin:/usr/sbin:/sbin:${dirname(process.execPath)}`;
  const env = { PATH: path, HOME: home, SECRET_TOKEN: CANARY, DYLD_INSERT_LIBRARIES: "/nowhere.dylib" };
  const start = { program: "/bin/bash", name: "bash", args: ["-c", filled(run)], cwd: names.PROJECT, env };
  const walls = { write: [names.PROJECT], network: network.map(filled), reveal: [] };
  const box = await maker.prepare(start, walls, { rehearse: false, project: names.PROJECT });
  const text = await printedBy(box.start);
  const { noEnd } = await box.ended("");
  const after = outside();
  for (const server of open) server.close();
  const isAlive = victim.exitCode === null && victim.signalCode === null;
  return [
    ...(noEnd && !/kill -9/.test(run) ? [`there was no box: ${text.slice(0, 200)}`] : []),
    ...(text.includes("ESCAPED") ? ["it worked"] : []),
    ...(text.includes(CANARY) ? ["it printed a hidden text"] : []),
    ...(after === before ? [] : ["it changed something outside"]),
    ...(isAlive ? [] : ["it ended a program outside"]),
    ...(outlives !== undefined && spawnSync("pgrep", ["-f", outlives]).status === 0 ? ["it outlived the command"] : []),
    ...touched,
  ];
}

async function printedBy({ program, name, args, cwd, env }) {
  const child = spawn(program, args, { argv0: name, cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 20_000 });
  let text = "";
  child.stdout.on("data", (bytes) => (text += bytes));
  child.stderr.on("data", (bytes) => (text += bytes));
  await once(child, "close");
  return text;
}

/** Removes what an attempt would have left behind, should a wall be missing. */
function tidyUp() {
  spawnSync("/bin/launchctl", ["remove", `leeway.${names.ID}`], { stdio: "ignore" });
  for (const path of [folder, names.TMP, join(homedir(), "Library/LaunchAgents", `leeway.${names.ID}.plist`)])
    rmSync(path, { recursive: true, force: true });
}

let [held, broken] = [0, 0];
let victim;
try {
  build();
  victim = await listen();
  const made = (home, state) => openBoxing({ stateFolder: state, home }, Date.now).maker;
  mkdirSync(at("real-state"), { recursive: true });
  const [maker, real] = [made(names.HOME, names.STATE), made(homedir(), at("real-state"))];
  const ability = await maker.ability();
  process.stdout.write(`the trial: ${ability.ok ? "all walls hold" : `${ability.why}\n  ${ability.hint}`}\n`);
  if (!ability.ok) broken++;
  const attempts = [...portable, ...MAC_ATTEMPTS.map((one) => ({ kind: "macOS", ...one }))];
  for (const attempt of ability.ok ? attempts : []) {
    const by = attempt.isAtHome ? { ...attempt, home: homedir() } : attempt;
    const found = await breaches(attempt.isAtHome ? real : maker, victim, by).catch((error) => [String(error)]);
    if (found.length === 0) held++;
    else broken++;
    process.stdout.write(
      `${found.length === 0 ? "held" : "BROKEN"}  ${attempt.kind}: ${attempt.title}${found.map((one) => `; ${one}`).join("")}\n`,
    );
  }
} finally {
  victim?.kill("SIGKILL");
  tidyUp();
}
process.stdout.write(`${held} held, ${broken} broken\n`);
process.exit(broken === 0 ? 0 : 1);
