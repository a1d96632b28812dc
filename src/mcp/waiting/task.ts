import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Receipt } from "../../core/receipt.ts";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import { type ClientRequest, type Session, saidCapabilities } from "../session.ts";

// Tasks (`io.modelcontextprotocol/tasks`): a call that waits for people is a task, and the client asks how it stands. The
// question is the task, so a task is as durable as its question.

const TASKS = "io.modelcontextprotocol/tasks";
/** Other tasks belong to the upstream, and pass. */
export const TASK_PREFIX = "leeway.";
export const POLL_MS = 1_000;

/** A client that knows tasks gets one in place of waiting. */
export function takesTasks({ params }: ClientRequest): boolean {
  const extensions = saidCapabilities(params)?.["extensions"];
  return extensions !== undefined && isObject(extensions) && extensions[TASKS] !== undefined;
}

/** What a server says it can do, with tasks. */
export function withTasks(capabilities: JsonObject): JsonObject {
  const { extensions } = capabilities;
  const others = extensions !== undefined && isObject(extensions) ? extensions : {};
  return { ...capabilities, extensions: { ...others, [TASKS]: {} } };
}

/** The question is in the store already, so the task cannot get lost. */
export function newTask({ deps, options }: Session, { approvalId }: Receipt): JsonObject | undefined {
  if (approvalId === undefined) return undefined;
  const at = new Date(deps.clock.nowMs()).toISOString();
  const url = options.linkTo(approvalId);
  const waiting = textOf(say("gateway.waiting", { id: approvalId }), "en");
  return {
    resultType: "task",
    taskId: `${TASK_PREFIX}${approvalId}`,
    status: "working",
    statusMessage: url === undefined ? waiting : `${waiting}: ${url}`,
    createdAt: at,
    lastUpdatedAt: at,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
}

export function isOwnTask(method: string, { taskId }: JsonObject): boolean {
  return method.startsWith("tasks/") && typeof taskId === "string" && taskId.startsWith(TASK_PREFIX);
}
