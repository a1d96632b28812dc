import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ScriptedCall } from "./suite.ts";

/** A server that speaks the streaming Messages API: it makes the calls of a script, and then says that it is done. */
export type ScriptedModel = {
  url: string;
  /** The texts in the last request with the results of the calls. */
  heard(): readonly string[];
  close(): Promise<void>;
};

type Block = { text?: string };
type Request = { tools?: unknown[]; messages?: { content: string | Block[] }[] };

export async function scriptedModel(calls: readonly ScriptedCall[]): Promise<ScriptedModel> {
  let heard: readonly string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      if (!request.url?.startsWith("/v1/messages") || request.url.includes("count_tokens")) {
        response.writeHead(200, { "content-type": "application/json" }).end('{"input_tokens":1}');
        return;
      }
      const body: Request = JSON.parse(text);
      // Requests without tools ask for a title or the like.
      const isFirst = !text.includes('"tool_result"') && (body.tools?.length ?? 0) > 0;
      if (text.includes('"tool_result"')) heard = textsIn(body);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events(isFirst ? calls : []));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard: () => heard,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

function textsIn({ messages = [] }: Request): readonly string[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [content] : content.flatMap(({ text }) => (text === undefined ? [] : [text])),
  );
}

let made = 0;

function events(calls: readonly ScriptedCall[]): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${made++}`, type: "message", role: "assistant", model: "scripted", content: [], usage };
  const blocks =
    calls.length === 0
      ? [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text: "done" } }]
      : calls.map(({ id, tool, args }) => ({
          start: { type: "tool_use", id, name: tool, input: {} },
          delta: { type: "input_json_delta", partial_json: JSON.stringify(args) },
        }));
  const stop_reason = calls.length === 0 ? "end_turn" : "tool_use";
  const all = [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    ...blocks.flatMap(({ start, delta }, index) => [
      { type: "content_block_start", index, content_block: start },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  return all.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join("");
}
