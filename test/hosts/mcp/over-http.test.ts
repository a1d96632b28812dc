import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openGateway } from "../../../src/mcp/gateway.ts";
import { httpLink } from "../../../src/mcp/links/http-link.ts";
import { acceptAll, gateDeps, type Told } from "../../mcp/stage.ts";
import { serverProgram } from "./through.ts";

// An official server behind an address, through the gateway.

const PORT = 38_411;
const server = spawn(process.execPath, [serverProgram("server-everything"), "streamableHttp"], {
  env: { PATH: process.env["PATH"] ?? "", PORT: String(PORT) },
  stdio: ["ignore", "pipe", "pipe"],
});
beforeAll(async () => {
  for (const stream of [server.stdout, server.stderr]) stream.on("data", () => undefined);
  for (let tries = 0; tries < 200; tries++) {
    const found = await fetch(`http://127.0.0.1:${PORT}/mcp`).catch(() => undefined);
    if (found !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
afterAll(() => void server.kill("SIGKILL"));

test("tools, resources and prompts of a server behind an address work through the gateway", async () => {
  const policy = 'version: 1\ntier: auto\ntools: { "mcp:everything/*": { class: none } }\n';
  const deps = await gateDeps(policy);
  const upstream = {
    name: "everything",
    connect: httpLink({ url: `http://127.0.0.1:${PORT}/mcp`, headers: {} }),
    starts: "http",
    isNamed: true,
    allowSampling: false,
    allowElicitation: false,
    trust: false,
  };
  await acceptAll(deps, upstream);
  const waiting = new Map<number, (answer: Told) => void>();
  const gateway = openGateway(deps, {
    upstreams: [upstream],
    isAlone: true,
    cwd: "/",
    version: "0",
    holdMs: { withProgress: 1000, without: 1000 },
    linkTo: () => undefined,
    send: (line) => {
      const { id, ...body } = JSON.parse(line);
      waiting.get(id)?.(body);
    },
    note: () => undefined,
  });
  let ids = 0;
  const ask = (method: string, params: object) =>
    new Promise<Told>((resolve) => {
      ids += 1;
      waiting.set(ids, resolve);
      gateway.hear(JSON.stringify({ jsonrpc: "2.0", id: ids, method, params }));
    });
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "tester", version: "1" } };
  expect(await ask("initialize", hello)).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  gateway.hear(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  const calls = await Promise.all(
    Array.from({ length: 50 }, (_, n) => ask("tools/call", { name: "echo", arguments: { message: `m${n}` } })),
  );
  expect(calls.map(({ result }) => (result as { content: { text: string }[] }).content[0]?.text)).toEqual(
    Array.from({ length: 50 }, (_, n) => `Echo: m${n}`),
  );
  expect(await ask("prompts/get", { name: "simple-prompt" })).toMatchObject({
    result: { messages: [{ role: "user" }] },
  });
  expect(await ask("resources/read", { uri: "demo://resource/dynamic/text/1" })).toMatchObject({
    result: { contents: [{ uri: "demo://resource/dynamic/text/1" }] },
  });
  await gateway.close();
  await deps.store.close();
});
