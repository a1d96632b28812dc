// A server with everything that the official conformance suite asks for, made with the official SDK: on stdin and stdout,
// or with `http` on a free port, which it prints.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import {
  COMPLETION,
  contentsOf,
  listed,
  object,
  PROMPTS,
  SCHEMAS,
  string,
  TOOLS,
  text,
} from "./conformance-offers.mjs";

const titled = (...titles) => titles.map((title, at) => ({ const: `value${at + 1}`, title }));
const DEFAULTS = {
  name: { ...string, default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { ...string, enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};
const ENUMS = {
  untitledSingle: { ...string, enum: ["option1", "option2", "option3"] },
  titledSingle: { ...string, oneOf: titled("First Option", "Second Option", "Third Option") },
  legacyEnum: { ...string, enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
  untitledMulti: { type: "array", items: { ...string, enum: ["option1", "option2", "option3"] } },
  titledMulti: { type: "array", items: { anyOf: titled("First Choice", "Second Choice", "Third Choice") } },
};

async function elicited(extra, message, properties, required = []) {
  const params = { mode: "form", message, requestedSchema: object(properties, required) };
  const { action, content } = await extra.sendRequest(
    { method: "elicitation/create", params },
    types.ElicitResultSchema,
  );
  return { action, content: JSON.stringify(content ?? {}) };
}

async function completed(extra, message, properties) {
  const { action, content } = await elicited(extra, message, properties);
  return [text(`Elicitation completed: action=${action}, content=${content}`)];
}

/** Tools that ask something of the client. */
const ASKING = {
  test_sampling: async ({ prompt }, extra) => {
    const messages = [{ role: "user", content: text(prompt) }];
    const params = { messages, maxTokens: 100 };
    const asked = { method: "sampling/createMessage", params };
    const { content } = await extra.sendRequest(asked, types.CreateMessageResultSchema);
    return [text(`LLM response: ${content.text}`)];
  },
  test_elicitation: async ({ message }, extra) => {
    const { action, content } = await elicited(extra, message, { username: string, email: string }, [
      "username",
      "email",
    ]);
    return [text(`User response: <action: ${action}, content: ${content}>`)];
  },
  test_elicitation_sep1034_defaults: (_, extra) => completed(extra, "Please check the values", DEFAULTS),
  test_elicitation_sep1330_enums: (_, extra) => completed(extra, "Please choose", ENUMS),
};

const ASKING_SCHEMAS = {
  test_sampling: object({ prompt: string }, ["prompt"]),
  test_elicitation: object({ message: string }, ["message"]),
};
const ALL = { ...TOOLS, ...ASKING };
const ALL_SCHEMAS = { ...SCHEMAS, ...ASKING_SCHEMAS };

function made() {
  const capabilities = {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    logging: {},
    completions: {},
  };
  const server = new Server({ name: "conformance", version: "1.0.0" }, { capabilities });
  const on = (schema, act) => server.setRequestHandler(schema, act);
  on(types.ListToolsRequestSchema, () => ({
    tools: Object.keys(ALL).map((name) => ({ name, description: name, inputSchema: ALL_SCHEMAS[name] ?? object() })),
  }));
  on(types.CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }, extra) => {
    try {
      return { content: await ALL[name](args, extra) };
    } catch (error) {
      return { content: [text(error.message)], isError: true };
    }
  });
  on(types.ListResourcesRequestSchema, () => ({ resources: listed.resources }));
  on(types.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: listed.resourceTemplates }));
  on(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const contents = contentsOf(uri);
    if (contents === undefined) throw new types.McpError(-32002, "Resource not found", { uri });
    return { contents };
  });
  for (const schema of [types.SubscribeRequestSchema, types.UnsubscribeRequestSchema, types.SetLevelRequestSchema])
    on(schema, () => ({}));
  on(types.ListPromptsRequestSchema, () => ({ prompts: listed.prompts }));
  on(types.GetPromptRequestSchema, ({ params: { name, arguments: args = {} } }) => ({
    messages: PROMPTS[name].say(args),
  }));
  on(types.CompleteRequestSchema, () => ({ completion: COMPLETION }));
  return server;
}

/** A transport for each session, as the SDK's examples do it. */
function overHttp() {
  const sessions = new Map();
  const listening = createServer(async (request, response) => {
    const { port } = listening.address();
    const known = sessions.get(request.headers["mcp-session-id"]);
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.set(id, transport),
        enableDnsRebindingProtection: true,
        allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`],
        allowedOrigins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
      });
    if (known === undefined) await made().connect(transport);
    await transport.handleRequest(request, response);
  });
  listening.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${listening.address().port}/mcp`));
}

if (process.argv[2] === "http") overHttp();
else await made().connect(new StdioServerTransport());
