// An MCP server that tries what it is told: it writes files, and connects to addresses.
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const written = (path) => {
  try {
    writeFileSync(path, "x");
    return "written";
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return error.code;
  }
};
const connected = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve("connected"));
    socket.on("error", (error) => resolve(error.code));
  });
const TOOLS = {
  write: ({ path }) => written(path),
  connect: ({ port }) => connected(port),
  variable: ({ name }) => process.env[name] ?? "",
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const serverInfo = { name: "tries", version: "1" };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/call") {
    const said = await TOOLS[params.name](params.arguments);
    send({ id, result: { content: [{ type: "text", text: String(said) }] } });
  }
}
