// Speaks HTTP with the official conformance suite in the protocol of 2026-07-28, and pipes with the server whose command follows:
// one process for all requests, which have no sessions.
import { createServer } from "node:http";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
/** As the official servers answer these errors over HTTP. */
const STATUS = { "-32600": 400, "-32601": 404, "-32602": 400, "-32020": 400, "-32021": 400, "-32022": 400 };

const [, , command, ...args] = process.argv;
const server = new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" });
const open = new Map();
let count = 0;

/** The request to which a message belongs. Without anything that says so, it is the last one. */
function requestOf({ id, params }) {
  return open.get(id ?? params?._meta?.[SUBSCRIPTION]) ?? [...open.values()].findLast(({ isStream }) => !isStream);
}

server.onmessage = (message) => {
  const asked = requestOf(message);
  if (asked === undefined) return;
  const { id, response } = asked;
  if (message.method === undefined) {
    open.delete(message.id);
    const line = JSON.stringify({ ...message, id });
    if (response.headersSent) return response.end(`data: ${line}\n\n`);
    const status = STATUS[message.error?.code] ?? 200;
    return response.writeHead(status, { "content-type": "application/json" }).end(line);
  }
  const _meta = message.params?._meta;
  if (_meta?.[SUBSCRIPTION] !== undefined) _meta[SUBSCRIPTION] = id;
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  return response.write(`data: ${JSON.stringify(message)}\n\n`);
};

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

const listening = createServer(async (request, response) => {
  const message = JSON.parse(await textOf(request));
  if (message.id === undefined) {
    server.send(message);
    return response.writeHead(202).end();
  }
  count += 1;
  const own = `bridge-${count}`;
  open.set(own, { id: message.id, response, isStream: message.method === "subscriptions/listen" });
  response.on("close", () => {
    if (open.delete(own))
      server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: own } });
  });
  return server.send({ ...message, id: own });
});

await server.start();
listening.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${listening.address().port}/mcp`));
