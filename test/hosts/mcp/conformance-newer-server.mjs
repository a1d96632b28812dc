// A server of the protocol of 2026-07-28 with everything that the official conformance suite asks for, made with the official
// package: on stdin and stdout, or with `http` on a free port, which it prints.
import { createServer } from "node:http";
import { Readable } from "node:stream";
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  fromJsonSchema,
  hostHeaderValidationResponse,
  inputRequired,
  inputResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  McpServer,
  MissingRequiredClientCapabilityError,
  originValidationResponse,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
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
  user,
} from "./conformance-offers.mjs";

const states = createRequestStateCodec({ key: new Uint8Array(32).fill(7) });

const form = (message, key, type = "string") =>
  inputRequired.elicit({ message, requestedSchema: object({ [key]: { type } }, [key]) });
const sampling = (said, maxTokens) => inputRequired.createMessage({ messages: [user(text(said))], maxTokens });

const asks = (inputRequests, requestState) =>
  inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) });
const tells = (said) => ({ content: [text(said)] });

/** Asks until the client has confirmed it with the state that it was given. */
async function confirmed({ inputResponses, requestState }) {
  const { ok } = acceptedContent(inputResponses, "confirm") ?? {};
  if (ok === true && requestState() === "asked") return tells("state-ok");
  return asks({ confirm: form("Please confirm", "ok", "boolean") }, await states.mint("asked"));
}

const CHANGES = {
  test_trigger_tool_change: "toolsChanged",
  test_trigger_prompt_change: "promptsChanged",
};

/** Tools that answer with what they need from the client first. */
const ASKING = {
  test_input_required_result_elicitation: ({ inputResponses }) => {
    const { name } = acceptedContent(inputResponses, "user_name") ?? {};
    return typeof name === "string"
      ? tells(`Hello, ${name}!`)
      : asks({ user_name: form("What is your name?", "name") });
  },
  test_input_required_result_sampling: ({ inputResponses }) => {
    const { kind, result } = inputResponse(inputResponses, "capital_question");
    if (kind === "sampling") return tells(result.content.text);
    return asks({ capital_question: sampling("What is the capital of France?", 100) });
  },
  test_input_required_result_list_roots: ({ inputResponses }) => {
    const { kind, roots } = inputResponse(inputResponses, "client_roots");
    if (kind === "roots") return tells(roots.map(({ uri }) => uri).join(" "));
    return asks({ client_roots: inputRequired.listRoots() });
  },
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: async ({ inputResponses, requestState }) => {
    const kinds = ["user_name", "greeting", "client_roots"].map((key) => inputResponse(inputResponses, key).kind);
    if (requestState() === "asked" && !kinds.includes("missing")) return tells(kinds.join(" "));
    const inputRequests = {
      user_name: form("What is your name?", "name"),
      greeting: sampling("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    };
    return asks(inputRequests, await states.mint("asked"));
  },
  test_input_required_result_multi_round: async ({ inputResponses, requestState }) => {
    const { color } = acceptedContent(inputResponses, "step2") ?? {};
    if (requestState() === "step2" && color !== undefined) return tells(`${color}, then`);
    const { name } = acceptedContent(inputResponses, "step1") ?? {};
    if (requestState() === "step1" && name !== undefined)
      return asks({ step2: form("Step 2: What is your favorite color?", "color") }, await states.mint("step2"));
    return asks({ step1: form("Step 1: What is your name?", "name") }, await states.mint("step1"));
  },
  test_input_required_result_capabilities: (_, can) =>
    asks({
      ...(can.elicitation === undefined ? {} : { user_name: form("What is your name?", "name") }),
      ...(can.sampling === undefined ? {} : { greeting: sampling("Generate a greeting", 50) }),
    }),
  test_missing_capability: (_, can) => {
    if (can.sampling === undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    return tells("done");
  },
  test_streaming_elicitation: ({ inputResponses }) => {
    const { name } = acceptedContent(inputResponses, "user_name") ?? {};
    return name === undefined ? asks({ user_name: form("What is your name?", "name") }) : tells(name);
  },
};

const WITH_HEADER = object({ region: { ...string, "x-mcp-header": "Region" } }, ["region"]);
const MORE_SCHEMAS = { ...SCHEMAS, test_custom_headers: WITH_HEADER };

/** A call of a tool that asks for nothing, as the older SDK calls it. */
async function plain(name, args, { log, notify, _meta }) {
  const sendNotification = ({ method, params }) =>
    method === "notifications/message" ? log(params.level, params.data) : notify({ method, params });
  try {
    return { content: await TOOLS[name](args, { sendNotification, _meta }) };
  } catch (error) {
    return { ...tells(error.message), isError: true };
  }
}

function made(changed) {
  const NAMES = [
    ...Object.keys(TOOLS),
    ...Object.keys(ASKING),
    ...Object.keys(CHANGES),
    "test_logging_tool",
    "test_custom_headers",
  ];
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  };
  const options = { capabilities, requestState: { verify: states.verify } };
  const whole = new McpServer({ name: "conformance", version: "1.0.0" }, options);
  // The package compares the headers of a call with its arguments for tools that it knows.
  whole.registerTool("test_custom_headers", { inputSchema: fromJsonSchema(WITH_HEADER) }, () => tells("done"));
  const { server } = whole;
  server.setRequestHandler("tools/list", () => ({
    tools: NAMES.map((name) => ({
      name,
      description: name,
      inputSchema: MORE_SCHEMAS[name] ?? object(),
    })),
  }));
  server.setRequestHandler("tools/call", ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    const can = mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
    if (ASKING[name] !== undefined) return ASKING[name](mcpReq, can);
    if (CHANGES[name] !== undefined) changed(server, CHANGES[name]);
    if (name === "test_logging_tool") return plain("test_tool_with_logging", args, mcpReq);
    return TOOLS[name] === undefined ? tells("done") : plain(name, args, mcpReq);
  });
  server.setRequestHandler("resources/list", () => ({ resources: listed.resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: listed.resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const contents = contentsOf(uri);
    if (contents === undefined) throw new ResourceNotFoundError(uri);
    return { contents };
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: [...listed.prompts, { name: "test_input_required_result_prompt", description: "asks first" }],
  }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    if (PROMPTS[name] !== undefined) return { messages: PROMPTS[name].say(args) };
    const { context } = acceptedContent(mcpReq.inputResponses, "user_context") ?? {};
    if (context === undefined) return asks({ user_context: form("What context should the prompt use?", "context") });
    return { messages: [user(text(context))] };
  });
  server.setRequestHandler("completion/complete", () => ({ completion: COMPLETION }));
  return whole;
}

function overHttp() {
  const handler = createMcpHandler(() => made((_, what) => handler.notify[what]()), { legacy: "reject" });
  const listening = createServer(async (request, response) => {
    const { method, headers, url } = request;
    const body = method === "POST" ? { body: Readable.toWeb(request), duplex: "half" } : {};
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const asked = new Request(`http://127.0.0.1${url}`, { method, headers, signal: gone.signal, ...body });
    const refused =
      hostHeaderValidationResponse(asked, localhostAllowedHostnames()) ??
      originValidationResponse(asked, localhostAllowedOrigins());
    const answer = refused ?? (await handler.fetch(asked));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    if (answer.body === null) response.end();
    else
      Readable.fromWeb(answer.body)
        .on("error", () => response.destroy())
        .pipe(response);
  });
  listening.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${listening.address().port}/mcp`));
}

const SAID = { toolsChanged: "sendToolListChanged", promptsChanged: "sendPromptListChanged" };

if (process.argv[2] === "http") overHttp();
else serveStdio(() => made((server, what) => server[SAID[what]]()), { legacy: "reject" });
