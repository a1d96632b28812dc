import type { ToolCall } from "../core/call.ts";
import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { parseJsonText } from "../core/values/json-text.ts";
import type { Deps } from "../gate/deps.ts";
import { usage } from "./failure.ts";

export type CallGiven = { agent?: string; tool: string; args: JsonObject; cwd: string };

/** A call as the command line makes it. */
export function callOf(deps: Pick<Deps, "mint" | "workspace">, given: CallGiven): ToolCall {
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
  if (cwd !== undefined && typeof cwd !== "string") return { ok: false, why: "`cwd` is not a path" };
  return {
    ok: true,
    call: { tool, args, ...(agent === undefined ? {} : { agent }), ...(cwd === undefined ? {} : { cwd }) },
  };
}

/** A program and its words, run without a shell. */
export function execCall(argv: readonly string[]): Pick<CallGiven, "tool" | "args"> {
  return { tool: "exec", args: { argv: [...argv] } };
}

/** The words of such a call, as they were approved. */
export function commandWords(args: JsonObject): readonly string[] {
  const argv = args["argv"];
  if (Array.isArray(argv) && argv.every((word) => typeof word === "string")) return argv as string[];
  throw new Error("the approved call is not a list of words (this is a bug)");
}
