import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { claudeAgentSdk } from "../../../src/adapters/claude-agent-sdk.ts";
import { createTestGate } from "../../library/gates.ts";
import { scriptedModel } from "./anthropic-model.ts";
import { type ScriptedCall, type Sdk, suiteOf, TOOLS, type Told, toolBody } from "./suite.ts";

const nameOf = (name: string) => `mcp__shop__${name}`;

function shop(ran: string[]) {
  const tools = TOOLS.map((name) =>
    tool(name, name, { amount: z.number() }, async (args) => {
      return { content: [{ type: "text", text: toolBody(name, ran)(args) }] };
    }),
  );
  return createSdkMcpServer({ name: "shop", version: "1.0.0", tools });
}

/** The results that the SDK reports, by the id of the call. */
type Block = { type?: string; tool_use_id?: string; content?: unknown };

function toldIn(content: unknown): Told {
  const blocks: readonly Block[] = Array.isArray(content) ? content : [];
  const results = blocks.filter(({ type }) => type === "tool_result");
  return Object.fromEntries(results.map((block) => [block.tool_use_id, JSON.stringify(block.content)]));
}

// One folder for all runs: an approval is for a call in one folder.
const home = mkdtempSync(join(tmpdir(), "leeway-claude-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Wiring = Partial<ReturnType<typeof claudeAgentSdk>>;

const hold: Sdk["hold"] = (gate, calls, ran, setting) => driven(claudeAgentSdk(gate, setting), calls, ran);

async function driven(wiring: Wiring, calls: readonly ScriptedCall[], ran: string[]): Promise<Told> {
  const model = await scriptedModel(calls.map((call) => ({ ...call, tool: nameOf(call.tool) })));
  try {
    let told: Told = {};
    const running = query({
      prompt: "do it",
      options: {
        ...wiring,
        cwd: home,
        mcpServers: { shop: shop(ran) },
        settingSources: [],
        env: {
          PATH: process.env["PATH"],
          HOME: home,
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: "none",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_AUTOUPDATER: "1",
          IS_SANDBOX: "1",
        },
      },
    });
    for await (const message of running) {
      if (message.type === "user") told = { ...told, ...toldIn(message.message.content) };
    }
    // What a hook adds for the model is not part of the result, but a text of its own in the next request.
    const added = model.heard().filter((text) => text.includes("A reviewer changed"));
    return Object.fromEntries(Object.entries(told).map(([id, text]) => [id, [text, ...added].join("\n")]));
  } finally {
    await model.close();
  }
}

suiteOf({ name: "Claude Agent SDK", nameOf, hold });

test("without the hooks nothing runs, because `canUseTool` only reads what they decided", async () => {
  const { gate } = createTestGate();
  const { canUseTool } = claudeAgentSdk(gate);
  const ran: string[] = [];
  const told = await driven({ canUseTool }, [{ id: "alone", tool: "look", args: { amount: 1 } }], ran);
  expect([ran, told["alone"]]).toEqual([[], expect.stringContaining("Leeway did not let this call run.")]);
});
