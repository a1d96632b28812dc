// A small MCP server on stdio, for the hosts that are driven: `write_note` writes a file into the folder it is started with.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [folder] = process.argv.slice(2);
const inputSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const TOOLS = ["write_note", "erase_note"].map((name) => ({ name, description: `${name} of the tests`, inputSchema }));

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": ({ name, arguments: args }) => {
    writeFileSync(join(folder, args.name), name);
    return { content: [{ type: "text", text: `noted ${args.name}` }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const act = METHODS[method];
  const answer = act === undefined ? { error: { code: -32601, message: "unknown method" } } : { result: act(params) };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
