import type { Hash } from "../core/values/hash.ts";
import type { Json, JsonObject } from "../core/values/json.ts";
import type { Runner } from "../ports.ts";

/** How a tool of an MCP server ended. `gone`: the server ended before it answered. */
export type ToolEnding =
  | { is: "ended"; ending: { ok: true; result: Json } | { ok: false; error: string; result?: Json } }
  | { is: "gone"; why: string }
  | { is: "refused"; why: string };

/** Sends one call to the server, if its tool still has this definition and a person has accepted it. */
export type CallTool = (args: JsonObject, definition: Hash | undefined, signal: AbortSignal) => Promise<ToolEnding>;

/** Runs calls of a tool of an MCP server that were approved after the agent had gone on. */
export function mcpRunner(name: string, callTool: CallTool): Runner {
  return {
    name,
    idempotent: false,
    run: async ({ call, args, signal }) => {
      const ended = await callTool(args, call.definition, signal);
      if (ended.is === "refused") return { ok: false, error: ended.why, started: false };
      if (ended.is === "gone") return { ok: false, error: ended.why, started: "unknown" };
      const { ending } = ended;
      return ending.ok ? ending : { ...ending, started: true };
    },
  };
}
