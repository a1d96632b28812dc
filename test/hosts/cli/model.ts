import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DIALECTS, type Dialect, type Told } from "./dialects.ts";

// A model that follows a script. The real hosts talk to it on loopback instead of to their provider.

/** A tool call that the model makes. */
export type ToolUse = { tool: string; args: Record<string, unknown> };

/** What the model says in one turn: calls, made at once, or a text, with which it ends. */
export type Turn = { calls: readonly ToolUse[] } | { text: string };

/**
 * The turns of each conversation, by a word that its prompt contains. A sub-agent has a conversation of its own. Requests
 * that have no tools (a host that wants a title for the session) are answered with a text.
 */
export type Script = { readonly [word: string]: readonly Turn[] };

export type Model = {
  url: string;
  /** What the model was told about the calls of a conversation, in their order. */
  heard(word: string): readonly string[];
  /** The names of the tools that the host offered. */
  offered(): readonly string[];
  stop(): Promise<void>;
};

export async function scriptedModel(script: Script): Promise<Model> {
  const results = new Map<string, readonly string[]>();
  const offered = new Set<string>();
  const server = createServer((request, response) => {
    answer(request, response, { script, results, offered }).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: (word) => results.get(word) ?? [],
    offered: () => [...offered].sort(),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type State = { script: Script; results: Map<string, readonly string[]>; offered: Set<string> };

async function answer(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const text = await bodyOf(request);
  const path = request.url ?? "";
  const dialect = DIALECTS.find((one) => one.path.test(path));
  if (dialect === undefined || request.method !== "POST") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: [], models: [] }));
    return;
  }
  const body = JSON.parse(text);
  if (process.env["LEEWAY_SHOW_MODEL"] !== undefined) process.stderr.write(`${path} ${text}\n`);
  send(response, dialect, turnFor(dialect.read(body), state), body);
}

/** The turn that comes next in the conversation that the request contains. */
function turnFor(told: Told, { script, results, offered }: State): { turn: Turn; at: number } {
  const word = Object.keys(script).find((one) => told.prompt.includes(one));
  if (word === undefined || told.tools.length === 0) return { turn: { text: "A session." }, at: 0 };
  for (const tool of told.tools) offered.add(tool);
  if (told.results.length >= (results.get(word)?.length ?? 0)) results.set(word, told.results);
  return { turn: script[word]?.[told.turns] ?? { text: "Done." }, at: told.turns };
}

function send(response: ServerResponse, dialect: Dialect, next: { turn: Turn; at: number }, body: unknown): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  for (const event of dialect.write(next.turn, next.at, body as Record<string, unknown>)) response.write(event);
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
