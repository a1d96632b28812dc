import { isObject, type Json, type JsonObject } from "../../core/values/json.ts";
import { parseJsonText } from "../../core/values/json-text.ts";
import { type HookAnswer, type HookInput, type HookReply, type Host, printed, SILENCE } from "../host.ts";
import { agentOf, faulty, InputFault, jsonIn, maybeTextIn, textIn } from "./fields.ts";

/**
 * `preToolUse`, `postToolUse`, `postToolUseFailure` and `sessionEnd` of Copilot CLI. It does not say which event it tells
 * and gives calls no id: an event with a result or an error comes after the call, any other with a tool before it. A hook
 * that was installed for the event before a call takes every event with a tool for that one.
 */
export const copilot: Host = {
  name: "copilot",
  hasPrompt: true,
  takesEdits: false,
  patienceMs: 600_000,
  read: (input, asks) => faulty(() => read(input, asks)),
  reply,
  refuse: denied,
};

function read(input: JsonObject, asks: boolean): HookInput {
  const session = textIn(input, "sessionId");
  const who = agentOf("copilot", maybeTextIn(input, "agentType"));
  if (!asks && input["toolName"] === undefined && input["reason"] !== undefined)
    return { on: "session end", agent: who.agent, session };
  const call = { ...who, tool: toolIn(input), args: argsIn(input), session, cwd: textIn(input, "cwd") };
  const isSaid = (name: string) => input[name] !== undefined && input[name] !== null;
  if (asks || !(isSaid("error") || isSaid("toolResult"))) return { on: "before", call };
  if (isSaid("error")) return { on: "after", call, ended: { ok: false, error: errorIn(input) } };
  return { on: "after", call, ended: { ok: true, result: jsonIn(input, "toolResult") } };
}

/**
 * The tools of MCP servers are named `server-tool`. If there are several such signs, nobody can see where the server's
 * name ends, and the name is left for rules to compare with every possible end.
 */
function toolIn(input: JsonObject): string {
  const tool = textIn(input, "toolName");
  const [server = "", name, ...more] = tool.split("-");
  if (name === undefined) return tool;
  return more.length === 0 ? `mcp__${server}__${name}` : `mcp_${tool}`;
}

/** Arguments are an object; older versions send them as text. */
function argsIn(input: JsonObject): JsonObject {
  const given = input["toolArgs"];
  const value: Json | undefined = typeof given === "string" ? parsed(given) : given;
  if (isObject(value)) return value;
  throw new InputFault(`\`toolArgs\` is ${given === undefined ? "missing" : "not an object"}`);
}

function parsed(text: string): Json | undefined {
  const read = parseJsonText(text);
  return read.ok ? read.value : undefined;
}

function errorIn({ error = null }: JsonObject): string {
  return isObject(error) ? (maybeTextIn(error, "message") ?? JSON.stringify(error)) : String(error);
}

function reply(answer: HookAnswer): HookReply {
  switch (answer.is) {
    case "run":
      return printed({ permissionDecision: "allow" });
    case "ask":
      return printed({ permissionDecision: "ask", permissionDecisionReason: answer.why });
    case "deny":
      return denied(answer.why);
    case "noted":
      return SILENCE;
  }
}

function denied(why: string): HookReply {
  return printed({ permissionDecision: "deny", permissionDecisionReason: why });
}
