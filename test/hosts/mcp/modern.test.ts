import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientOf, type McpClient, type Ways, waysTo } from "./through.ts";

// The protocol of 2026-07-28, which has no `initialize`: the official client and server of that era.

const SERVER = join(dirname(fileURLToPath(import.meta.url)), "new-server.mjs");
const MODERN = {
  capabilities: { sampling: {}, elicitation: { url: {} } },
  versionNegotiation: { mode: { pin: "2026-07-28" } },
};

let ways: Ways;
beforeAll(async () => {
  const policy = 'version: 1\ntier: ask\ntiers: { none: auto }\ntools: { "mcp:modern/add": { class: none } }\n';
  ways = await waysTo("modern", () => [SERVER], policy);
});
afterAll(() => ways.remove());

async function asked(client: McpClient): Promise<unknown> {
  const { tools } = await client.listTools();
  const found = {
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    tools: tools.filter(({ name }) => !name.startsWith("leeway_")),
    sum: await client.callTool({ name: "add", arguments: { a: 1, b: 2 } }),
    wrong: await client.callTool({ name: "add", arguments: { a: "x" } }).catch(({ code }) => code),
  };
  await client.close();
  return found;
}

test("a client of the newer protocol finds no tool that nobody accepted, and then the same as without the gateway", async () => {
  const before = await clientOf("client 2.4", ways.through, MODERN);
  const { content, isError } = await before.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  expect([content[0]?.text, isError]).toEqual([expect.stringContaining("LEEWAY_QUARANTINED"), true]);
  await before.close();
  await ways.accept();
  const direct = await asked(await clientOf("client 2.4", ways.direct, MODERN));
  expect(await asked(await clientOf("client 2.4", ways.through, MODERN))).toEqual(direct);
});

test("a call that must be asked about is held, and the client is told how to wait longer", async () => {
  const client = await clientOf("client 2.4", ways.through, MODERN);
  const { content } = await client.callTool({ name: "remove", arguments: {} });
  expect(content[0]?.text).toContain("call the tool leeway_wait with the id apr_");
  await client.close();
});
