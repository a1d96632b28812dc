import type { JsonObject } from "../../core/values/json.ts";
import { blocked, type HookAnswer, type HookInput, type HookReply, type Host, printed, SILENCE } from "../host.ts";
import { agentOf, faulty, jsonIn, maybeTextIn, objectIn, textIn, withoutTool } from "./fields.ts";

/** `PreToolUse`, `PermissionRequest`, `PostToolUse`, `PostToolUseFailure` and `SessionEnd` of Claude Code. */
export const claudeCode: Host = {
  name: "claude-code",
  projectVariable: "CLAUDE_PROJECT_DIR",
  hasPrompt: true,
  takesEdits: true,
  tellsEnd: true,
  shell: {
    tools: ["Bash"],
    text: "command",
    others: ["description", "timeout"],
    background: "run_in_background",
    keepsFolder: true,
  },
  patienceMs: 600_000,
  read: (input) => faulty(() => read("claude-code", input)),
  reply,
  refuse: blocked,
};

const EVENTS = ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"];

export function read(host: string, input: JsonObject): HookInput {
  const event = textIn(input, "hook_event_name");
  const session = textIn(input, "session_id");
  const who = agentOf(host, maybeTextIn(input, "agent_type"));
  if (event === "SessionEnd") return { on: "session end", agent: who.agent, session };
  if (!EVENTS.includes(event)) return withoutTool(input, event);
  const callId = maybeTextIn(input, "tool_use_id");
  const call = {
    ...who,
    tool: textIn(input, "tool_name"),
    args: objectIn(input, "tool_input"),
    ...(callId === undefined ? {} : { callId }),
    session,
    cwd: textIn(input, "cwd"),
  };
  if (event === "PreToolUse") return { on: "before", call };
  if (event === "PermissionRequest") return { on: "prompt", call };
  if (event === "PostToolUse")
    return { on: "after", call, ended: { ok: true, result: jsonIn(input, "tool_response") } };
  return { on: "after", call, ended: { ok: false, error: maybeTextIn(input, "error") ?? "the tool failed" } };
}

export function reply(answer: HookAnswer, input: HookInput): HookReply {
  if (input.on === "prompt") return answer.is === "run" ? ALLOWED_PROMPT : SILENCE;
  const decided = (permissionDecision: string, more: JsonObject) =>
    ({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more } }) satisfies JsonObject;
  switch (answer.is) {
    case "run":
      return printed({
        ...decided("allow", answer.args === undefined ? {} : { updatedInput: answer.args }),
        ...(answer.told === undefined ? {} : { systemMessage: answer.told }),
      });
    case "ask":
      return printed(decided("ask", { permissionDecisionReason: answer.why }));
    case "deny":
      return printed(decided("deny", { permissionDecisionReason: answer.why }));
    case "noted":
      return SILENCE;
  }
}

/** What the gate has let run is not asked about a second time. */
export const ALLOWED_PROMPT: HookReply = printed({
  hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
});
