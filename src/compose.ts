import { resolve } from "node:path";
import type { BoxMaker } from "./box-port.ts";
import { createClient } from "./client/index.ts";
import { readSettings, SettingError } from "./config/environment.ts";
import { type ServerMeant, serverMeant } from "./config/server-file.ts";
import { faultyFile, type RunnerSettings, type ServerSettings } from "./config/server-settings.ts";
import { messageOf, say } from "./core/messages/message.ts";
import { textOf } from "./core/messages/text.ts";
import type { Fault } from "./core/policy/tree.ts";
import type { Environment } from "./core/tables/variables.ts";
import type { CallbackReply, Deps, NamedCallback } from "./gate/deps.ts";
import { sealWhenDue } from "./gate/record/sealing.ts";
import { startTicking } from "./gate/time/tick.ts";
import { bounded, CALLBACK_MS } from "./library/bounded-callback.ts";
import type { PolicyCallback } from "./library/callbacks.ts";
import { type GateOptions, gateOptions, gateOver } from "./library/create-gate.ts";
import type { Gate, ServerGate } from "./library/gate.ts";
import { openTracing } from "./observe/tracing.ts";
import { type Gates, MEMORY, type OpenOptions, openDeps, openGates } from "./open.ts";
import type { PolicyFiles, Runner } from "./ports.ts";
import { type BoxedResult, runInWalls } from "./runners/box-run.ts";
import { commandRunner } from "./runners/command.ts";
import { type HttpOptions, httpRunner, signedPost } from "./runners/http.ts";
import { invalidPolicy } from "./service/policy-layer.ts";
import { badInput, LeewayRefusal } from "./service/refusal.ts";
import { anyText, ensureKeys, listOf, maybe, object, parse, shapeOf, type TypeOf, text } from "./service/shape.ts";
import { systemClock } from "./system.ts";

export { functionRunner } from "./runners/function.ts";
export { commandRunner, type Gates, type HttpOptions, httpRunner, type OpenOptions, openDeps, openGates };

export type GateOpening = OpenOptions & {
  /** The default name of the agent; `runtime` if left out. */
  agent?: string;
  /** The program's own part in decisions: `autoApprove`, `denyAll()`, `interactive(…)`, or your own. */
  callback?: PolicyCallback;
  /** The address of a server to use instead, with the token in `LEEWAY_TOKEN`; by default `LEEWAY_URL`, if it is set. */
  server?: string;
};

/** The options of a gate on a server, which has its own policy, database and runners. */
export type ServerGateOpening = Pick<GateOpening, "agent" | "cwd" | "env"> & {
  [own in (typeof EMBEDDED_ONLY)[number]]?: never;
} & { server: string };

const OPTION_KEYS = ["policy", "db", "workspace", "cwd", "clock", "mint", "runners", "channels", "env"];
const OPENING_KEYS = [...OPTION_KEYS, "agent", "callback", "server"];

/** How often a gate does what only time causes: expiry, lost leases, calls approved later, notices. */
const TICK_MS = 1_000;

/**
 * Opens a gate: the user's database and the policy of this project, unless options say otherwise.
 *
 * @example
 * ```ts
 * const gate = await openGate();
 * const writeFile = gate.guard("write_file", (args: { path: string; text: string }) => fs.writeFile(args.path, args.text));
 * await gate.as({ agent: "coder", session: "s1" }, () => writeFile({ path: "src/a.ts", text: "…" }));
 * await gate.close();
 * ```
 */
export function openGate(opening: ServerGateOpening): Promise<ServerGate & Boxes>;
export function openGate(opening?: Omit<GateOpening, "server"> & { server?: never }): Promise<LocalGate>;
export async function openGate(opening: GateOpening = {}): Promise<LocalGate | (ServerGate & Boxes)> {
  ensureKeys(opening, OPENING_KEYS);
  const box = boxVerbs(opening.env ?? process.env);
  const { agent, callback, server, ...options } = opening;
  const asking = { ...(agent === undefined ? {} : { agent }), ...(callback === undefined ? {} : { callback }) };
  const cwd = resolve(options.cwd ?? process.cwd());
  const checked = gateOptions({ cwd, ...asking }, (options.clock ?? systemClock).nowMs());
  const meant = settled(() => serverMeant(options.env ?? process.env, server));
  if (meant !== undefined) return { ...clientOf(opening, meant, checked), box };
  const deps = await opened(options);
  const warn = warnOnce();
  // If the store cannot be used now, or refuses to decide, each call reports it; the gate opens anyway.
  // A database in memory is empty when it is opened, so there it is said once somebody would have to answer.
  if (options.db !== MEMORY) await warnOfNobody(deps, callback, NOBODY).catch(warn);
  const asked = options.db === MEMORY ? warnOnceOfNobody(deps, callback, warn) : undefined;
  const stop = startTicking(deps, { everyMs: TICK_MS, onError: warn });
  const close = async () => {
    await stop();
    // What happened since the last checkpoint gets a new one; if that fails, the next one covers it.
    await sealWhenDue(deps, 1).then(
      (sealed) => (sealed?.ok === false ? warn(textOf(sealed.reason, "en")) : undefined),
      warn,
    );
    await deps.close();
  };
  let closing: Promise<void> | undefined;
  const given = {
    ...checked,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
  const gate = gateOver(deps, given, asked);
  return { ...gate, box };
}

/** A gate, and the boxes of the machine that the program runs on, whoever decides. */
export type LocalGate = Gate & Boxes;

export type Boxes = { box: ReturnType<typeof boxVerbs> };

const WORDS = listOf(anyText, 1);

const BOX_RUN = object({
  /** A text is run by bash, a list of words directly. */
  command: shapeOf<string | readonly string[]>({ anyOf: [anyText.schema, WORDS.schema] }, (value, path, source) =>
    typeof value === "string" ? anyText.read(value, path, source) : WORDS.read(value, path, source),
  ),
  /** Where it runs; by default the folder of this process. */
  cwd: maybe(text),
  /** Files and folders that it can change, and domains that it can reach; what is left out stays closed. */
  walls: maybe(object({ write: maybe(listOf(text)), network: maybe(listOf(text)) })),
});

function boxVerbs(env: Environment) {
  return {
    /**
     * Runs a command in a box and returns its output. It is the program itself that runs it: nothing is decided, and nothing is
     * recorded. If no box can be made, nothing runs.
     */
    run: async (input: TypeOf<typeof BOX_RUN>): Promise<BoxedResult> => {
      const { command, cwd = process.cwd(), walls = {} } = parse(BOX_RUN, input);
      const { write = [], network = [] } = walls;
      const { openBoxing } = await import("./box/boxing.ts");
      const { stateFolder, home } = settled(() => readSettings(env, env["HOME"]));
      const { maker } = openBoxing({ stateFolder, home }, Date.now);
      const ability = await maker.ability();
      if (!ability.ok) throw notRun(ability.why, ability.hint);
      return runInWalls(maker, { command, cwd, write, network }).catch((error: unknown) => {
        if (!(error instanceof Error)) throw error;
        throw notRun(error.message, "check the command, the folder and the walls");
      });
    },
  };
}

function notRun(why: string, hint: string): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_NO_BOX", reason: messageOf(why), hint: messageOf(hint) });
}

/** Warns when the gate is opened, not only at the first refused call, that nobody can answer. */
async function warnOfNobody({ standing }: Deps, callback: GateOpening["callback"], text: string): Promise<void> {
  const { people } = (await standing.current()).rows;
  const isSomebody = people.some((person) => person.state === "active" && !person.auditor);
  if (isSomebody || callback?.supportsInteraction === false) return;
  process.emitWarning(text, { code: "LEEWAY_NO_REVIEWER" });
}

const NOBODY =
  "nobody is set up who could answer, so a call that has to be asked about cannot run; " +
  "run `leeway init`, or add somebody with gate.people.add({ name })";

const NOBODY_IN_MEMORY =
  "a call waits for an answer, and nobody is set up who could give one, because this database is only in memory; " +
  "add somebody with gate.people.add({ name }), give openGate a `callback`, or leave out `db` to use the people of this machine";

function warnOnceOfNobody(deps: Deps, callback: GateOpening["callback"], warn: (error: unknown) => void): () => void {
  let isSaid = false;
  return () => {
    if (isSaid) return;
    isSaid = true;
    warnOfNobody(deps, callback, NOBODY_IN_MEMORY).catch(warn);
  };
}

const WARNINGS_MAX = 20;

/** Background work that fails is repeated every second; the program is told about each kind of failure once. */
function warnOnce(): (error: unknown) => void {
  const said = new Set<string>();
  return (error) => {
    const text = error instanceof Error ? error.message : String(error);
    if (said.has(text) || said.size === WARNINGS_MAX) return;
    said.add(text);
    process.emitWarning(`leeway could not do what was due, and will try again: ${text}`, { code: "LEEWAY_TICK" });
  };
}

/** A server has its own policy, database and runners, so a program cannot set them for a gate on a server. */
const EMBEDDED_ONLY = ["policy", "db", "workspace", "clock", "mint", "runners", "channels", "callback"] as const;

function clientOf(
  opening: GateOpening,
  meant: ServerMeant,
  { agent, cwd }: Pick<GateOptions, "agent" | "cwd">,
): ServerGate {
  for (const key of EMBEDDED_ONLY) {
    if (opening[key] === undefined) continue;
    throw badInput(key, say("refusal.server_has_own", { url: meant.url }), say("hint.leave_out_or_no_server"));
  }
  return createClient({ ...meant, ...(agent === undefined ? {} : { agent }), ...(cwd === undefined ? {} : { cwd }) });
}

/** For a program, a setting that cannot be used is a refusal like any other. */
function settled<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw refusedSetting(error);
  }
}

async function opened(options: OpenOptions): ReturnType<typeof openDeps> {
  try {
    const tracing = await openTracing();
    const deps = await openDeps(options, tracing === undefined ? {} : { observers: new Set([tracing]) });
    refuseBrokenPolicy(deps.policies);
    return deps;
  } catch (error) {
    throw refusedSetting(error);
  }
}

function refusedSetting(error: unknown): unknown {
  if (!(error instanceof SettingError)) return error;
  const { message, hint } = error;
  const reason = messageOf(message.replace(`; ${hint}`, ""));
  return new LeewayRefusal({ code: "LEEWAY_BAD_INPUT", reason, hint: messageOf(hint) }, { cause: error });
}

/** A named policy that does not load would deny every call; the program should learn this now. */
function refuseBrokenPolicy(policies: PolicyFiles): void {
  const { named, files } = policies.current();
  for (const { loaded } of named ? files : []) if (!loaded.ok) throw invalidPolicy(loaded.faults);
}

/** Options of `webhookCallback`. */
export type WebhookOptions = Omit<HttpOptions, "idempotent"> & {
  /** False: no person can be asked, so a call that would ask is declined at once. True if left out. */
  supportsInteraction?: boolean;
};

/**
 * A callback that asks a service: it gets `{ call, effect }`, signed according to Standard Webhooks, and answers as
 * `decide` would, or with an empty body if it has no opinion. If it fails or does not answer in time, the call is denied.
 * @example
 * ```ts
 * const gate = await openGate({ callback: webhookCallback("risk", { url: "https://risk.example/decide", secret }) });
 * ```
 */
export function webhookCallback(
  name: string,
  { supportsInteraction = true, ...options }: WebhookOptions,
): PolicyCallback {
  const post = signedPost(options);
  return {
    name,
    supportsInteraction,
    decide: async (asked) => {
      const answer = await post(asked.call.callId, asked, AbortSignal.timeout(CALLBACK_MS));
      if (!answer.ok) throw new Error(answer.error);
      // The gate checks the form of the answer; what is not an answer denies the call.
      return (answer.result ?? undefined) as CallbackReply | undefined;
    },
  };
}

/** The callback in the server's settings, as the gate may call it. */
export function callbackOf({ callback, file }: ServerSettings): NamedCallback | undefined {
  if (callback === undefined) return undefined;
  const { name, url, secret, nearby, supportsInteraction, at } = callback;
  try {
    return bounded(webhookCallback(name, { url, secret, supportsInteraction, ...(nearby ? { nearby } : {}) }));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw faultyFile([{ ...at, file, message: say("text.as_given", { text }) }]);
  }
}

/** The runners in the server's settings; one that cannot be created is reported with its position. */
export function runnersOf({ runners }: ServerSettings, boxes?: BoxMaker): readonly Runner[] {
  const faults: Fault[] = [];
  const made = runners.flatMap((settings) => {
    try {
      return [runnerOf(settings, boxes)];
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      faults.push({ ...settings.at, message: say("text.as_given", { text }) });
      return [];
    }
  });
  if (faults.length > 0) throw faultyFile(faults);
  return made;
}

function runnerOf({ tool, ...settings }: RunnerSettings, boxes: BoxMaker | undefined): Runner {
  if (settings.by === "command") return commandRunner(tool, { ...settings, ...(boxes === undefined ? {} : { boxes }) });
  const { url, secret, idempotent, nearby } = settings;
  return httpRunner(tool, { url, secret, idempotent, ...(nearby ? { nearby } : {}) });
}

export { backupDatabase, restoreDatabase } from "./store/sqlite/index.ts";
