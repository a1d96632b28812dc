import { statSync } from "node:fs";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { parseJsonText } from "../core/values/json-text.ts";
import { answerHook, type HookGate } from "./answer.ts";
import type { HookReply, Host } from "./host.ts";

/** One start of the hook program: where it was started, and what the host wrote to it. */
export type HookStart = {
  input(): Promise<string>;
  env: { readonly [name: string]: string | undefined };
  cwd: string;
};

/** Opens the gate for agents that work in the folder, for as long as `act` takes. */
export type OpenHookGate = <T>(cwd: string, act: (gate: HookGate) => Promise<T>) => Promise<T>;

/** Whatever goes wrong, the host is told not to run the call. */
export async function replyTo(host: Host, start: HookStart, open: OpenHookGate): Promise<HookReply> {
  try {
    const input = host.read(parsed(await start.input()));
    if ("fault" in input) return host.refuse(`Leeway could not read what ${host.name} sent: ${input.fault}. Not run.`);
    if (input.on === "other") return host.reply({ is: "noted" }, input);
    const project = (host.projectVariable && start.env[host.projectVariable]) || undefined;
    if (input.on === "before") for (const folder of [project, input.call.cwd]) refuseMissing(folder);
    const cwd = project ?? (input.on === "session end" ? start.cwd : input.call.cwd);
    return await open(cwd, async (gate) => host.reply(await answerHook(gate, host, input), input));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return host.refuse(`Leeway could not decide, so the call was not run: ${why}. Do not retry it; tell the user.`);
  }
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
