import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";
import type { Gate } from "../library/gate.ts";
import { CallRefused, type GatedCall, type GatedOptions, gatedCalls } from "./gated-tool.ts";

// `leeway/claude-agent-sdk`: the tools of the Claude Agent SDK behind a gate. Claude Code runs them in its own process and
// tells its hooks before and after each one. So the hook before a call claims it and keeps the claim, and the hook after
// it reports the result.

/** What the hooks of the SDK are given, as far as the gate needs to know it. */
export type HookInput = {
  hook_event_name: string;
  session_id: string;
  cwd: string;
  agent_id?: string;
  agent_type?: string;
  tool_name?: string;
  tool_input?: unknown;
  tool_use_id?: string;
  tool_response?: unknown;
  error?: string;
};

type PreToolUse = {
  hookEventName: "PreToolUse";
  permissionDecision: "allow" | "deny";
  permissionDecisionReason?: string;
  updatedInput?: Record<string, unknown>;
  additionalContext?: string;
};
type HookOutput = { hookSpecificOutput?: PreToolUse };
type Hook = (input: HookInput, toolUseId: string | undefined, options: { signal: AbortSignal }) => Promise<HookOutput>;
type Matcher = { hooks: Hook[]; timeout?: number; onFailure?: "block" };
type Permission = { behavior: "allow"; updatedInput: Record<string, unknown> } | { behavior: "deny"; message: string };

/** A call that Claude Code may run: with these arguments, and how its result is reported. */
type Allowed = { args: JsonObject; edited: string | undefined; end(ending: Ending): void };
type Ending = { ok: true; result: Json } | { ok: false; error: string };

const WAIT_MS = 600_000;
/** Kept for the answer itself, so that the hook answers before the SDK gives up. */
const SPARE_SECONDS = 60;

/**
 * Options for `query`: `hooks` decide, run and report each call, `canUseTool` answers what Claude Code still asks. The
 * sub-agents of Claude Code are sub-agents of `agent`, which is `claude-code` if left out.
 *
 * @example
 * ```ts
 * for await (const message of query({ prompt, options: { ...claudeAgentSdk(gate, { agent: "coder" }) } })) { … }
 * ```
 */
export function claudeAgentSdk(gate: Gate, { agent = "claude-code", under = [], ...options }: GatedOptions = {}) {
  const allowed = new Map<string, Allowed>();
  const callsOf = ({ agent_id, agent_type }: HookInput) =>
    agent_id === undefined || agent_type === undefined
      ? gatedCalls(gate, { ...options, agent, under })
      : gatedCalls(gate, { ...options, agent: agent_type, under: [...under, agent] });
  const before: Hook = async (input, _, { signal }) => {
    const call = callOf(input, options.session);
    if (call === undefined) return denied(textOf(say("adapter.not_let_run"), "en"));
    const decided = await decide(allowed, callsOf(input), call, signal);
    return decided.ok ? permitted(decided) : denied(decided.why);
  };
  const after: Hook = async (input) => {
    const { tool_use_id = "", tool_response, error } = input;
    const kept = toJson(tool_response ?? null);
    const result = kept.ok ? kept.value : null;
    allowed.get(tool_use_id)?.end(error === undefined ? { ok: true, result } : { ok: false, error });
    allowed.delete(tool_use_id);
    return {};
  };
  const ended: Hook = async () => {
    for (const { end } of allowed.values()) end({ ok: false, error: textOf(say("adapter.unreported"), "en") });
    allowed.clear();
    return {};
  };
  const timeout = Math.ceil((options.waitMs ?? WAIT_MS) / 1000) + SPARE_SECONDS;
  const hooks = {
    PreToolUse: [{ hooks: [before], timeout, onFailure: "block" }] satisfies Matcher[],
    PostToolUse: [{ hooks: [after] }] satisfies Matcher[],
    PostToolUseFailure: [{ hooks: [after] }] satisfies Matcher[],
    SessionEnd: [{ hooks: [ended] }] satisfies Matcher[],
  };
  /** Only reads: what the hook did not let run is denied, so it also denies everything if the hooks are missing. */
  const canUseTool = async (
    _tool: string,
    _input: unknown,
    { toolUseID }: { toolUseID: string },
  ): Promise<Permission> => {
    const found = allowed.get(toolUseID);
    if (found === undefined) return { behavior: "deny", message: textOf(say("adapter.not_let_run"), "en") };
    return { behavior: "allow", updatedInput: found.args };
  };
  return { hooks, canUseTool };
}

/** The session is the one of Claude Code, unless the program named one. */
function callOf(
  { tool_name, tool_input, tool_use_id, session_id, cwd }: HookInput,
  session = session_id,
): GatedCall | undefined {
  const args = toJson(tool_input ?? {});
  if (tool_name === undefined || tool_use_id === undefined || !args.ok || !isObject(args.value)) return undefined;
  return { tool: tool_name, args: args.value, callId: tool_use_id, session, cwd };
}

type Decided = ({ ok: true } & Allowed) | { ok: false; why: string };

/**
 * Ends when the call may run, or will not. Until the hook after the call reports, the call counts as running here, and
 * its claim is kept.
 */
function decide(
  allowed: Map<string, Allowed>,
  calls: ReturnType<typeof gatedCalls>,
  call: GatedCall,
  signal: AbortSignal,
): Promise<Decided> {
  return new Promise((resolve, reject) => {
    const running = calls.run(
      call,
      (args, { edited }) =>
        new Promise<Json>((done, failed) => {
          const end = (ending: Ending) => (ending.ok ? done(ending.result) : failed(new Error(ending.error)));
          const found = { args, edited, end };
          allowed.set(call.callId, found);
          resolve({ ok: true, ...found });
        }),
      { signal },
    );
    running.then(
      // It ran before, for an earlier question about the same call.
      (result) =>
        resolve({ ok: false, why: textOf(say("adapter.ran_before", { result: JSON.stringify(result) }), "en") }),
      (error: unknown) => {
        if (error instanceof CallRefused) resolve({ ok: false, why: error.message });
        // After the call was let run this is the error of the tool, which Claude Code knows; before it, nothing may run.
        else reject(error);
      },
    );
  });
}

function permitted({ args, edited }: Allowed): HookOutput {
  const changed = edited === undefined ? {} : { updatedInput: args, additionalContext: edited };
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", ...changed } };
}

function denied(why: string): HookOutput {
  return {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: why },
  };
}
