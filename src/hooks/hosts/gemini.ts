import { isObject, type JsonObject } from "../../core/values/json.ts";
import { blocked, type HookAnswer, type HookInput, type HookReply, type Host, printed, SILENCE } from "../host.ts";
import { faulty, jsonIn, maybeTextIn, objectIn, textIn, withoutTool } from "./fields.ts";

/**
 * `BeforeTool`, `AfterTool` and `SessionEnd` of Gemini CLI. It gives calls no id and does not say which sub-agent
 * makes one. It merges changed arguments into those of the model, so that an argument which a reviewer removed would still be used.
 */
export const gemini: Host = {
  name: "gemini",
  hasPrompt: true,
  promptsInTerminal: true,
  takesEdits: false,
  patienceMs: 600_000,
  read: (input) => faulty(() => read(input)),
  reply,
  refuse: blocked,
};

function read(input: JsonObject): HookInput {
  const event = textIn(input, "hook_event_name");
  const session = textIn(input, "session_id");
  if (event === "SessionEnd") return { on: "session end", agent: "gemini", session };
  if (event !== "BeforeTool" && event !== "AfterTool") return withoutTool(input, event);
  const callId = maybeTextIn(input, "tool_use_id") ?? maybeTextIn(input, "tool_call_id");
  const call = {
    agent: "gemini",
    chain: [],
    tool: toolIn(input),
    args: objectIn(input, "tool_input"),
    ...(callId === undefined ? {} : { callId }),
    session,
    cwd: textIn(input, "cwd"),
  };
  if (event === "BeforeTool") return { on: "before", call };
  return { on: "after", call, ended: { ok: true, result: jsonIn(input, "tool_response") } };
}

/** A tool of an MCP server by server and name: in `mcp_my_server_x` nobody can see where the server's name ends. */
function toolIn(input: JsonObject): string {
  const server = input["mcp_context"];
  if (!isObject(server)) return textIn(input, "tool_name");
  return `mcp__${textIn(server, "server_name")}__${textIn(server, "tool_name")}`;
}

function reply(answer: HookAnswer): HookReply {
  switch (answer.is) {
    case "run":
      return printed({
        decision: "allow",
        ...(answer.told === undefined ? {} : { systemMessage: answer.told }),
      });
    case "ask":
      return printed({ decision: "ask", reason: answer.why });
    case "deny":
      return printed({ decision: "deny", reason: answer.why });
    case "noted":
      return SILENCE;
  }
}
