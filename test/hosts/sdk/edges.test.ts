import { Agent, hostedMcpTool, tool as openaiTool, type RunContext } from "@openai/agents";
import { tool } from "ai";
import { createAgent, FakeToolCallingModel, tool as langchainTool } from "langchain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { aiSdk } from "../../../src/adapters/ai-sdk.ts";
import { claudeAgentSdk, type HookInput } from "../../../src/adapters/claude-agent-sdk.ts";
import { leewayMiddleware } from "../../../src/adapters/langchain.ts";
import { openaiAgents } from "../../../src/adapters/openai-agents.ts";
import { opened, type TestGate } from "../../library/gates.ts";

// What each adapter refuses, and what is special about it.

let made: TestGate;
beforeEach(async () => {
  made = await opened();
});
afterEach(() => made.gate.close());

const schema = z.object({ amount: z.number() });
const given = { toolCallId: "c1", messages: [] };

test("AI SDK: a tool that the gate cannot stand in front of is refused, and so is one with its own approval", () => {
  const { tools } = aiSdk(made.gate);
  const withoutExecute = tool({ inputSchema: schema });
  expect(() => tools({ search: withoutExecute })).toThrow("tools/search: this tool has no `execute` function");
  const twice = tool({ inputSchema: schema, needsApproval: true, execute: async () => 1 });
  expect(() => tools({ twice })).toThrow("tools/twice: this tool has its own `needsApproval`");
});

test("AI SDK: arguments of a reviewer that do not fit the tool never reach it, and the call counts as failed", async () => {
  const ran: unknown[] = [];
  const { pay } = aiSdk(made.gate, { agent: "shop" }).tools({
    pay: tool({ inputSchema: schema, execute: async (args) => ran.push(args) }),
  });
  const running = pay.execute?.({ amount: 5 }, given);
  const [open] = await expectQuestions(1);
  const edits = { amount: "five" };
  await made.gate.review(open?.id ?? "", { by: "ana", verdict: "approve", digest: open?.digest ?? "", edits });
  await expect(running).rejects.toThrow("the arguments that a reviewer wrote do not fit the input of the tool");
  const found = await made.gate.find({ callId: "c1", agent: "shop" });
  expect([ran, found?.code]).toEqual([[], "LEEWAY_EXECUTION_FAILED"]);
});

test("AI SDK: input that is not plain JSON cannot be decided, so it does not run", async () => {
  const ran: unknown[] = [];
  const { look } = aiSdk(made.gate).tools({
    look: tool({ inputSchema: z.object({ when: z.date() }), execute: async (args) => ran.push(args) }),
  });
  await expect(look.execute?.({ when: new Date(0) }, given)).rejects.toThrow("Date is not plain JSON");
  expect(ran).toEqual([]);
});

test("AI SDK: of a tool that gives results while it works, the last one is the result", async () => {
  const { look } = aiSdk(made.gate).tools({
    look: tool({
      inputSchema: schema,
      async *execute({ amount }) {
        yield `looking for ${amount}`;
        yield `found ${amount}`;
      },
    }),
  });
  expect(await look.execute?.({ amount: 3 }, given)).toBe("found 3");
});

test("OpenAI Agents: only function tools are taken, and a call with unreadable arguments does not run", async () => {
  const leeway = openaiAgents(made.gate, { agent: "shop" });
  const hosted = hostedMcpTool({ serverLabel: "far", serverUrl: "https://example.com/mcp" });
  expect(() => leeway.tools([hosted])).toThrow("only function tools can be put behind the gate");
  const ran: unknown[] = [];
  const look = openaiTool({
    name: "look",
    description: "looks",
    parameters: schema,
    execute: async (args) => ran.push(args),
  });
  const [gated] = leeway.tools([look]);
  const none = {} as RunContext;
  const details = {
    toolCall: { type: "function_call", callId: "c1", name: "look", arguments: "[", status: "completed" },
  } as const;
  expect(await gated?.invoke(none, "[", details)).toContain("Do not retry this call. (LEEWAY_BAD_INPUT)");
  expect(await gated?.invoke(none, '{"amount":1}')).toContain("(LEEWAY_BAD_INPUT)");
  expect([ran, new Agent({ name: "shop", tools: leeway.tools([look]) }).tools.length]).toEqual([[], 1]);
});

test("LangChain: a tool in `except` does not go through the gate, all others do", async () => {
  const ran: string[] = [];
  const named = (name: string) =>
    langchainTool(async () => ran.push(name), { name, description: name, schema: { type: "object", properties: {} } });
  const calls = ["nuke", "spawn"].map((name) => ({ name, args: {}, id: name }));
  const agent = createAgent({
    model: new FakeToolCallingModel({ toolCalls: [calls, []] }),
    tools: ["nuke", "spawn"].map(named),
    middleware: [leewayMiddleware(made.gate, { agent: "shop", except: ["spawn"] })],
  });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: "go" }] });
  const told = messages.flatMap((one) => (one.type === "tool" && "status" in one ? [[one.name, one.status]] : []));
  expect([ran, told]).toEqual([
    ["spawn"],
    [
      ["nuke", "error"],
      ["spawn", "success"],
    ],
  ]);
});

const signal = { signal: new AbortController().signal };
const hooked = (over: Partial<HookInput>): HookInput => ({
  hook_event_name: "PreToolUse",
  session_id: "s1",
  cwd: "/project",
  tool_name: "look",
  tool_input: { amount: 1 },
  tool_use_id: "toolu_1",
  ...over,
});

test("Claude Agent SDK: a sub-agent of Claude Code is a sub-agent of the agent, and a call without a report counts as failed", async () => {
  const { hooks } = claudeAgentSdk(made.gate, { agent: "coder" });
  const [before] = hooks.PreToolUse.flatMap((one) => one.hooks);
  const [ended] = hooks.SessionEnd.flatMap((one) => one.hooks);
  const answer = await before?.(hooked({ agent_id: "a1", agent_type: "explorer" }), "toolu_1", signal);
  expect(answer).toEqual({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } });
  const [entry] = await made.gate.ledger.entries({ kinds: ["call.decided"] });
  expect([entry?.subject.agent, entry?.body?.json["chain"]]).toEqual(["explorer", ["coder"]]);
  await ended?.(hooked({ hook_event_name: "SessionEnd" }), undefined, signal);
  const found = () =>
    made.gate.as({ agent: "coder" }, () => made.gate.find({ callId: "toolu_1", agent: "explorer", session: "s1" }));
  await expect.poll(async () => (await found())?.error).toContain("ended without reporting how this call ended");
});

test("Claude Agent SDK: a hook that cannot read its input denies the call", async () => {
  const { hooks } = claudeAgentSdk(made.gate);
  const [before] = hooks.PreToolUse.flatMap((one) => one.hooks);
  const answers = [];
  for (const tool_input of ["text", [1]]) answers.push(await before?.(hooked({ tool_input }), "toolu_1", signal));
  expect(answers.map((one) => one?.hookSpecificOutput?.permissionDecision)).toEqual(["deny", "deny"]);
});

async function expectQuestions(count: number) {
  await expect.poll(async () => (await made.gate.approvals.list({ state: "pending" })).length).toBe(count);
  return made.gate.approvals.list({ state: "pending" });
}
