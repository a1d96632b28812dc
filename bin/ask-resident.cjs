// A hook is started for each tool call of an agent, and most of its time goes into loading the program. Where a process of
// the same program is already running for this user (`src/hooks/resident.ts`), it is asked first. Whatever is doubtful
// here (another version, another view of the file system, a folder that others can enter) leaves the call to the program
// itself. Once the resident has taken a call, no answer means that the call is not run.
const { isUtf8 } = require("node:buffer");
const {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeSync,
} = require("node:fs");
const { isAbsolute, join } = require("node:path");

const BLOCKING = 2;
/** The part of the host's limit after which the hook answers no, if it has not answered. */
const LATEST = 0.97;
/** A resident that does not take the call in this time is busy or hangs: the program decides itself. */
const TAKEN_MS = 500;
/** The resident gives a sign every two seconds. */
const SILENT_MS = 15_000;
/** More than the program takes, which then says so. */
const INPUT_BYTES_MAX = 17 * 1024 * 1024;

/** Answers the hook, started as `program`. Returns undefined if it has answered, else the input of the hook. */
async function askResident({ host, timeout, variables }, program) {
  const resident = residentOf(program, variables);
  // After its limit a host goes on without the hook. Whatever takes so long, a no before that is better.
  const tooLate = setTimeout(() => end(host), Number(timeout ?? "600") * 1000 * LATEST);
  // Connected while the input is read, which takes as long.
  const socket = resident && connectedTo(resident);
  const input = await readInput();
  // The program says what is wrong with an input that is not text.
  if (socket === undefined || !isUtf8(input)) {
    socket?.destroy();
    clearTimeout(tooLate);
    return input;
  }
  const about = { host, timeout, env: variables, cwd: process.cwd(), hasTerminal: hasTerminal() };
  const reply = await asked(socket, resident.proof, `${JSON.stringify({ ...about, input: input.toString("utf8") })}\n`);
  clearTimeout(tooLate);
  if (reply === undefined) return input;
  print(2, reply.stderr);
  print(1, reply.stdout);
  process.exitCode = reply.exit;
  return undefined;
}

function end(host) {
  print(
    2,
    `Leeway could not answer before the time limit of ${host}, so the call was not run. Do not retry it; tell the user.\n`,
  );
  process.exit(BLOCKING);
}

/** The resident of this user's state folder, if it is surely that and runs the same program. */
function residentOf(program, variables) {
  const { LEEWAY_RESIDENT, LEEWAY_DB, LEEWAY_POLICY, XDG_STATE_HOME, HOME } = variables;
  // A server decides: the resident decides only with the database of this machine.
  const isElsewhere = ["LEEWAY_URL", "LEEWAY_TOKEN", "LEEWAY_TOKEN_FILE"].some((name) => variables[name]);
  if (LEEWAY_RESIDENT === "off" || isElsewhere || process.platform === "win32") return undefined;
  // Relative to this process's folder, which is not the resident's.
  if ([LEEWAY_DB, LEEWAY_POLICY].some((path) => path && !isAbsolute(path))) return undefined;
  const state = XDG_STATE_HOME || (HOME && join(HOME, ".local", "state"));
  if (!state || !isAbsolute(state)) return undefined;
  try {
    const folder = join(state, "leeway");
    const said = JSON.parse(readFileSync(join(folder, "resident.json"), "utf8"));
    const file = realpathSync(program);
    if (said.program !== `${file} ${statSync(file).mtimeMs}` || said.world !== world()) return undefined;
    const own = [lstatSync(folder), lstatSync(said.path)].every(({ uid }) => uid === process.getuid());
    const isClosed = (lstatSync(folder).mode & 0o077) === 0;
    return own && isClosed && /^[0-9a-f]{64}$/.test(said.proof) ? said : undefined;
  } catch {
    // No resident, or one that is just starting or stopping.
    return undefined;
  }
}

/** A program without a terminal cannot open it, whatever its standard streams are. */
function hasTerminal() {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

function world() {
  try {
    return readlinkSync("/proc/self/ns/mnt");
  } catch {
    return "";
  }
}

/**
 * The whole input, or as much of it as shows that it is too long. A pipe is read without blocking: its writer may never
 * close it. Not by `process.stdin`, which loads more.
 */
function readInput() {
  const stdin = fstatSync(0);
  if (!stdin.isFIFO() && !stdin.isSocket()) return readFileSync(0);
  const socket = new (require("node:net").Socket)({ fd: 0, readable: true, writable: false });
  return new Promise((resolve, reject) => {
    const chunks = [];
    let bytes = 0;
    const done = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= INPUT_BYTES_MAX) done();
    });
    socket.on("end", done);
    socket.on("error", reject);
  });
}

/** Pipes that do not block are tried again. */
function whenReady(act) {
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function print(to, text) {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) bytes = bytes.subarray(whenReady(() => writeSync(to, bytes)));
}

/** A resident that is gone closes the socket; `asked` then finds it closed. */
function connectedTo({ path }) {
  return require("node:net")
    .connect(path)
    .on("error", () => undefined);
}

/** The resident's reply, or undefined if it has not taken the call. */
function asked(socket, proof, request) {
  if (socket.destroyed) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let text = "";
    const isTaken = () => text.startsWith(`${proof}\n`);
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isTaken() ? replyIn(text) : undefined);
    };
    let timer = setTimeout(end, TAKEN_MS);
    socket.setEncoding("utf8");
    socket.on("close", end);
    socket.on("data", (chunk) => {
      text += chunk;
      if (text.length > proof.length && !isTaken()) return end();
      if (text.endsWith("\n?\n")) {
        text = `${proof}\n`;
        socket.write(isHeard() ? "yes\n" : "no\n");
      }
      // The reply is one line, and nothing comes after it.
      if (text.endsWith("}\n")) return end();
      clearTimeout(timer);
      timer = setTimeout(end, SILENT_MS);
    });
    socket.write(request);
  });
}

/** A space before the answer means nothing to any host, and cannot be written if nobody reads. */
function isHeard() {
  try {
    print(1, " ");
    return true;
  } catch {
    return false;
  }
}

/** The last line of what the resident said, if it is a whole reply. */
function replyIn(text) {
  try {
    const { stdout, stderr, exit } = JSON.parse(text.slice(text.indexOf("\n")));
    if (typeof stdout === "string" && typeof stderr === "string" && Number.isInteger(exit))
      return { stdout, stderr, exit };
  } catch {
    // Not whole: the resident was stopped.
  }
  const stderr = "Leeway was interrupted while it decided, so the call was not run. Try it once more.\n";
  return { stdout: "", stderr, exit: BLOCKING };
}

module.exports = { askResident };
