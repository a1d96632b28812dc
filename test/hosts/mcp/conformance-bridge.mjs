// Speaks HTTP with the official conformance suite, and pipes with the server whose command follows: one process for each session.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";

const [, , command, ...args] = process.argv;
const sessions = new Map();

async function bridged(transport) {
  const server = new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" });
  const open = new Set();
  transport.onmessage = (message) => {
    if (message.method !== undefined && message.id !== undefined) open.add(message.id);
    server.send(message);
  };
  server.onmessage = (message) => {
    const isAnswer = message.method === undefined;
    if (isAnswer) open.delete(message.id);
    const relatedRequestId = isAnswer ? undefined : [...open].at(-1);
    transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch(() => undefined);
  };
  transport.onclose = () => server.close();
  await server.start();
  await transport.start();
}

const listening = createServer(async (request, response) => {
  const here = `127.0.0.1:${listening.address().port}`;
  const known = sessions.get(request.headers["mcp-session-id"]);
  const transport =
    known ??
    new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
      enableDnsRebindingProtection: true,
      allowedHosts: [here],
      allowedOrigins: [`http://${here}`],
    });
  if (known === undefined) await bridged(transport);
  await transport.handleRequest(request, response);
});
listening.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${listening.address().port}/mcp`));
