import type { ToolCall } from "../core/call.ts";
import { type Environment, runChanging } from "../core/tables/variables.ts";
import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { parseJsonText } from "../core/values/json-text.ts";
import type { Deps } from "../gate/deps.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import { anyText, jsonObject, listOf, NAME_LENGTH_MAX, object, parseJson, type TypeOf } from "../service/shape.ts";
import { CALL } from "../service/shapes/call.ts";
import { PLAN_CALL, type PlanCallInput } from "../service/shapes/plan.ts";
import { Failure, usage } from "./failure.ts";

export type CallGiven = { agent?: string; tool: string; args: JsonObject; cwd: string };

/** A call as the command line makes it. */
export function callOf(deps: Pick<Deps, "mint" | "workspace">, given: CallGiven): ToolCall {
  const long = longName(given);
  if (long !== undefined) throw usage(long, `a name may have at most ${NAME_LENGTH_MAX} characters`);
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

/** The same limit as in the library: a name is shown, indexed and stored with every call. */
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
  const parsed = jsonIn(text);
  if (!parsed.ok) throw usage(`--args is not JSON: ${parsed.why}`, `for example --args '{"path":"a.txt"}'`);
  if (!isObject(parsed.value)) throw usage("--args is not a JSON object", `for example --args '{"path":"a.txt"}'`);
  return parsed.value;
}

function jsonIn(text: string): { ok: true; value: Json } | { ok: false; why: string } {
  const parsed = parseJsonText(text);
  return parsed.ok ? parsed : { ok: false, why: `line ${parsed.line}, column ${parsed.column}: ${parsed.why}` };
}

/** One line of a batch, and nothing else. */
const LINE = object({ agent: CALL.keys.agent, tool: CALL.keys.tool, args: jsonObject, cwd: CALL.keys.cwd });

export function batchCall(line: string): { ok: true; call: TypeOf<typeof LINE> } | { ok: false; why: string } {
  const parsed = jsonIn(line);
  if (!parsed.ok) return parsed;
  try {
    return { ok: true, call: parseJson(LINE, parsed.value) };
  } catch (error) {
    if (error instanceof LeewayRefusal) return { ok: false, why: error.message };
    throw error;
  }
}

/** One line of a plan: a call, or the words of a command as `leeway run` would send it. */
const ARGV_LINE = object({ argv: listOf(anyText, 1), cwd: CALL.keys.cwd, width: PLAN_CALL.keys.width });

export function planLine(
  line: string,
  env: Environment,
): { ok: true; call: PlanCallInput } | { ok: false; why: string } {
  const parsed = jsonIn(line);
  if (!parsed.ok) return parsed;
  try {
    if (!isObject(parsed.value) || !("argv" in parsed.value)) {
      return { ok: true, call: parseJson(PLAN_CALL, parsed.value) };
    }
    const { argv, ...rest } = parseJson(ARGV_LINE, parsed.value);
    return { ok: true, call: { ...execCall(argv, env), ...rest } };
  } catch (error) {
    if (error instanceof LeewayRefusal) return { ok: false, why: error.message };
    throw error;
  }
}

/**
 * A program and its arguments, run without a shell. Environment variables that change what programs do are part of
 * the call.
 */
export function execCall(argv: readonly string[], env: Environment): Pick<CallGiven, "tool" | "args"> {
  const changing = runChanging(env);
  return {
    tool: "exec",
    args: { argv: [...argv], ...(Object.keys(changing).length === 0 ? {} : { env: changing }) },
  };
}

/**
 * The environment for such a call: of the variables that change what programs do, only the approved ones; and all
 * other variables.
 */
export function commandEnvironment(args: JsonObject, env: Environment): Environment {
  // The encryption key is for the gate only. The threat model explains what a program can still read in /proc.
  const dropped = { ...runChanging(env), LEEWAY_KEY: "" };
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(dropped, name)));
  const given = args["env"] ?? {};
  if (!isObject(given) || !Object.values(given).every((value) => typeof value === "string")) {
    throw new Failure(1, "the environment variables of the approved call are not text", "submit the call again");
  }
  return { ...rest, ...(given as Record<string, string>) };
}

/** The words of such a call, as they were approved. */
export function commandWords(args: JsonObject): readonly string[] {
  const argv = args["argv"];
  if (Array.isArray(argv) && argv.every((word) => typeof word === "string")) return argv as string[];
  throw new Error("the approved call is not a list of words (this is a bug)");
}
