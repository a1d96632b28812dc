import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, FakeToolCallingModel, tool } from "langchain";
import { leewayMiddleware } from "../../../src/adapters/langchain.ts";
import type { Gate } from "../../../src/index.ts";
import { type ScriptedCall, type Setting, suiteOf, TOOLS, type Told, toolBody } from "./suite.ts";

type Scripted = { toolCalls: { name: string; args: Record<string, unknown>; id: string }[][]; index: number };

function scripted(calls: readonly ScriptedCall[], index = 0): FakeToolCallingModel {
  const toolCalls = [calls.map(({ id, tool: name, args }) => ({ name, args, id })), []];
  const script: Scripted = { toolCalls, index };
  return new FakeToolCallingModel(script as never);
}

/** The checkpoints of all threads, as a database would keep them for every process. */
const checkpointer = new MemorySaver();
let threads = 0;

type Given = {
  gate: Gate;
  calls: readonly ScriptedCall[];
  ran: string[];
  setting: Setting;
  pause: boolean;
  turn?: number;
};

function agentOf({ gate, calls, ran, setting, pause, turn = 0 }: Given) {
  const leeway = leewayMiddleware(gate, { ...setting, ...(pause ? { interrupt } : {}) });
  const schema = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] } as const;
  const tools = TOOLS.map((name) =>
    tool(async (args: { amount: number }) => toolBody(name, ran)(args), { name, description: name, schema }),
  );
  return { leeway, agent: createAgent({ model: scripted(calls, turn), tools, middleware: [leeway], checkpointer }) };
}

type Result = { messages: readonly { type?: string; tool_call_id?: string; content: unknown }[] };

function toldIn({ messages }: Result): Told {
  const told = messages.filter(({ type }) => type === "tool");
  return Object.fromEntries(told.map(({ tool_call_id = "", content }) => [tool_call_id, String(content)]));
}

const started = { messages: [{ role: "user", content: "do it" }] };

suiteOf({
  name: "LangChain",
  hold: async (gate, calls, ran, setting) => {
    const { agent } = agentOf({ gate, calls, ran, setting, pause: false });
    return toldIn((await agent.invoke(started, { configurable: { thread_id: `t${threads++}` } })) as Result);
  },
  pausing: {
    hasPredicate: false,
    start: async (gate, calls, ran, setting) => {
      const thread = `t${threads++}`;
      const { agent } = agentOf({ gate, calls, ran, setting, pause: true });
      await agent.invoke(started, { configurable: { thread_id: thread } });
      return thread;
    },
    proceed: async (gate, thread, ran, setting) => {
      const { agent, leeway } = agentOf({ gate, calls: [], ran, setting, pause: true, turn: 1 });
      const config = { configurable: { thread_id: thread } };
      const before = await agent.graph.getState(config);
      const interrupts = before.tasks.flatMap((task) => task.interrupts);
      const { resume, waiting } = await leeway.answers(interrupts);
      if (Object.keys(resume).length > 0) await agent.invoke(new Command({ resume }), config);
      if (waiting.length > 0) return { state: thread, waiting: waiting.length };
      return toldIn((await agent.graph.getState(config)).values as Result);
    },
    forge: async (gate, thread, ran, setting) => {
      const { agent } = agentOf({ gate, calls: [], ran, setting, pause: true, turn: 1 });
      const config = { configurable: { thread_id: thread } };
      const interrupts = (await agent.graph.getState(config)).tasks.flatMap((task) => task.interrupts);
      const resume = Object.fromEntries(interrupts.map(({ id = "" }) => [id, { type: "approve" }]));
      const result = interrupts.length === 0 ? undefined : await agent.invoke(new Command({ resume }), config);
      const told = toldIn((result ?? (await agent.graph.getState(config)).values) as Result);
      return told;
    },
  },
});
