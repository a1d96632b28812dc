import { statSync } from "node:fs";
import { type Message, say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { parseJsonText } from "../core/values/json-text.ts";
import { answerHook, type HookGate } from "./answer.ts";
import type { HookReply, Host } from "./host.ts";

/** One start of the hook program: where and how it was started, and what the host wrote to it. */
export type HookStart = {
  input(): Promise<string>;
  env: { readonly [name: string]: string | undefined };
  cwd: string;
  /**
   * How many seconds the host waits for this hook, as it was written when the hook was installed. Only the hook before a
   * call is told.
   */
  timeout: string | undefined;
};

/** Opens the gate for agents that work in the folder, for as long as `act` takes. */
export type OpenHookGate = <T>(cwd: string, act: (gate: HookGate) => Promise<T>) => Promise<T>;

const CHOSEN_POLICY =
  "LEEWAY_POLICY is set, and a hook uses only policies that a person has accepted: unset it, and run `leeway policy accept`";

/** Whatever goes wrong, the host is told not to run the call. */
export async function replyTo(host: Host, start: HookStart, open: OpenHookGate): Promise<HookReply> {
  let isReport = false;
  try {
    if (start.env["LEEWAY_POLICY"]) throw new Error(CHOSEN_POLICY);
    const patienceMs = patienceIn(host, start.timeout);
    if (patienceMs === undefined) throw new Error(`--timeout ${start.timeout} is not a number of seconds`);
    const text = await start.input();
    if (Buffer.byteLength(text) > INPUT_BYTES_MAX) return host.refuse(textOf(tooLong(host.name, text), "en"));
    const told = parsed(text);
    isReport = tellsWhatHappened(told);
    const input = host.read(told, start.timeout !== undefined);
    if ("fault" in input) return host.refuse(textOf(unreadable(host.name, input.fault, isReport), "en"));
    if (input.on === "other") return host.reply({ is: "noted" }, input);
    const project = projectOf(host, start);
    if (input.on === "before" || input.on === "prompt")
      for (const folder of [project, input.call.cwd]) refuseMissing(folder);
    const cwd = project ?? (input.on === "session end" ? start.cwd : input.call.cwd);
    return await open(cwd, async (gate) => host.reply(await answerHook(gate, host, input, patienceMs), input));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const said = isReport ? say("hook.unrecorded", { host: host.name, why }) : say("hook.undecided", { why });
    return host.refuse(textOf(said, "en"));
  }
}

/** The folder whose policies count and whose files are the project's, as the host says it; undefined if it says nothing but the call's. */
function projectOf({ projectVariable, startsInProject }: Host, { env, cwd }: HookStart): string | undefined {
  return (projectVariable && env[projectVariable]) || (startsInProject && cwd) || undefined;
}

function unreadable(host: string, fault: string, isReport: boolean): Message {
  return isReport ? say("hook.unrecorded", { host, why: fault }) : say("hook.unreadable", { host, fault });
}

/** Events after a call or a session. Copilot CLI does not name its events: only those after a call have these fields. */
const REPORTS: readonly unknown[] = ["PostToolUse", "PostToolUseFailure", "AfterTool", "SessionEnd"];

/** Nothing can be stopped any more, whatever the hook answers. */
function tellsWhatHappened({ hook_event_name: event, toolResult, error }: JsonObject): boolean {
  return event === undefined ? toolResult !== undefined || error !== undefined : REPORTS.includes(event);
}

const INPUT_MB_MAX = 16;
export const INPUT_BYTES_MAX = INPUT_MB_MAX * 1024 * 1024;
/** As far as the event's name is looked for in a text that is not parsed. */
const NAMED_WITHIN = 10_000;

/** The name of the event changes only the words: in both cases the answer is no. */
function tooLong(host: string, text: string): Message {
  const event = /"hook_event_name"\s*:\s*"(\w+)"/.exec(text.slice(0, NAMED_WITHIN))?.[1];
  if (!REPORTS.includes(event)) return say("hook.too_long", { host, max: INPUT_MB_MAX });
  const why = textOf(say("hook.report_too_long", { max: INPUT_MB_MAX }), "en");
  return say("hook.unrecorded", { host, why });
}

/** How long the host waits. Undefined if what was written for it is not a number of seconds. */
export function patienceIn(host: Host, seconds: string | undefined): number | undefined {
  if (seconds === undefined) return host.patienceMs;
  return /^[1-9]\d{0,5}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function parsed(text: string): JsonObject {
  const found = parseJsonText(text);
  if (!found.ok) throw new Error(`the input is not JSON (line ${found.line}, column ${found.column}: ${found.why})`);
  if (!isObject(found.value)) throw new Error("the input is not a JSON object");
  return found.value;
}

/** Policies are looked for from the project's folder: from a folder that does not exist, none would be found. */
function refuseMissing(folder: string | undefined): void {
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new Error(`the folder ${folder} does not exist`);
}
