// A server of the protocol of 2026-07-28, made with the official package.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const make = () => {
  const server = new McpServer({ name: "modern", version: "1.0.0" }, { instructions: "Be careful." });
  server.registerTool(
    "add",
    { description: "adds", inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }),
  );
  server.registerTool(
    "remove",
    { description: "removes", inputSchema: z.object({ what: z.string().optional() }) },
    () => ({
      content: [{ type: "text", text: "removed" }],
    }),
  );
  return server;
};
serveStdio(make);
