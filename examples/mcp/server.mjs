// An MCP server with three tools. It does nothing, and says what it was asked to do.
import { createInterface } from "node:readline";

const tool = (name, description) => ({ name, description, inputSchema: { type: "object" } });
const TOOLS = [
  tool("read_note", "Reads a note."),
  tool("write_note", "Writes a note."),
  tool("wipe", "Deletes all notes."),
];
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "notes", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: TOOLS }),
  "tools/call": ({ name }) => ({ content: [{ type: "text", text: `did ${name}` }] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = ANSWERS[method]?.(params);
  const said = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
});
