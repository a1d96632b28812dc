import { isUtf8 } from "node:buffer";
import { closeSync, openSync } from "node:fs";
import { announcedServer, stateFolderOf } from "../../../config/server-file.ts";
import { say } from "../../../core/messages/message.ts";
import { textOf } from "../../../core/messages/text.ts";
import { nearest } from "../../../core/values/nearest.ts";
import type { HookGate } from "../../../hooks/answer.ts";
import type { HookReply, Host } from "../../../hooks/host.ts";
import { HOSTS, loadHost } from "../../../hooks/hosts/index.ts";
import { INPUT_BYTES_MAX, patienceIn, replyTo } from "../../../hooks/reply.ts";
import { usage } from "../../failure.ts";
import { withDatabase } from "../../gate/database.ts";
import { type CommandInput, type CommandSpec, flag, text } from "../../spec.ts";
import { namesServer } from "../../terminal/io.ts";

export const hook: CommandSpec = {
  name: "hook",
  summary:
    "answer a tool call of an agent program (a host): JSON on stdin, JSON on stdout; `leeway init HOST` installs it",
  args: [["[host]", `the program that calls: ${Object.keys(HOSTS).join(", ")}`]],
  options: [
    ["--timeout <seconds>", "how long the host waits for this hook (default: 600)"],
    [
      "--env <name=value...>",
      "a variable such as HOME, as it was when the hook was installed; the host's own values of such variables are then not used",
    ],
    [
      "--resident",
      "answer the hooks of this user until none has asked for ten minutes; hooks start it themselves (LEEWAY_RESIDENT=off: never)",
    ],
  ],
  examples: ["leeway hook claude-code < call.json"],
  exits: [0, 2],
  endsWith: "Exit code 2 means that the host must not run the call; stderr says why.",
  act: async (given) => {
    if (flag(given, "resident")) return stay(given);
    // A hook that ends without an answer must block the call: hosts take every other exit code for a yes.
    process.exitCode = BLOCKING;
    given.io.stdout.prependListener("error", () => {
      given.io.stderr.write(`${textOf(say("hook.unwritten"), "en")}\n`);
      process.exit(BLOCKING);
    });
    const host = await hostNamed(given.args[0] ?? "");
    const { stdout, stderr, exit } = await replied(given, host);
    if (stderr !== "") given.io.stderr.write(stderr);
    const code =
      stdout === ""
        ? exit
        : await written(given.io.stdout, stdout).then(
            () => exit,
            () => BLOCKING,
          );
    if (exit === 0) await (await import("../../resident.ts")).startResident(given.io);
    return code;
  },
};

async function stay({ args, io }: CommandInput): Promise<number> {
  if (args[0] !== undefined) throw usage("--resident takes no host", "it answers the hooks of every host");
  await (await import("../../resident.ts")).stayForHooks(io);
  return 0;
}

const BLOCKING = 2;
/** The part of the host's limit after which the hook answers no, if it has not answered. */
const LATEST = 0.97;

async function hostNamed(name: string): Promise<Host> {
  const host = await loadHost(name);
  if (host !== undefined) return host;
  const near = nearest(name, Object.keys(HOSTS));
  const list = `use one of: ${Object.keys(HOSTS).join(", ")}`;
  throw usage(`unknown host \`${name}\``, near === undefined ? list : `did you mean ${near}? ${list}`);
}

/** Waits until the host can read the answer. */
function written(stdout: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** A space before the answer means nothing to any host, and cannot be written if nobody reads. */
function isHeard(stdout: NodeJS.WriteStream): Promise<boolean> {
  return written(stdout, " ").then(
    () => true,
    () => false,
  );
}

async function replied(given: CommandInput, host: Host): Promise<HookReply> {
  const { env, cwd, stdout } = given.io;
  const timeout = text(given, "timeout");
  const patienceMs = patienceIn(host, timeout);
  // After its limit a host goes on without the hook. Whatever takes so long, a no before that is better.
  const tooLate = setTimeout(
    () => {
      given.io.stderr.write(`${textOf(say("hook.unfinished", { host: host.name }), "en")}\n`);
      process.exit(BLOCKING);
    },
    (patienceMs ?? host.patienceMs) * LATEST,
  );
  const start = { env, cwd, timeout, input: () => inputOf(given) };
  const surroundings = { hasTerminal: hasTerminal(), isHeard: () => isHeard(stdout) };
  const reply = await replyTo(host, start, async (folder, act) => {
    if (namesServer(given.io)) return act(await elsewhere(given, host, { ...surroundings, project: folder }));
    return withDatabase(
      given,
      async (deps) => {
        const { localHookGate } = await import("../../../hooks/local.ts");
        const { hookBoxes } = await import("../../gate/local-boxes.ts");
        const holds = announcedServer(stateFolderOf(env)) !== undefined;
        const { stillness } = await import("../../../box/in-place/still.ts");
        const here = { holds, ...hookBoxes(deps, env, folder), stillness: stillness(stateFolderOf(env)) };
        return act(localHookGate(deps, { ...surroundings, ...here }));
      },
      { cwd: folder },
    );
  });
  clearTimeout(tooLate);
  return reply;
}

type Surroundings = Pick<HookGate, "hasTerminal" | "isHeard"> & { project: string };

/** The gate of the server that the environment names. Each is loaded only if it is used. */
async function elsewhere(given: CommandInput, host: Host, around: Surroundings): Promise<HookGate> {
  const { namedServer } = await import("../../gate/named-server.ts");
  const { serverHookGate } = await import("../../gate/server-hook.ts");
  const server = namedServer(given);
  const variable = server.url.startsWith("https:") ? "NODE_TLS_REJECT_UNAUTHORIZED" : "NODE_USE_ENV_PROXY";
  // With it Node takes the answers of whoever stands between, and a project may have set it for the hook.
  if (given.io.env[variable])
    throw new Error(textOf(say("hook.untrusted_connection", { variable, host: host.name, url: server.url }), "en"));
  return serverHookGate(server, { ...around, io: given.io });
}

/** A program without a terminal cannot open it, whatever its standard streams are. */
function hasTerminal(): boolean {
  if (process.platform === "win32") return true;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Of an input that is too long, as much is read as shows that. */
async function inputOf({ io }: CommandInput): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of io.input === undefined ? io.stdin : [io.input]) {
    bytes += chunk.length;
    chunks.push(Buffer.from(chunk));
    if (bytes > INPUT_BYTES_MAX) return Buffer.concat(chunks).toString("utf8");
  }
  const all = Buffer.concat(chunks);
  // Read as text, it would become another call than the one that the host runs.
  if (!isUtf8(all)) throw new Error("the input is not valid UTF-8");
  return all.toString("utf8");
}
