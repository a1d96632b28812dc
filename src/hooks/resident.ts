import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { isObject, type JsonObject } from "../core/values/json.ts";
import type { HookReply } from "./host.ts";

// A process that is already started answers hooks much sooner than a new one, which spends its time loading. The
// resident answers over a socket in the state folder, which only its owner can enter. It decides exactly as the hook
// itself would: with the variables and the folder that the hook sends, on the same database. What it does not answer,
// the hook decides itself (`bin/ask-resident.cjs` is the other side).

/** A hook's question to the resident. */
export type ResidentRequest = {
  host: string;
  input: string;
  env: { readonly [name: string]: string };
  cwd: string;
  /** As `--timeout` was written. */
  timeout: string | undefined;
  /** The host runs in a terminal. */
  hasTerminal: boolean;
};

/** What the resident learns from the hook while it decides. */
export type HookBehind = {
  /** The hook was ended. */
  signal: AbortSignal;
  /** Whether the host still reads the hook's answer. */
  isHeard(): Promise<boolean>;
};

export type AnswerHook = (request: ResidentRequest, hook: HookBehind) => Promise<HookReply>;

export type Resident = {
  /** Settled when the resident has stopped, by `close` or because nobody asked for `idleMs`. */
  stopped: Promise<void>;
  close(): void;
};

/** Where the resident is and how it proves itself: a file that only its owner can read. */
const FILE = "resident.json";
/** The name of a socket can have 107 bytes on Linux and 103 on macOS. */
const SOCKET_PATH_MAX = 100;
/** As often as this the resident says that it is still at work, so that a hook can tell a question from a failure. */
const BEAT_MS = 2_000;
const REQUEST_BYTES_MAX = 20 * 1024 * 1024;

/**
 * Listens for hooks that were started from the same program. Returns undefined where that is not possible: then every
 * hook decides itself.
 */
export async function listenForHooks(
  stateFolder: string,
  how: { program: string; answer: AnswerHook; idleMs?: number },
): Promise<Resident | undefined> {
  const path = join(stateFolder, `hooks-${process.pid}.sock`);
  if (process.platform === "win32" || Buffer.byteLength(path) > SOCKET_PATH_MAX) return undefined;
  const proof = randomBytes(32).toString("hex");
  const open = new Set<Socket>();
  const idle = idling(how.idleMs, open, () => close());
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => {
      open.delete(socket);
      idle.again();
    });
    answerOn(socket, proof, how.answer);
  });
  rmSync(path, { force: true });
  if (!(await isListening(server, path))) return undefined;
  chmodSync(path, 0o600);
  const file = join(stateFolder, FILE);
  const text = `${JSON.stringify({ path, proof, program: how.program, world: worldOf() })}\n`;
  writeFileSync(file, text, { mode: 0o600 });
  const stopped = new Promise<void>((resolve) => server.on("close", resolve));
  // Several hooks may have started one at the same time, or the state folder was removed: hooks ask only the last one.
  const look = setInterval(
    () => how.idleMs !== undefined && open.size === 0 && textAt(file) !== text && close(),
    LOOK_MS,
  );
  function close(): void {
    clearInterval(look);
    idle.stop();
    if (textAt(file) === text) rmSync(file);
    rmSync(path, { force: true });
    server.close();
    for (const socket of open) socket.destroy();
  }
  idle.again();
  return { stopped, close };
}

function textAt(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function isListening(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(path, () => resolve(true));
  });
}

/** How often a resident looks whether hooks ask another one. */
const LOOK_MS = 5_000;

/** Whether a process listens for hooks where the file says. */
export function hasResident(stateFolder: string): Promise<boolean> {
  const said = jsonIn(textAt(join(stateFolder, FILE)) ?? "");
  const path = isObject(said) ? said["path"] : undefined;
  if (typeof path !== "string") return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

/** Stops a resident that nobody needs any more. */
function idling(idleMs: number | undefined, open: ReadonlySet<Socket>, stop: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    again: () => {
      clearTimeout(timer);
      if (idleMs !== undefined) timer = setTimeout(() => open.size === 0 && stop(), idleMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** What a program sees of the machine: in a container the same path can lead to other files. */
function worldOf(): string {
  try {
    return readlinkSync("/proc/self/ns/mnt");
  } catch {
    return "";
  }
}

function answerOn(socket: Socket, proof: string, answer: AnswerHook): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const gone = new AbortController();
  const hook = hookBehind(socket);
  // The hook was ended, so nobody can act on an answer any more.
  socket.on("close", () => gone.abort());
  socket.on("error", () => socket.destroy());
  socket.on("data", function collect(chunk) {
    bytes += chunk.length;
    if (bytes > REQUEST_BYTES_MAX) return void socket.destroy();
    chunks.push(chunk);
    // One line of JSON, which contains no other line feed.
    if (chunk.at(-1) !== LINE_FEED) return;
    socket.off("data", collect);
    const request = requestIn(Buffer.concat(chunks).toString("utf8"));
    if (request === undefined) return void socket.destroy();
    socket.write(`${proof}\n`);
    const beat = setInterval(() => socket.write("\n"), BEAT_MS);
    answer(request, { signal: gone.signal, isHeard: hook.isHeard })
      .then((reply) => socket.end(`${JSON.stringify(reply)}\n`))
      // Without an answer the hook blocks the call.
      .catch(() => socket.destroy())
      .finally(() => clearInterval(beat));
  });
}

const LINE_FEED = 0x0a;

/** Asks the hook whether its host still reads: only the hook can try to write to it. */
function hookBehind(socket: Socket): { isHeard(): Promise<boolean> } {
  return {
    isHeard: () =>
      new Promise((resolve) => {
        socket.once("data", (said) => resolve(said.toString("utf8") === "yes\n"));
        socket.once("close", () => resolve(false));
        socket.write("?\n");
      }),
  };
}

function requestIn(text: string): ResidentRequest | undefined {
  const found = jsonIn(text);
  if (!isObject(found)) return undefined;
  const { host, input, cwd, env, timeout, hasTerminal } = found;
  if (typeof host !== "string" || typeof input !== "string" || typeof cwd !== "string") return undefined;
  if (!isObject(env) || !isTexts(env) || typeof hasTerminal !== "boolean") return undefined;
  if (timeout !== undefined && typeof timeout !== "string") return undefined;
  return { host, input, cwd, env, timeout, hasTerminal };
}

function isTexts(env: JsonObject): env is { [name: string]: string } {
  return Object.values(env).every((value) => typeof value === "string");
}

function jsonIn(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
