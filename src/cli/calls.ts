import type { ToolCall } from "../core/call.ts";
import { type Environment, runChanging } from "../core/tables/variables.ts";
import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { parseJsonText } from "../core/values/json-text.ts";
import type { Deps } from "../gate/deps.ts";
import { NAME_LENGTH_MAX } from "../service/shape.ts";
import { Failure, usage } from "./failure.ts";

export type CallGiven = { agent?: string; tool: string; args: JsonObject; cwd: string };

/** A call as the command line makes it. */
export function callOf(deps: Pick<Deps, "mint" | "workspace">, given: CallGiven): ToolCall {
  const long = longName(given);
  if (long !== undefined) throw usage(long, `names have ${NAME_LENGTH_MAX} characters at most`);
  return {
    workspace: deps.workspace,
    agent: given.agent ?? "cli",
    tool: given.tool,
    args: given.args,
    cwd: given.cwd,
    callId: deps.mint.next("call"),
    traceId: deps.mint.next("trace"),
    chain: [],
    claims: {},
  };
}

/** The same bound as the library's: a name is shown, indexed and kept with every call. */
function longName({ agent = "", tool }: Pick<CallGiven, "agent" | "tool">): string | undefined {
  const [kind] = [
    ...(agent.length > NAME_LENGTH_MAX ? ["agent"] : []),
    ...(tool.length > NAME_LENGTH_MAX ? ["tool"] : []),
  ];
  return kind === undefined ? undefined : `the name of the ${kind} is too long`;
}

export function commandCall(command: string): Pick<CallGiven, "tool" | "args"> {
  return { tool: "shell", args: { command } };
}

export function jsonArgs(text: string): JsonObject {
  const parsed = parseJson(text);
  if (!parsed.ok) throw usage(`--args is not JSON: ${parsed.why}`, `for example --args '{"path":"a.txt"}'`);
  if (!isObject(parsed.value)) throw usage("--args is not a JSON object", `for example --args '{"path":"a.txt"}'`);
  return parsed.value;
}

function parseJson(text: string): { ok: true; value: Json } | { ok: false; why: string } {
  const parsed = parseJsonText(text);
  return parsed.ok ? parsed : { ok: false, why: `line ${parsed.line}, column ${parsed.column}: ${parsed.why}` };
}

/** One line of a batch: `{"agent","tool","args","cwd"?}` and nothing else. */
export function batchCall(
  line: string,
): { ok: true; call: Partial<CallGiven> & { tool: string; args: JsonObject } } | { ok: false; why: string } {
  const parsed = parseJson(line);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (!isObject(value)) return { ok: false, why: "not a JSON object" };
  const extra = Object.keys(value).find((key) => !["agent", "tool", "args", "cwd"].includes(key));
  if (extra !== undefined) return { ok: false, why: `unknown key \`${extra}\`` };
  const { agent, tool, args, cwd } = value;
  if (typeof tool !== "string" || tool === "") return { ok: false, why: "`tool` is not a name" };
  if (!isObject(args)) return { ok: false, why: "`args` is not an object" };
  if (agent !== undefined && typeof agent !== "string") return { ok: false, why: "`agent` is not a name" };
  const long = longName({ tool, ...(agent === undefined ? {} : { agent }) });
  if (long !== undefined) return { ok: false, why: long };
  if (cwd !== undefined && typeof cwd !== "string") return { ok: false, why: "`cwd` is not a path" };
  return {
    ok: true,
    call: { tool, args, ...(agent === undefined ? {} : { agent }), ...(cwd === undefined ? {} : { cwd }) },
  };
}

/** A program and its words, run without a shell; what the environment would change about it is part of the call. */
export function execCall(argv: readonly string[], env: Environment): Pick<CallGiven, "tool" | "args"> {
  const changing = runChanging(env);
  return {
    tool: "exec",
    args: { argv: [...argv], ...(Object.keys(changing).length === 0 ? {} : { env: changing }) },
  };
}

/** The environment to run such a call in: of what changes how programs run only what was approved, and all the rest. */
export function commandEnvironment(args: JsonObject, env: Environment): Environment {
  // The key seals everything and is for the gate alone; what is left of it in /proc the threat model says.
  const dropped = { ...runChanging(env), LEEWAY_KEY: "" };
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(dropped, name)));
  const given = args["env"] ?? {};
  if (!isObject(given) || !Object.values(given).every((value) => typeof value === "string")) {
    throw new Failure(1, "the variables of the approved call are not texts", "submit the call again");
  }
  return { ...rest, ...(given as Record<string, string>) };
}

/** The words of such a call, as they were approved. */
export function commandWords(args: JsonObject): readonly string[] {
  const argv = args["argv"];
  if (Array.isArray(argv) && argv.every((word) => typeof word === "string")) return argv as string[];
  throw new Error("the approved call is not a list of words (this is a bug)");
}
