import type { Approval } from "../../core/approval.ts";
import { say } from "../../core/messages/message.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { approvalAt } from "../../gate/approvals/approval-at.ts";
import { wait } from "../../gate/calls/wait.ts";
import { carryingOf, withParams } from "../carrying.ts";
import type { Shelf } from "../catalogue.ts";
import { type CallEnding, type Carrying, goOn, told } from "../gated-call.ts";
import { progressToken } from "../rpc.ts";
import { type ClientRequest, callerOf, catalogueFor, openUpstreams, type Session } from "../session.ts";
import { WAIT_TOOL } from "../tool-list.ts";
import { hold } from "./hold.ts";

/** `leeway_wait` and `leeway_status`: how a question stands, and the result of the call once it is approved. */
export async function ownTool(
  session: Session,
  sent: ClientRequest,
  tool: string,
  asked: unknown,
): Promise<CallEnding> {
  const id = typeof asked === "string" ? asked : "";
  const found = await ownQuestion(session, id);
  if (found === undefined) return told(say("gateway.not_yours", { id }), true);
  const waits = tool === WAIT_TOOL;
  const token = progressToken(sent.params);
  const { withProgress, without } = session.options.holdMs;
  const timeoutMs = !waits ? 0 : token === undefined ? without : withProgress;
  const release = waits ? hold(session, id, token) : () => undefined;
  try {
    const receipt = await wait(session.deps, id, { timeoutMs, signal: sent.active.abort.signal });
    if (isReady(receipt) && !waits) return told(say("gateway.wait", { id }), false);
    return await endingOfQuestion(session, sent, found, receipt);
  } finally {
    release();
  }
}

/** Every client chooses its own name, so the name of the agent alone does not show whose question it is; a token does. */
export async function ownQuestion(session: Session, id: string): Promise<Approval | undefined> {
  const isProven = session.options.isProven !== undefined;
  const found = isProven || session.questions.has(id) ? (await approvalAt(session.deps, id))?.row : undefined;
  return found?.agent === callerOf(session).agent ? found : undefined;
}

/** The call was approved, and nobody has run it yet. */
export function isReady({ outcome, result, error }: Receipt): boolean {
  return outcome === "run" && result === undefined && error === undefined;
}

/** Runs the call if it was approved; else why not, or the result that it had. */
export async function endingOfQuestion(
  session: Session,
  sent: ClientRequest,
  found: Approval,
  receipt: Receipt,
): Promise<CallEnding> {
  const about = { agent: callerOf(session).agent, tool: found.tool };
  if (!isReady(receipt)) return goOn(session.deps, receipt, about, NOTHING_TO_CARRY);
  const shelf = await shelfOf(session, found.tool);
  if (shelf === undefined) return told(say("gateway.drifted"), true);
  // The client did not send the call now, so it is written anew from what was approved.
  const args = await approvedArgs(session, found.id);
  const params = { ...sent.params, name: shelf.tool.name, arguments: args };
  const carrying = carryingOf(session, { ...sent, params, line: withParams({ ...sent, params }, {}) }, shelf);
  return goOn(session.deps, receipt, about, carrying);
}

const NOTHING_TO_CARRY: Carrying = {
  server: "",
  forward: async () => ({ is: "gone", why: "there is nothing to run" }),
  isSame: async () => false,
  holdMs: 0,
  signal: new AbortController().signal,
  isProven: async () => false,
  asked: () => undefined,
  held: () => () => undefined,
};

async function approvedArgs({ deps }: Session, approvalId: string): Promise<JsonObject> {
  const { askedCall } = await import("../../gate/approvals/covering.ts");
  const row = (await approvalAt(deps, approvalId))?.row;
  if (row === undefined) throw new Error(`the question ${approvalId} is gone (this is a bug)`);
  return (await askedCall(deps, row)).call.args;
}

/** The tool that the gate knows by this name. */
async function shelfOf(session: Session, gateName: string): Promise<Shelf | undefined> {
  for (const upstream of openUpstreams(session)) {
    const prefix = `mcp:${upstream.name}/`;
    if (!gateName.startsWith(prefix)) continue;
    return catalogueFor(session, upstream).find(gateName.slice(prefix.length), session.client.meta);
  }
  return undefined;
}
