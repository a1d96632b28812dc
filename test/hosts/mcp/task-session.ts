import type { McpClient, Served } from "./through.ts";

// The official client of tasks (`@modelcontextprotocol/ext-tasks`). It leaves sending the messages of tasks to its program.

type Execution = { settle(): Promise<{ outcome: unknown }>; cancel(): Promise<unknown> };
export type TaskSession = {
  callTool(name: string, args: Record<string, unknown>): Promise<Execution>;
  close(): Promise<void>;
};

type Request = { method: string; params: { [key: string]: unknown } };

/** This package can only be imported, so it is not found by `require`. */
const PACKAGE = new URL("../node_modules/@modelcontextprotocol/ext-tasks/dist/client/index.js", import.meta.url).href;

const FRAMING = {
  protocolVersion: "2026-07-28",
  clientInfo: { name: "tester", version: "1.0.0" },
  clientCapabilities: {},
};

export async function taskSession(client: McpClient, served: Served): Promise<TaskSession> {
  const make = (await import(PACKAGE))["createTaskSessionFromClient"] as (
    client: McpClient,
    options: object,
  ) => TaskSession;
  let count = 0;
  const rawDispatch = async ({ method, params }: Request) => {
    count += 1;
    const name = params["name"] ?? params["taskId"];
    const response = await fetch(served.url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${served.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": FRAMING.protocolVersion,
        "mcp-method": method,
        "mcp-name": String(name),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: `raw-${count}`, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: object; error?: object };
    return error === undefined ? { kind: "result", result } : { kind: "error", error };
  };
  return make(client, { endpointId: "gateway", rawDispatch, v2RequestFraming: FRAMING });
}
