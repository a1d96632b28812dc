import type { Approval } from "../../core/approval.ts";
import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { Json, JsonObject } from "../../core/values/json.ts";
import { cancel } from "../../gate/approvals/cancel.ts";
import { wait } from "../../gate/calls/wait.ts";
import { refusalOf } from "../../service/refusal.ts";
import type { CallEnding } from "../gated-call.ts";
import { BAD_PARAMS, errorLine, notificationLine, readUpstreamLine, resultLine } from "../rpc.ts";
import { type ClientRequest, callerOf, ownResult, type RunningTask, type Session } from "../session.ts";
import { endingOfQuestion, isReady, ownQuestion } from "./own-tools.ts";
import { POLL_MS, TASK_PREFIX } from "./task.ts";

// How a task stands. The call runs when the client asks for the first time after the approval.

/** Results that are kept for clients that ask again. Older ones are read from the store. */
const KEPT_MAX = 100;

export async function answerTask(session: Session, method: string, sent: ClientRequest): Promise<string> {
  const { id, params } = sent;
  const found = await ownQuestion(session, String(params["taskId"]).slice(TASK_PREFIX.length));
  if (found === undefined) return errorLine(id, BAD_PARAMS, "Task not found; make the call again");
  if (method === "tasks/get") {
    const said = { resultType: "complete", ...(await taskNow(session, sent, found)) };
    return resultLine(id, ownResult(session, said));
  }
  if (method !== "tasks/cancel") return errorLine(id, BAD_PARAMS, "this task waits for a person, and for no input");
  await cancelTask(session, found);
  return resultLine(id, { resultType: "complete" });
}

async function taskNow(session: Session, sent: ClientRequest, found: Approval): Promise<JsonObject> {
  const task = {
    taskId: `${TASK_PREFIX}${found.id}`,
    createdAt: new Date(found.openedMs).toISOString(),
    lastUpdatedAt: new Date(session.deps.clock.nowMs()).toISOString(),
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
  const working = (statusMessage: string) => ({ ...task, status: "working", statusMessage });
  const running = session.tasks.get(found.id);
  if (running?.ending !== undefined) return { ...task, ...endOf(session, running.ending) };
  if (running !== undefined) return working("the call runs");
  const receipt = await wait(session.deps, found.id, { timeoutMs: 0 });
  if (receipt.outcome === "pending") {
    const about = { agent: found.agent, tool: found.tool };
    const isAnswered = (receipt.replies ?? []).length > 0;
    const waiting = textOf(say("gateway.waiting", { id: found.id }), "en");
    return working(isAnswered ? refusalOf(receipt, about).forModel : waiting);
  }
  if (isReady(receipt)) {
    begin(session, sent, found, receipt);
    return working("the call runs");
  }
  if (found.state === "cancelled") return { ...task, status: "cancelled" };
  return { ...task, ...endOf(session, await endingOfQuestion(session, sent, found, receipt)) };
}

/** The call runs under an id of its own, because the request that asked how it stands is answered before. */
function begin(session: Session, { params }: ClientRequest, found: Approval, receipt: Receipt): void {
  if (session.tasks.has(found.id)) return;
  const { taskId: _, ...rest } = params;
  const sent: ClientRequest = {
    id: `leeway:task:${found.id}`,
    params: rest,
    line: "",
    active: { abort: new AbortController() },
  };
  const running: RunningTask = { sent };
  for (const [id, { ending }] of session.tasks)
    if (session.tasks.size >= KEPT_MAX && ending !== undefined) session.tasks.delete(id);
  session.tasks.set(found.id, running);
  session.active.set(sent.id, sent.active);
  void endingOfQuestion(session, sent, found, receipt)
    .catch((error) => undecided(error))
    .then((ending) => {
      running.ending = ending;
      session.active.delete(sent.id);
    });
}

function undecided(error: unknown): CallEnding {
  const why = error instanceof Error ? error.message : String(error);
  const text = textOf(say("gateway.undecided", { why }), "en");
  return { is: "result", result: { content: [{ type: "text", text }], isError: true } };
}

/** A call that was refused is complete too: the model reads why in its result. */
function endOf(session: Session, ending: CallEnding): JsonObject {
  if (ending.is === "result") return { status: "completed", result: ownResult(session, ending.result) };
  const read = readUpstreamLine(ending.line);
  const answer = read.ok && read.rpc.is === "answer" ? read.rpc.answer : undefined;
  if (answer?.ok === true) return { status: "completed", result: ownResult(session, answer.result) };
  const error: Json = answer?.error ?? { code: BAD_PARAMS, message: "the MCP server gave no answer" };
  return { status: "failed", error };
}

/** A call that runs is cancelled at its upstream, as far as that is possible; its result is then unknown. */
async function cancelTask(session: Session, { id }: Approval): Promise<void> {
  const running = session.tasks.get(id);
  if (running === undefined) {
    await cancel(session.deps, id, { agent: callerOf(session).agent });
    return;
  }
  const { upstream, abort } = running.sent.active;
  abort.abort();
  upstream?.tell(notificationLine("notifications/cancelled", { requestId: running.sent.id }));
  upstream?.forget(running.sent.id, "the client cancelled it");
}
