// The Claude Agent SDK starts Claude Code with a tool of this program. Each call waits in its hook for a person's answer.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { openGate } from "leeway";
import { claudeAgentSdk } from "leeway/claude-agent-sdk";
import { z } from "zod";

const gate = await openGate({
  db: ":memory:",
  policy: {
    tools: { mcp__shop__refund: { class: "db.write" } },
    tiers: { mcp__shop__refund: "ask" },
    approvals: { assurance: "any" },
  },
  callback: {
    name: "person",
    supportsInteraction: true,
    // People usually answer in the inbox. Here, Ana answers at once: small amounts are fine.
    ask: ({ args }) => ({
      by: "ana",
      verdict: Number(args["amount"]) < 100 ? "approve" : "deny",
      note: "under 100 only",
    }),
  },
});
await gate.people.add({ name: "ana", admin: true });

const refunded: number[] = [];
const shop = createSdkMcpServer({
  name: "shop",
  version: "1.0.0",
  tools: [
    tool("refund", "pays money back", { amount: z.number() }, async ({ amount }) => {
      refunded.push(amount);
      return { content: [{ type: "text", text: `refunded ${amount}` }] };
    }),
  ],
});

// A model that follows a script, at an address of this computer: two refunds, then a last word.
const model = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(script(body.includes('"tool_result"') || !body.includes("mcp__shop__refund") ? [] : [12, 500]));
  });
});
await new Promise<void>((listening) => model.listen(0, "127.0.0.1", listening));
const { port } = model.address() as AddressInfo;

const told: string[] = [];
for await (const message of query({
  prompt: "Refund orders 7 and 8, please.",
  options: {
    ...claudeAgentSdk(gate, { agent: "shop" }),
    mcpServers: { shop },
    settingSources: [],
    env: { ...process.env, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: "none", IS_SANDBOX: "1" },
  },
})) {
  if (message.type === "user") told.push(JSON.stringify(message.message.content));
}
assert.deepEqual(refunded, [12]);
assert.match(told.join("\n"), /refunded 12/);
assert.match(told.join("\n"), /under 100 only.*Do not retry this call/s);

assert.equal((await gate.ledger.verify()).ok, true);
await gate.close();
model.closeAllConnections();
model.close();

/** One turn of the streaming Messages API. */
function script(amounts: readonly number[]): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const blocks =
    amounts.length === 0
      ? [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text: "Done." } }]
      : amounts.map((amount) => ({
          start: { type: "tool_use", id: `toolu_${amount}`, name: "mcp__shop__refund", input: {} },
          delta: { type: "input_json_delta", partial_json: JSON.stringify({ amount }) },
        }));
  const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", content: [], usage };
  const stop_reason = amounts.length === 0 ? "end_turn" : "tool_use";
  const events = [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: "content_block_start", index, content_block: start },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
