import type { ToolUse, Turn } from "./model.ts";

// The APIs that the hosts speak with a model: how a conversation is read from a request, and how a turn is written as a
// stream of events.

type Body = Record<string, unknown>;

/** What a request says: the words of the user, how often the model has called tools, and what came of the calls. */
export type Told = { prompt: string; turns: number; results: readonly string[]; tools: readonly string[] };

export type Dialect = {
  path: RegExp;
  read(body: Body): Told;
  write(turn: Turn, at: number, body: Body): readonly string[];
};

const list = (value: unknown): readonly Body[] => (Array.isArray(value) ? (value as Body[]) : []);
const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));
const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const idOf = (at: number, place: number): string => `toolu_script${at}x${place}`;

/** Anthropic's Messages API: Claude Code. */
const messages: Dialect = {
  path: /^\/v1\/messages(\?|$)/,
  read: (body) => {
    const told = list(body["messages"]);
    const blocks = told.flatMap(({ content }) => list(content));
    return {
      prompt: plain(told.find(({ role }) => role === "user")?.["content"]),
      turns: told.filter(({ content }) => list(content).some(({ type }) => type === "tool_use")).length,
      results: blocks.filter(({ type }) => type === "tool_result").map(({ content }) => textIn(content)),
      tools: list(body["tools"]).map(({ name }) => plain(name)),
    };
  },
  write: (turn, at, body) => {
    const message = {
      id: `msg_${at}`,
      type: "message",
      role: "assistant",
      model: body["model"],
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const blocks = "text" in turn ? [textBlock(turn.text)] : turn.calls.map((call, i) => callBlock(call, at, i));
    const reason = "text" in turn ? "end_turn" : "tool_use";
    return [
      event({ type: "message_start", message }, "message_start"),
      ...blocks.flatMap(({ start, delta }, index) => [
        event({ type: "content_block_start", index, content_block: start }, "content_block_start"),
        event({ type: "content_block_delta", index, delta }, "content_block_delta"),
        event({ type: "content_block_stop", index }, "content_block_stop"),
      ]),
      event(
        { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 1 } },
        "message_delta",
      ),
      event({ type: "message_stop" }, "message_stop"),
    ];
  },
};

const textBlock = (text: string) => ({ start: { type: "text", text: "" }, delta: { type: "text_delta", text } });

const callBlock = ({ tool, args }: ToolUse, at: number, place: number) => ({
  start: { type: "tool_use", id: idOf(at, place), name: tool, input: {} },
  delta: { type: "input_json_delta", partial_json: JSON.stringify(args) },
});

/** The text of a result that is a text or a list of parts. */
function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => plain(part["text"] ?? part))
    .join("\n");
}

/** OpenAI's Responses API: Codex. */
const responses: Dialect = {
  path: /\/responses(\?|$)/,
  read: (body) => {
    const input = list(body["input"]);
    const calls = input.filter(({ type }) => type === "function_call" || type === "custom_tool_call");
    return {
      prompt: input
        .filter(({ type, role }) => (type === undefined || type === "message") && role === "user")
        .map(({ content }) => textIn(content))
        .join("\n"),
      turns: new Set(calls.map(({ call_id }) => plain(call_id).split("x")[0])).size,
      results: input
        .filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output")
        .map(({ output }) => textIn(output)),
      tools: list(body["tools"]).map(({ name, type }) => plain(name ?? type)),
    };
  },
  write: (turn, at) => {
    const items = "text" in turn ? [saidItem(turn.text, at)] : turn.calls.map((call, i) => callItem(call, at, i));
    const response = { id: `resp_${at}`, object: "response", output: items };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return [
      event({ type: "response.created", response: { ...response, output: [] } }, "response.created"),
      ...items.flatMap((item, output_index) => [
        event({ type: "response.output_item.added", output_index, item }, "response.output_item.added"),
        event({ type: "response.output_item.done", output_index, item }, "response.output_item.done"),
      ]),
      event(
        { type: "response.completed", response: { ...response, status: "completed", usage } },
        "response.completed",
      ),
    ];
  },
};

const saidItem = (text: string, at: number): Body => ({
  type: "message",
  id: `msg_${at}`,
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});

/** A tool that takes a text instead of JSON (`apply_patch`) is given it as `input`. `namespace/name` is in a namespace. */
function callItem({ tool, args }: ToolUse, at: number, place: number): Body {
  const [name, namespace] = tool.split("/").reverse();
  const call = { call_id: idOf(at, place), name, ...(namespace === undefined ? {} : { namespace }) };
  return typeof args["*text"] === "string"
    ? { type: "custom_tool_call", id: `ct_${at}_${place}`, ...call, input: args["*text"] }
    : { type: "function_call", id: `fc_${at}_${place}`, ...call, arguments: JSON.stringify(args) };
}

/** Gemini's generateContent: Gemini CLI. Calls have no ids there. */
const gemini: Dialect = {
  path: /:(stream)?generateContent/i,
  read: (body) => {
    const contents = list(body["contents"]);
    const parts = contents.flatMap((one) => list(one["parts"]));
    return {
      prompt: contents
        .filter(({ role }) => role === "user")
        .map((one) => plain(one["parts"]))
        .join("\n"),
      turns: contents.filter((one) => list(one["parts"]).some((part) => part["functionCall"] !== undefined)).length,
      results: parts
        .filter((part) => part["functionResponse"] !== undefined)
        .map((part) => plain((part["functionResponse"] as Body)["response"])),
      tools: list(body["tools"])
        .flatMap((tool) => list(tool["functionDeclarations"]))
        .map(({ name }) => plain(name)),
    };
  },
  write: (turn) => {
    const parts =
      "text" in turn
        ? [{ text: turn.text }]
        : turn.calls.map(({ tool, args }) => ({ functionCall: { name: tool, args } }));
    return [
      event({
        candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
        modelVersion: "scripted",
      }),
    ];
  },
};

/** OpenAI's chat completions: opencode. */
const chat: Dialect = {
  path: /\/chat\/completions(\?|$)/,
  read: (body) => {
    const told = list(body["messages"]);
    return {
      prompt: told
        .filter(({ role }) => role === "user")
        .map(({ content }) => textIn(content))
        .join("\n"),
      turns: told.filter((one) => list(one["tool_calls"]).length > 0).length,
      results: told.filter(({ role }) => role === "tool").map(({ content }) => textIn(content)),
      tools: list(body["tools"]).map((tool) => plain((tool["function"] as Body | undefined)?.["name"])),
    };
  },
  write: (turn, at) => {
    const chunk = (delta: unknown, finish_reason: string | null) =>
      event({
        id: `chat_${at}`,
        object: "chat.completion.chunk",
        created: 1,
        model: "scripted",
        choices: [{ index: 0, delta, finish_reason }],
      });
    const calls = "text" in turn ? [] : turn.calls;
    const said =
      "text" in turn ? { content: turn.text } : { tool_calls: calls.map((call, i) => chatCall(call, at, i)) };
    return [
      chunk({ role: "assistant", ...said }, null),
      chunk({}, "text" in turn ? "stop" : "tool_calls"),
      "data: [DONE]\n\n",
    ];
  },
};

const chatCall = ({ tool, args }: ToolUse, at: number, index: number) => ({
  index,
  id: idOf(at, index),
  type: "function",
  function: { name: tool, arguments: JSON.stringify(args) },
});

export const DIALECTS: readonly Dialect[] = [messages, responses, gemini, chat];
