import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { announceServer, stateFolderOf } from "../../../src/config/server-file.ts";
import { openDeps } from "../../../src/open.ts";
import { approve } from "../../../src/testing.ts";
import { taskSession } from "./task-session.ts";
import { clientOf, type McpClient, overHttp, type Ways, waysTo } from "./through.ts";

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

test("over HTTP a client of the newer protocol finds the same, and one that can speak both chooses the newer", async () => {
  const direct = await asked(await clientOf("client 2.4", ways.direct, MODERN));
  const served = await overHttp(ways);
  const auto = { versionNegotiation: { mode: "auto" } };
  for (const options of [MODERN, auto]) {
    const client = await clientOf("client 2.4", served, options);
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(await asked(client)).toEqual(direct);
  }
  const client = await clientOf("client 2.4", served, MODERN);
  const { content } = await client.callTool({ name: "remove", arguments: {} });
  expect(content[0]?.text).toContain("call the tool leeway_wait with the id apr_");
  await client.close();
  expect(await served.stop()).toBe(0);
});

/** Ana answers in another program. */
async function answered(): Promise<void> {
  const deps = await openDeps({ env: ways.env, cwd: ways.folder });
  const { store, workspace } = deps;
  const where = { state: "pending" };
  const rows = await store.read({ ask: "rows", workspace, table: "approvals", where, limit: 100, order: "newest" });
  const asked = rows.find(({ row }) => row.tool === "mcp:modern/remove");
  await approve(deps, asked?.row.id);
  await deps.close();
}

test("the official client opens the page of the question, comes back, and gets the result after the approval", async () => {
  const forget = announceServer(stateFolderOf(ways.env), { url: "http://127.0.0.1:9", pid: process.pid });
  const served = await overHttp(ways);
  for (const to of [served, ways.through]) {
    const shown: string[] = [];
    const client = await clientOf("client 2.4", to, MODERN);
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      shown.push(`${params["mode"]} ${params["url"]}`);
      await answered();
      return { action: "accept" };
    });
    const { content } = await client.callTool({ name: "remove", arguments: { what: String(to === served) } });
    expect(content).toEqual([{ type: "text", text: "removed" }]);
    expect(shown).toEqual([expect.stringMatching(/^url http:\/\/127\.0\.0\.1:9\/approvals\/apr_/)]);
    await client.close();
  }
  forget();
  expect(await served.stop()).toBe(0);
});

test("the official client of tasks follows a call until a person has approved it, and can cancel one", async () => {
  const served = await overHttp(ways);
  const client = await clientOf("client 2.4", served, MODERN);
  const session = await taskSession(client, served);
  const execution = await session.callTool("remove", { what: "a task" });
  await answered();
  const { outcome } = await execution.settle();
  expect(outcome).toMatchObject({
    status: "completed",
    result: { resultType: "complete", content: [{ type: "text", text: "removed" }] },
  });
  const dropped = await session.callTool("remove", { what: "nothing" });
  await dropped.cancel();
  expect((await dropped.settle()).outcome).toMatchObject({ status: "cancelled" });
  const sum = await (await session.callTool("add", { a: 1, b: 2 })).settle();
  expect(sum.outcome).toMatchObject({ status: "completed", result: { content: [{ type: "text", text: "3" }] } });
  await session.close();
  await client.close();
  expect(await served.stop()).toBe(0);
});

test("a call that must be asked about is held, and the client is told how to wait longer", async () => {
  const client = await clientOf("client 2.4", ways.through, MODERN);
  const { content } = await client.callTool({ name: "remove", arguments: {} });
  expect(content[0]?.text).toContain("call the tool leeway_wait with the id apr_");
  await client.close();
});
