import { isObject, type Json, type JsonObject, toJson } from "../core/values/json.ts";

// Reads the transcripts of agent programs, line by line. Only tool calls are used; an unreadable line is reported and
// skipped.

/** A call in a transcript. `id` identifies calls that were copied from one file into another. */
export type TranscriptCall = {
  id?: string;
  session?: string;
  tool: string;
  args: JsonObject;
  cwd?: string;
  atMs?: number;
};

type TranscriptLine = { ok: true; calls: readonly TranscriptCall[]; cwd?: string } | { ok: false };

/** Reads the lines of one file in order: the folder named in one line applies to the lines after it. */
type LineReader = (line: string) => TranscriptLine;

export type TranscriptSource = {
  /** Where the program keeps them, below the home folder. */
  folder: readonly string[];
  reader(): LineReader;
  /** The file in a folder above a transcript that names the project's folder, if its lines do not. */
  rootFile?: string;
  /** The database that has the transcripts, if they are not files. */
  database?: string;
};

/** By the name used in `leeway policy try --from`, which is also the name of the agent. */
export const TRANSCRIPTS = {
  "claude-code": { folder: [".claude", "projects"], reader: () => claudeCodeLine },
  codex: { folder: [".codex", "sessions"], reader: codexReader },
  gemini: { folder: [".gemini", "tmp"], reader: geminiReader, rootFile: ".project_root" },
  opencode: { folder: [".local", "share", "opencode"], reader: () => opencodePart, database: "opencode.db" },
} as const satisfies Readonly<Record<string, TranscriptSource>>;

const NO_CALLS: TranscriptLine = { ok: true, calls: [] };

/** Each line is independent; lines of the assistant contain its calls, also those of sub-agents. */
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

/** The folder and the session are in separate lines before the calls. */
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

/**
 * The session is named in the first line. A message is written again whenever one of its calls goes on, with the same
 * ids. An older session is one object with all messages.
 */
function geminiReader(): LineReader {
  let session: Json | undefined;
  return (line) => {
    const value = objectIn(line);
    if (value === undefined) return { ok: false };
    session = value["sessionId"] ?? session;
    const messages: readonly Json[] = Array.isArray(value["messages"]) ? value["messages"] : [value];
    const calls: TranscriptCall[] = [];
    for (const message of messages) {
      if (!isObject(message) || message["type"] !== "gemini" || !Array.isArray(message["toolCalls"])) continue;
      for (const call of message["toolCalls"] as readonly Json[]) {
        if (!isObject(call) || typeof call["name"] !== "string" || !isArguments(call["args"])) return { ok: false };
        const { dir_path: folder } = call["args"];
        const when = { timestamp: call["timestamp"] ?? message["timestamp"] ?? null };
        calls.push({
          ...named("id", call["id"]),
          ...common(when, session),
          tool: call["name"],
          args: call["args"],
          ...placed(folder),
        });
      }
    }
    return { ok: true, calls };
  };
}

/** A part of a message, as the reader of the database gives it: its session, folder and time beside its content. */
function opencodePart(line: string): TranscriptLine {
  const value = objectIn(line);
  const part = value?.["part"];
  if (value === undefined || !isObject(part ?? null)) return { ok: false };
  const { type, tool, callID, state } = part as JsonObject;
  const where = placed(value["directory"]);
  if (type !== "tool") return { ok: true, calls: [], ...where };
  const input = isObject(state ?? null) ? (state as JsonObject)["input"] : undefined;
  if (typeof tool !== "string" || !isArguments(input)) return { ok: false };
  const atMs = typeof value["atMs"] === "number" ? { atMs: value["atMs"] } : {};
  const folder = placed(input["workdir"]);
  const call = { ...named("id", callID), ...named("session", value["session"]), ...atMs, tool, args: input };
  return { ok: true, calls: [{ ...call, ...where, ...folder }], ...where };
}

function common(line: JsonObject, session: Json | undefined): Pick<TranscriptCall, "session" | "atMs"> {
  const atMs = typeof line["timestamp"] === "string" ? Date.parse(line["timestamp"]) : Number.NaN;
  return { ...named("session", session), ...(Number.isNaN(atMs) ? {} : { atMs }) };
}

function named<K extends "id" | "session">(key: K, value: Json | undefined): { [N in K]?: string } {
  return (typeof value === "string" && value !== "" ? { [key]: value } : {}) as { [N in K]?: string };
}

/** Only an absolute path says where a call was made. */
function placed(value: Json | undefined): { cwd?: string } {
  return typeof value === "string" && value.startsWith("/") ? { cwd: value } : {};
}

/** Arguments with the same limits on depth and characters as everywhere else. */
function isArguments(value: Json | undefined): value is JsonObject {
  return value !== undefined && isObject(value) && toJson(value).ok;
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    // The caller counts it: an incomplete line is normal in a session that still runs.
    return undefined;
  }
}
