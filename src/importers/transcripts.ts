import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";

// What agent hosts write down of their sessions, line by line. Only calls of tools are taken; a line that cannot be read
// is said to be so and costs nothing else.

/** A call as a transcript has it. `id` tells apart what was copied from one file into another. */
export type TranscriptCall = {
  id?: string;
  session?: string;
  tool: string;
  args: JsonObject;
  cwd?: string;
  atMs?: number;
};

type TranscriptLine = { ok: true; calls: readonly TranscriptCall[]; cwd?: string } | { ok: false };

/** Reads the lines of one file, in their order: what one says of the folder holds for those after it. */
type LineReader = (line: string) => TranscriptLine;

export type TranscriptSource = {
  /** Where the host keeps them, below the home folder. */
  folder: readonly string[];
  reader(): LineReader;
};

/** By the name one gives to `leeway policy try --from`, which is also the agent's. */
export const TRANSCRIPTS = {
  "claude-code": { folder: [".claude", "projects"], reader: () => claudeCodeLine },
  codex: { folder: [".codex", "sessions"], reader: codexReader },
} as const satisfies Readonly<Record<string, TranscriptSource>>;

const NO_CALLS: TranscriptLine = { ok: true, calls: [] };

/** Every line stands for itself; those of the assistant hold its calls, those of sub-agents included. */
function claudeCodeLine(line: string): TranscriptLine {
  const value = objectIn(line);
  if (value === undefined) return { ok: false };
  const where = placed(value["cwd"]);
  const { message } = value;
  if (value["type"] !== "assistant" || !isObject(message) || !Array.isArray(message["content"]))
    return { ok: true, calls: [], ...where };
  const calls: TranscriptCall[] = [];
  for (const item of message["content"] as readonly Json[]) {
    if (!isObject(item) || item["type"] !== "tool_use") continue;
    const { id, name: tool, input } = item;
    if (typeof tool !== "string" || !isArguments(input)) return { ok: false };
    calls.push({ ...named("id", id), ...common(value, value["sessionId"]), tool, args: input, ...where });
  }
  return { ok: true, calls, ...where };
}

/** The folder and the session stand in lines of their own, before the calls they are for. */
function codexReader(): LineReader {
  let where: { cwd?: string } = {};
  let session: Json | undefined;
  return (line) => {
    const value = objectIn(line);
    if (value === undefined) return { ok: false };
    const { payload } = value;
    if (!isObject(payload)) return NO_CALLS;
    if (value["type"] === "session_meta" || value["type"] === "turn_context") {
      where = { ...where, ...placed(payload["cwd"]) };
      session = payload["id"] ?? session;
      return { ok: true, calls: [], ...where };
    }
    if (value["type"] !== "response_item") return NO_CALLS;
    const call = codexCall(payload);
    if (call === undefined) return NO_CALLS;
    return call === "unreadable"
      ? { ok: false }
      : { ok: true, calls: [{ ...common(value, session), ...where, ...call }], ...where };
  };
}

function codexCall(payload: JsonObject): TranscriptCall | "unreadable" | undefined {
  const id = named("id", payload["call_id"]);
  const tool = typeof payload["name"] === "string" ? payload["name"] : undefined;
  switch (payload["type"]) {
    case "function_call": {
      const args = typeof payload["arguments"] === "string" ? objectIn(payload["arguments"]) : undefined;
      if (tool === undefined || !isArguments(args)) return "unreadable";
      return { ...id, tool, args, ...placed(args["workdir"]) };
    }
    case "custom_tool_call":
      return tool === undefined ? "unreadable" : { ...id, tool, args: { input: payload["input"] ?? "" } };
    case "local_shell_call": {
      const action = payload["action"];
      if (!isObject(action) || action["command"] === undefined) return "unreadable";
      return {
        ...id,
        tool: "local_shell",
        args: { command: action["command"] },
        ...placed(action["working_directory"]),
      };
    }
    default:
      return undefined;
  }
}

function common(line: JsonObject, session: Json | undefined): Pick<TranscriptCall, "session" | "atMs"> {
  const atMs = typeof line["timestamp"] === "string" ? Date.parse(line["timestamp"]) : Number.NaN;
  return { ...named("session", session), ...(Number.isNaN(atMs) ? {} : { atMs }) };
}

function named<K extends "id" | "session">(key: K, value: Json | undefined): { [N in K]?: string } {
  return (typeof value === "string" && value !== "" ? { [key]: value } : {}) as { [N in K]?: string };
}

/** Only a whole path says where a call was made. */
function placed(value: Json | undefined): { cwd?: string } {
  return typeof value === "string" && value.startsWith("/") ? { cwd: value } : {};
}

/** As every door takes them: nested no deeper and holding no stranger texts than can be kept. */
function isArguments(value: Json | undefined): value is JsonObject {
  return value !== undefined && isObject(value) && toJson(value).ok;
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    // Said to the caller, who counts it: half a line is what a session that still runs leaves behind.
    return undefined;
  }
}
