import { realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settingsOf } from "../../../src/cli/mcp/upstreams.ts";
import { processIo } from "../../../src/cli/terminal/io.ts";
import { readMcpFile } from "../../../src/config/mcp-file.ts";
import { acceptOffer } from "../../../src/gate/standing/accept-offer.ts";
import { unacceptedStart } from "../../../src/mcp/look.ts";
import { openDeps } from "../../../src/open.ts";
import { addReviewer } from "../../../src/testing.ts";
import { program } from "../../cli/program.ts";
import { acceptAll } from "../../mcp/stage.ts";
import { type Command, clientOf, type McpClient, overHttp, serverProgram, type Ways, waysTo } from "./through.ts";

// The official client of 2026-07-28 in front of three official servers at once, over pipes and over HTTP.

const MODERN_SERVER = join(dirname(fileURLToPath(import.meta.url)), "new-server.mjs");
const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
const POLICY = `version: 1
tier: auto
tools: { "mcp:everything/*": { class: none }, "mcp:files/*": { class: none }, "mcp:modern/add": { class: none } }
`;

let ways: Ways;
let through: Command;
beforeAll(async () => {
  ways = await waysTo("unused", () => [MODERN_SERVER], POLICY);
  const { folder, env } = ways;
  const node = (...args: string[]) => ({ command: process.execPath, args });
  const mcpServers = {
    everything: node(serverProgram("server-everything")),
    files: node(serverProgram("server-filesystem"), realpathSync(folder)),
    modern: node(MODERN_SERVER),
  };
  const file = join(folder, "mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers }), { mode: 0o600 });
  through = { command: process.execPath, args: [program(), "mcp", "--config", file], env, cwd: folder };
  const deps = await openDeps({ env, cwd: folder });
  await addReviewer(deps);
  const here = { env, cwd: realpathSync(folder), mark: (text: string) => deps.sealer.mark(text) };
  for (const server of readMcpFile(file, here)) {
    const settings = await settingsOf({ io: processIo() }, server, deps, { isNamed: false });
    const start = await unacceptedStart(deps, settings);
    if (start !== undefined) await acceptOffer(deps, start, { by: "ana", assurance: "tty" });
    await acceptAll(deps, settings);
  }
  await deps.close();
});
afterAll(() => ways.remove());

async function used(client: McpClient): Promise<unknown> {
  const { tools } = await client.listTools();
  const { resources } = (await client.listResources()) as { resources: { uri: string }[] };
  const found = {
    version: client.getNegotiatedProtocolVersion(),
    servers: [...new Set(tools.map(({ name }) => name.split("__")[0]))],
    echo: await client.callTool({ name: "everything__echo", arguments: { message: "hi" } }),
    file: (await client.callTool({ name: "files__read_text_file", arguments: { path: join(ways.folder, "a.txt") } }))
      .content,
    sum: (await client.callTool({ name: "modern__add", arguments: { a: 1, b: 2 } })).content,
    read: await client.readResource({ uri: resources[0]?.uri ?? "" }),
    prompt: await client.getPrompt({ name: "everything__simple-prompt" }),
  };
  await client.close();
  return found;
}

test("the official client of 2026-07-28 uses three servers at once, over pipes and over HTTP", async () => {
  const wanted = {
    version: "2026-07-28",
    servers: ["everything", "files", "modern", "leeway_wait", "leeway_status"],
    echo: expect.objectContaining({ content: [{ type: "text", text: "Echo: hi" }] }),
    file: [{ type: "text", text: "one\ntwo\n" }],
    sum: [{ type: "text", text: "3" }],
    read: expect.objectContaining({ contents: [expect.anything()] }),
    prompt: expect.objectContaining({ messages: [expect.anything()] }),
  };
  expect(await used(await clientOf("client 2.4", through, MODERN))).toEqual(wanted);
  const served = await overHttp({ ...ways, through });
  expect(await used(await clientOf("client 2.4", served, MODERN))).toEqual(wanted);
  const auto = { versionNegotiation: { mode: "auto" } };
  expect(await used(await clientOf("client 2.4", served, auto))).toEqual(wanted);
  expect(await served.stop()).toBe(0);
});
