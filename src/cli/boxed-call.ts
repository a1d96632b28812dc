import { lstatSync, readFileSync, realpathSync, statSync, writeSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { EXTRA } from "../box/launch.ts";
import type { ProgramStart } from "../box-port.ts";
import { announcedServer, stateFolderOf } from "../config/server-file.ts";
import type { Box } from "../core/box.ts";
import type { ToolCall } from "../core/call.ts";
import { readCall } from "../core/classify/reading.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { openArgs } from "../gate/calls/args.ts";
import { callAt } from "../gate/calls/call-at.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { bashStart } from "../programs.ts";
import type { HeldCall } from "../service/claimed.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import { carriedOutInBox } from "./boxed-run.ts";
import { commandEnvironment, commandWords } from "./calls.ts";
import { Failure } from "./failure.ts";
import { withDatabase } from "./gate/database.ts";
import { CARRIED, type HookSettings, whyNoBox } from "./gate/local-boxes.ts";
import { localCalls } from "./gate/local-calls.ts";
import { kept } from "./kept/keeping.ts";
import { type CommandInput, flag, text } from "./spec.ts";
import { startOf } from "./terminal/spawn.ts";

// `leeway box --call ID`: what a hook makes its host run instead of a command that was decided for a box.

/** A person who sees the question at once may still answer before the host gives up on the command. */
const WAIT_MS = 60_000;
/** The tool of `leeway run`. */
const EXEC_TOOL = "exec";

/** Claims the call, runs its command in its box, and records how it ended. */
export async function boxedCall(given: CommandInput, id: string): Promise<number> {
  const settings = settingsOf(given);
  const at = { ...given, io: Object.create(given.io, { env: { value: gateEnvironment(given, settings) } }) };
  return withDatabase(at, (deps) => carriedOut(at, deps, id, given.io.env), { cwd: settings?.folder ?? given.io.cwd });
}

async function carriedOut(given: CommandInput, deps: Deps, id: string, shellEnv: NodeJS.ProcessEnv): Promise<number> {
  const { env } = given.io;
  const no = await whyNoBox(deps, env);
  if (no !== undefined) throw new Failure(5, `no box can be made here (${no.why}), so nothing was run`, no.hint);
  const { call, box } = await decidedCall(deps, id);
  ensureFolder(given, folderOf(call, call.args));
  const calls = await localCalls(deps, given.io);
  if (calls.boxes === undefined)
    throw new Failure(5, "no box can be made here, so nothing was run", "run `leeway doctor`");
  const held = await claimedCall(deps, calls.claim, id);
  const ended = endFolder();
  const waitMs = announcedServer(stateFolderOf(env)) === undefined ? 0 : WAIT_MS;
  const w = { calls, boxes: calls.boxes, waitMs, inbox: "leeway inbox" };
  const run = () =>
    carriedOutInBox(given, w, {
      held,
      box: held.box ?? box,
      call,
      startFrom: (args) => commandStart(call, args, { ...shellEnv, PATH: env["PATH"] }),
      extra: ended.hear,
      left: ended.left,
    });
  const isKept = calls.boxes.keeps && (flag(given, "keep") || call.args["run_in_background"] === true);
  const exitCode = await (isKept ? kept(given, call, run) : run());
  if (flag(given, "tellFolder")) ended.tell(call.cwd ?? "");
  return exitCode;
}

/** The call as it was decided, and its box. */
async function decidedCall(deps: Deps, id: string): Promise<{ call: ToolCall & { id: string }; box: Box }> {
  const row = await callAt(deps, id);
  if (row === undefined) throw new Failure(2, `there is no call ${id}`, "`leeway log` lists the calls");
  const { box } = row.decision;
  if (box === undefined)
    throw new Failure(5, `${id} was not decided for a box, so nothing was run`, "use `leeway run`");
  const opened = openArgs(row);
  if (!opened.ok)
    throw new Failure(5, `the arguments of ${id} cannot be read, so nothing was run`, "run `leeway verify`");
  return { call: { ...opened.call, id: row.id }, box };
}

/** A call starts at most once: whoever comes second is refused. */
async function claimedCall(deps: Deps, claim: (id: string) => Promise<HeldCall>, id: string): Promise<HeldCall> {
  const { executionId, reason } = await wait(deps, id, { timeoutMs: 0, looksOn: true });
  if (executionId === undefined)
    throw new Failure(5, `${id} may not run${reason === undefined ? "" : `: ${reason}`}`, `run \`leeway why ${id}\``);
  try {
    return await claim(executionId);
  } catch (error) {
    if (!(error instanceof LeewayRefusal)) throw error;
    throw new Failure(5, `nothing was run: ${error.reason} (${error.code})`, `run \`leeway why ${id}\``);
  }
}

/** Run by bash, as it was judged, in the folder of the call; words of `leeway run` are run as they are. */
function commandStart(call: ToolCall, args: JsonObject, shellEnv: NodeJS.ProcessEnv): ProgramStart {
  if (call.tool === EXEC_TOOL)
    return startOf(commandWords(args), { cwd: call.cwd ?? "/", env: commandEnvironment(args, shellEnv) });
  const command = args["command"] ?? args["cmd"];
  if (typeof command !== "string") throw new Error("the call has no command");
  const cwd = folderOf(call, args);
  const env = commandEnvironment(args, shellEnv) as Record<string, string>;
  const start = bashStart(`${TELL_END}${command}`, env);
  if (!start.ok) throw new Error(start.why);
  return { program: start.program, name: "bash", args: start.args, cwd, env };
}

function folderOf(call: ToolCall, args: JsonObject): string {
  const { folders } = readCall({ ...call, args }).commands;
  if (folders.length > 1) throw new Failure(5, "the call names several folders, so nothing was run", "name one folder");
  return resolve(call.cwd ?? "/", folders[0] ?? "");
}

/** The command was judged in the folder that the host told the hook. In another one it would be another command. */
function ensureFolder({ io }: CommandInput, folder: string): void {
  const here = realPath(io.cwd);
  if (here !== undefined && here === realPath(folder)) return;
  throw new Failure(
    5,
    `the command was started in ${io.cwd}, but was judged in ${folder}, so nothing was run`,
    "change to that folder first, in a command of its own",
  );
}

function realPath(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync.native(path);
}

/** Writes the names of the programs that still run, each after a zero byte: all but this shell and those that started it. */
const NAMES_LEFT = [
  "for leeway_one in /proc/[1-9]*/stat; do",
  "case $leeway_one in /proc/1/stat|/proc/$$/stat|/proc/$PPID/stat) continue;; esac;",
  "{ builtin read -r leeway_stat <$leeway_one; } 2>/dev/null || continue;",
  `case \${leeway_stat##*) } in [ZX]*) continue;; esac;`,
  `leeway_stat=\${leeway_stat#*(};`,
  `builtin printf "\\0%s" "\${leeway_stat%)*}" >&${EXTRA}; done`,
].join(" ");

/** On the same line as the command, so that the line numbers in messages stay right. */
const TELL_END = `trap 'builtin pwd -P >&${EXTRA}; ${NAMES_LEFT}' EXIT; `;
const FOLDER_BYTES_MAX = 4096;
const SAID_BYTES_MAX = 16_384;
const TOLD_TO = 3;

/** The folder in which the command ended, and the programs that it left behind. What the box says is only a wish: the folder must be there outside. */
function endFolder() {
  let said = "";
  return {
    hear: (chunk: Buffer) => {
      if (said.length <= SAID_BYTES_MAX) said += chunk.toString("utf8");
    },
    left: () => said.split("\0").slice(1),
    tell: (startedIn: string) => {
      const folder = (said.split("\0")[0] ?? "").replace(/\n$/, "");
      const isPath = isAbsolute(folder) && !/[\n\0]/.test(folder) && folder.length <= FOLDER_BYTES_MAX;
      if (!isPath || folder === startedIn) return;
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) writeSync(TOLD_TO, folder);
    },
  };
}

/** What the hook wrote down. Only a file of this user that nobody else can change. */
function settingsOf(given: CommandInput): HookSettings | undefined {
  const file = text(given, "settings");
  if (file === undefined) return undefined;
  const found = lstatSync(file, { throwIfNoEntry: false });
  const isOwn = found?.isFile() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  const said = isOwn ? (JSON.parse(readFileSync(file, "utf8")) as Partial<HookSettings>) : undefined;
  if (said === undefined || typeof said.folder !== "string" || !isObject(said.env ?? null))
    throw new Failure(
      5,
      `the settings of the hook cannot be used (${file}), so nothing was run`,
      "start the call again",
    );
  return said as HookSettings;
}

const REPLACED: ReadonlySet<string> = new Set([
  ...CARRIED,
  ...["LEEWAY_POLICY", "LEEWAY_URL", "LEEWAY_TOKEN", "LEEWAY_TOKEN_FILE"],
]);

/** The call is judged again with the variables with which the hook judged it. */
function gateEnvironment({ io }: CommandInput, settings: HookSettings | undefined): NodeJS.ProcessEnv {
  if (settings === undefined) return io.env;
  const rest = Object.fromEntries(Object.entries(io.env).filter(([name]) => !REPLACED.has(name)));
  return { ...rest, ...settings.env };
}
