import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Receipt } from "../../core/receipt.ts";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import type { Carrying } from "../gated-call.ts";
import type { ClientRequest } from "../session.ts";
import { type Session, saidCapabilities } from "../session.ts";
import { requestState } from "./request-state.ts";
import { newTask, takesTasks } from "./task.ts";

// A client of the protocol without `initialize` that can open addresses: it is shown the page of the question at once, and
// comes back with the same call. Then the call is held as always, and the client is asked to come back a few times more.

/** The official client comes back ten times at most, and then tells its program that the call failed. */
const ROUNDS_MAX = 8;

export function legsOf(session: Session, sent: ClientRequest): Pick<Carrying, "insteadOfWaiting" | "afterWaiting"> {
  if (takesTasks(sent)) return { insteadOfWaiting: (receipt) => newTask(session, receipt) };
  const { elicitation } = saidCapabilities(sent.params) ?? {};
  const canOpen = elicitation !== undefined && isObject(elicitation) && elicitation["url"] !== undefined;
  const { round } = sent;
  if (!canOpen) return {};
  if (round === undefined) return { insteadOfWaiting: (receipt) => shown(session, sent, receipt) };
  return { afterWaiting: () => (round < ROUNDS_MAX ? again(session, sent, round + 1) : undefined) };
}

/** The page of the question. The answer is given there, by who signs in there; what the client says about it is not read. */
function shown(session: Session, sent: ClientRequest, { approvalId }: Receipt): JsonObject | undefined {
  const url = approvalId === undefined ? undefined : session.options.linkTo(approvalId);
  if (approvalId === undefined || url === undefined) return undefined;
  const message = textOf(say("gateway.waiting", { id: approvalId }), "en");
  const gate = { method: "elicitation/create", params: { mode: "url", message, url } };
  return { ...again(session, sent, 1), inputRequests: { gate } };
}

function again(session: Session, { params }: ClientRequest, round: number): JsonObject {
  const { name, arguments: args } = params;
  const call = { name: String(name), args: args !== undefined && isObject(args) ? args : {} };
  return { resultType: "input_required", requestState: requestState(session, call, round) };
}
