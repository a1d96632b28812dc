import { Agent, type AgentOutputItem, type Model, Runner, RunState, tool, Usage } from "@openai/agents";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openaiAgents } from "../../../src/adapters/openai-agents.ts";
import type { Gate } from "../../../src/index.ts";
import { opened } from "../../library/gates.ts";

// An agent that is a tool of another agent: its calls stop the run of the agent above, and the record names both.

let gate: Gate;
beforeAll(async () => {
  gate = (await opened()).gate;
});
afterAll(() => gate.close());

function scripted(first: AgentOutputItem, from = 0): Model {
  let turn = from;
  const content = [{ type: "output_text" as const, text: "done" }];
  const word: AgentOutputItem = { type: "message", role: "assistant", status: "completed", content };
  return {
    getResponse: async () => ({ usage: new Usage(), output: [turn++ === 0 ? first : word] }),
    getStreamedResponse: () => {
      throw new Error("the tests do not stream");
    },
  };
}

function call(callId: string, name: string, args: object): AgentOutputItem {
  return { type: "function_call", callId, name, arguments: JSON.stringify(args), status: "completed" };
}

/** The agents as a process makes them. `from`: the turn at which the models begin, 1 if the run goes on. */
function agents(ran: number[], from: number) {
  const leeway = openaiAgents(gate, { agent: "helper", under: ["coder"], session: "s1", pause: true });
  const pay = tool({
    name: "pay",
    description: "pays",
    parameters: z.object({ amount: z.number() }),
    execute: async ({ amount }) => `paid ${ran.push(amount)}`,
  });
  const helper = new Agent({
    name: "helper",
    model: scripted(call("inner", "pay", { amount: 5 }), from),
    tools: leeway.tools([pay]),
  });
  const asTool = helper.asTool({ toolName: "ask_helper", toolDescription: "asks the helper" });
  const coder = new Agent({
    name: "coder",
    model: scripted(call("outer", "ask_helper", { input: "pay" }), from),
    tools: [asTool],
  });
  return { leeway, coder };
}

test("a call of a sub-agent stops the whole run, is asked about under both names, and runs once after the approval", async () => {
  const ran: number[] = [];
  const runner = new Runner({ tracingDisabled: true });
  const first = agents(ran, 0);
  const stored = (await runner.run(first.coder, "go")).state.toString();
  expect(ran).toEqual([]);

  const { leeway, coder } = agents(ran, 1);
  const state = await RunState.fromString(coder, stored);
  const { waiting } = await leeway.respond(state);
  expect(waiting).toEqual([{ callId: "inner", name: "pay", approvalId: expect.stringMatching(/^apr_/) }]);
  const question = await gate.approvals.get(waiting[0]?.approvalId ?? "");
  const [entry] = await gate.ledger.entries({ kinds: ["call.decided"] });
  expect([question.agent, entry?.body?.json["chain"]]).toEqual(["helper", ["coder"]]);

  await gate.review(question.id, { by: "ana", verdict: "approve", digest: question.digest });
  expect(await leeway.respond(state)).toEqual({ waiting: [] });
  await runner.run(coder, state);
  expect(ran).toEqual([5]);
});
