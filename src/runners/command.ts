import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { normalise } from "../core/classify/path.ts";
import { passedOn } from "../core/tables/variables.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import type { Runner, Running, RunOutcome } from "../ports.ts";

/** Output beyond this is counted and thrown away; a result is for reading, not for storing files. */
export const OUTPUT_BYTES_MAX = 64 * 1024;
const KILL_AFTER_MS = 2000;

/** What an approved call says to run, byte for byte. A shell takes part only where a shell's text was approved. */
type CommandLine = { argv: readonly string[] } | { shell: string };

type CommandOptions = {
  idempotent: boolean;
  /** Variables for the program, besides PATH, HOME, language and the like. The rest of the gate's own are not handed on. */
  env: Readonly<Record<string, string>>;
};

/** Carries out a command as a program of its own, in a process group that can be ended whole. */
export function commandRunner(name: string, options: CommandOptions): Runner {
  // Taken once: what the program does to its own environment later reaches nothing that was approved before.
  const given = { ...passedOn(process.env), ...options.env };
  return {
    name,
    idempotent: options.idempotent,
    env: given,
    run: async (running) => {
      const line = lineOf(running.args);
      const env = extraEnv(running.args);
      if (line === undefined || env === undefined || !runsHere(running)) {
        return { ok: false, error: "the call has no command that could be run as it is", started: false };
      }
      return run(line, running, { ...given, ...env });
    },
  };
}

/** Words by which other tools name a command or a folder: whoever approved the call may have read them so. */
const OTHER_WORDS = "args cmd command_line script input commands program workdir working_directory work_dir".split(" ");

/** `argv` or a list under `command` is run as it is; a text under `command` is a shell's. Anything besides is not guessed at. */
function lineOf(args: JsonObject): CommandLine | undefined {
  if (OTHER_WORDS.some((word) => word in args) || ("argv" in args && "command" in args)) return undefined;
  const words = args["argv"] ?? args["command"];
  if (typeof words === "string") return words === "" || "argv" in args ? undefined : { shell: words };
  if (!Array.isArray(words) || words.length === 0) return undefined;
  return words.every((word): word is string => typeof word === "string") ? { argv: words } : undefined;
}

/** The card says where a command runs; a folder among the arguments that is another one is not ignored in silence. */
function runsHere({ call, args }: Running): boolean {
  const { cwd } = args;
  if (cwd === undefined) return true;
  if (typeof cwd !== "string" || call.cwd === undefined) return false;
  return normalise(cwd.startsWith("/") ? cwd : `${call.cwd}/${cwd}`) === normalise(call.cwd);
}

function run(line: CommandLine, running: Running, env: Record<string, string>): Promise<RunOutcome> {
  const { cwd } = running.call;
  const settings: SpawnOptions = {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // Its own group, so that what it starts ends with it.
    detached: true,
    shell: false,
  };
  if (running.signal.aborted) return Promise.resolve({ ok: false, error: "the claim was lost", started: false });
  return new Promise((resolve) => {
    const child = "shell" in line ? spawn("/bin/sh", ["-c", line.shell], settings) : spawnArgv(line.argv, settings);
    const out = gather(child.stdout);
    const err = gather(child.stderr);
    let killing: NodeJS.Timeout | undefined;
    const abort = () => {
      killing = endGroup(child);
    };
    running.signal.addEventListener("abort", abort, { once: true });
    const done = (outcome: RunOutcome) => {
      running.signal.removeEventListener("abort", abort);
      clearTimeout(killing);
      resolve(outcome);
    };
    child.once("error", (error) => done({ ok: false, error: error.message, started: child.pid !== undefined }));
    child.once("close", (code, signal) => {
      if (child.pid === undefined) return;
      if (running.signal.aborted) return done({ ok: false, error: "ended because the claim was lost", started: true });
      const result = { code, ...(signal === null ? {} : { signal }), stdout: out(), stderr: err() };
      done(code === 0 ? { ok: true, result } : { ok: false, error: endedText(code, signal), started: true, result });
    });
  });
}

/** The same words as `leeway run` records: a command that says that it failed has failed. */
function endedText(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}

function spawnArgv(argv: readonly string[], settings: SpawnOptions): ChildProcess {
  const [program = "", ...rest] = argv;
  return spawn(program, rest, settings);
}

/** Variables that the approved call itself names; anything but text would have to be guessed at. */
function extraEnv(args: JsonObject): Record<string, string> | undefined {
  const env = args["env"];
  if (env === undefined) return {};
  if (!isObject(env) || Object.values(env).some((value) => typeof value !== "string")) return undefined;
  return { ...(env as { [key: string]: string }) };
}

function gather(stream: ChildProcess["stdout"]): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  let lost = 0;
  stream?.on("data", (chunk: Buffer) => {
    const room = OUTPUT_BYTES_MAX - kept;
    const part = chunk.subarray(0, room);
    chunks.push(part);
    kept += part.length;
    lost += chunk.length - part.length;
  });
  return () => Buffer.concat(chunks).toString("utf8") + (lost === 0 ? "" : `\n[${lost} bytes more]`);
}

/** Asked to end, then made to. */
function endGroup(child: ChildProcess): NodeJS.Timeout | undefined {
  const { pid } = child;
  if (pid === undefined) return undefined;
  signalGroup(pid, "SIGTERM");
  return setTimeout(() => signalGroup(pid, "SIGKILL"), KILL_AFTER_MS).unref();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Gone already is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
