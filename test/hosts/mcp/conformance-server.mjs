// A server with everything that the official conformance suite asks for, made with the official SDK: on stdin and stdout,
// or with `http` on a free port, which it prints.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as types from "@modelcontextprotocol/sdk/types.js";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SOUND = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const text = (said) => ({ type: "text", text: said });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
const object = (properties = {}, required = []) => ({ type: "object", properties, required });
const string = { type: "string" };

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

const TOOLS = {
  test_simple_text: async () => [text("This is a simple text response for testing.")],
  test_image_content: async () => [image],
  test_audio_content: async () => [{ type: "audio", data: SOUND, mimeType: "audio/wav" }],
  test_embedded_resource: async () => [
    {
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    },
  ],
  test_multiple_content_types: async () => [
    text("Multiple content types test:"),
    image,
    {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: '{"test":"data","value":123}',
      },
    },
  ],
  test_tool_with_logging: async (_, extra) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await extra.sendNotification({ method: "notifications/message", params: { level: "info", data } });
      await pause();
    }
    return [text("done")];
  },
  test_tool_with_progress: async (_, extra) => {
    const progressToken = extra._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined) await extra.sendNotification({ method: "notifications/progress", params });
      await pause();
    }
    return [text("done")];
  },
  test_error_handling: async () => {
    throw new Error("This tool intentionally returns an error for testing");
  },
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
  json_schema_2020_12_tool: async () => [text("done")],
};

const SCHEMAS = {
  test_sampling: object({ prompt: string }, ["prompt"]),
  test_elicitation: object({ message: string }, ["message"]),
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: object({ street: string, city: string }) },
    properties: { name: string, address: { $ref: "#/$defs/address" } },
    additionalProperties: false,
  },
};

const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PIXEL },
};

const user = (content) => ({ role: "user", content });
const PROMPTS = {
  test_simple_prompt: { args: [], say: () => [user(text("This is a simple prompt for testing."))] },
  test_prompt_with_arguments: {
    args: ["arg1", "arg2"],
    say: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  test_prompt_with_embedded_resource: {
    args: ["resourceUri"],
    say: ({ resourceUri: uri }) => [
      user({
        type: "resource",
        resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
      }),
      user(text("Please process the embedded resource above.")),
    ],
  },
  test_prompt_with_image: { args: [], say: () => [user(image), user(text("Please analyze the image above."))] },
};

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
    tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema: SCHEMAS[name] ?? object() })),
  }));
  on(types.CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }, extra) => {
    try {
      return { content: await TOOLS[name](args, extra) };
    } catch (error) {
      return { content: [text(error.message)], isError: true };
    }
  });
  on(types.ListResourcesRequestSchema, () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, mimeType })),
  }));
  on(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
  }));
  on(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (RESOURCES[uri] !== undefined) return { contents: [{ uri, ...RESOURCES[uri] }] };
    const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? [];
    if (id === undefined) throw new types.McpError(-32002, "Resource not found", { uri });
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(data) }] };
  });
  for (const schema of [types.SubscribeRequestSchema, types.UnsubscribeRequestSchema, types.SetLevelRequestSchema])
    on(schema, () => ({}));
  on(types.ListPromptsRequestSchema, () => ({
    prompts: Object.entries(PROMPTS).map(([name, { args }]) => ({
      name,
      description: name,
      arguments: args.map((arg) => ({ name: arg, description: arg, required: true })),
    })),
  }));
  on(types.GetPromptRequestSchema, ({ params: { name, arguments: args = {} } }) => ({
    messages: PROMPTS[name].say(args),
  }));
  on(types.CompleteRequestSchema, () => ({ completion: { values: ["paris", "park"], total: 2, hasMore: false } }));
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
