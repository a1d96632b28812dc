import { spawn } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { stillness } from "../box/in-place/still.ts";
import { prepareStateFolder } from "../config/environment.ts";
import { announcedServer, stateFolderOf } from "../config/server-file.ts";
import { passedOn } from "../core/tables/variables.ts";
import { headOf } from "../gate/record/ledger.ts";
import { lookAtLedger } from "../gate/time/clock.ts";
import { blocked, type HookReply } from "../hooks/host.ts";
import { HOSTS, loadHost } from "../hooks/hosts/index.ts";
import { localHookGate } from "../hooks/local.ts";
import { replyTo } from "../hooks/reply.ts";
import {
  type AnswerHook,
  type HookBehind,
  hasResident,
  listenForHooks,
  type Resident,
  type ResidentRequest,
} from "../hooks/resident.ts";
import type { Observers } from "../observer-port.ts";
import { releaseClosed } from "../open.ts";
import { refuseUnknownWorkspace, sealRecorded } from "./gate/database.ts";
import { hookBoxes } from "./gate/local-boxes.ts";
import { type KeptDatabases, keptDatabases } from "./kept-databases.ts";
import { type Io, namesServer } from "./terminal/io.ts";

/** Long enough for a person who reads between two calls of an agent. */
const IDLE_MS = 10 * 60_000;

/** Answers hooks until nobody has asked for a while. */
export async function stayForHooks({ env }: Io): Promise<void> {
  const folder = stateFolderOf(env);
  prepareStateFolder(folder);
  if (await hasResident(folder)) return;
  const resident = await residentIn(folder, { idleMs: IDLE_MS });
  const stop = () => resident?.close();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, stop);
  await resident?.stopped;
}

/** Answers hooks that were started from the same program as this process. */
export async function residentIn(
  stateFolder: string,
  { observers = new Set(), ...how }: { idleMs?: number; observers?: Observers } = {},
): Promise<Resident | undefined> {
  // A server goes on using the database, and collecting all its memory would delay those who ask it.
  const databases = keptDatabases(observers, how.idleMs === undefined ? () => undefined : releaseClosed);
  const answer: AnswerHook = (request, hook) => answerRequest(request, hook, { databases, observers });
  const resident = await listenForHooks(stateFolder, { ...how, program: ownProgram(), answer });
  return resident && { ...resident, stopped: resident.stopped.then(() => databases.close()) };
}

/** The file that was started and when it was built: a hook of another version is not answered. */
function ownProgram(): string {
  const file = realpathSync(process.argv[1] ?? "");
  return `${file} ${statSync(file).mtimeMs}`;
}

async function answerRequest(
  request: ResidentRequest,
  hook: HookBehind,
  { databases, observers }: { databases: KeptDatabases; observers: Observers },
): Promise<HookReply> {
  const { env, cwd, input, timeout, hasTerminal } = request;
  const host = await loadHost(request.host);
  if (host === undefined)
    return blocked(`leeway: unknown host \`${request.host}\`; use one of: ${Object.keys(HOSTS).join(", ")}`);
  for (const observer of observers) observer.hooked?.(request.host);
  const holds = announcedServer(stateFolderOf(env)) !== undefined;
  return replyTo(host, { env, cwd, timeout, input: async () => input }, (folder, act) =>
    databases.use({ env, cwd: folder }, async (deps) => {
      await refuseUnknownWorkspace(env, deps);
      await lookAtLedger(deps);
      const { index: before } = await headOf(deps);
      const boxes = hookBoxes(deps, env, folder);
      const acted = await act(
        localHookGate(deps, { holds, hasTerminal, ...boxes, stillness: stillness(stateFolderOf(env)), ...hook }),
      );
      await sealRecorded(deps, before);
      return acted;
    }),
  );
}

/** Starts a resident for the hooks that come after this one. If it cannot be started, they decide themselves. */
export async function startResident(io: Io): Promise<void> {
  const isWanted = process.platform !== "win32" && io.env["LEEWAY_RESIDENT"] !== "off" && !namesServer(io);
  const folder = stateFolderOf(io.env);
  if (!isWanted || announcedServer(folder) !== undefined || (await hasResident(folder))) return;
  const [node, program = ""] = process.argv;
  const child = spawn(node ?? process.execPath, [program, "hook", "--resident"], {
    detached: true,
    stdio: "ignore",
    // Not in the project: a folder that a process works in cannot be unmounted.
    cwd: folder,
    env: residentVariables(io.env),
  });
  child.on("error", () => undefined);
  child.unref();
}

/** It answers for all projects of the user, so it gets nothing that one of them may have set for its hooks. */
function residentVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOfGate = (name: string) => GATE_VARIABLES.test(name) && env[name] !== undefined;
  return {
    ...passedOn(env),
    ...Object.fromEntries(
      Object.keys(env)
        .filter(isOfGate)
        .map((name) => [name, env[name]]),
    ),
  };
}

const GATE_VARIABLES = /^(XDG_(STATE|CONFIG)_HOME|LEEWAY_\w+|PGPASSFILE|PGSSL\w+)$/;
