import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import { isObject } from "../../core/values/json.ts";
import { notificationLine, requestLine } from "../rpc.ts";
import type { Session } from "../session.ts";

/** Clients end a request that is silent for a minute; most wait longer if they hear of it. */
const PROGRESS_MS = 15_000;

/**
 * Tells the client, as far as it understands, that a call waits for a person: by progress, and by the address of the
 * question. The answer to the question never comes through the client. Returns what ends the telling.
 */
export function hold(session: Session, approvalId: string, token: string | number | undefined): () => void {
  const endProgress = token === undefined ? undefined : tellProgress(session, approvalId, token);
  const endLink = showLink(session, approvalId);
  return () => {
    endProgress?.();
    endLink?.();
  };
}

function tellProgress({ options }: Session, approvalId: string, progressToken: string | number): () => void {
  const message = textOf(say("gateway.waiting", { id: approvalId }), "en");
  let progress = 0;
  const tell = () => {
    options.send(notificationLine("notifications/progress", { progressToken, progress, message }));
    progress += 1;
  };
  tell();
  const timer = setInterval(tell, PROGRESS_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** For a client that can open an address for its user. In the protocol without `initialize`, only clients make requests. */
function showLink(session: Session, approvalId: string): (() => void) | undefined {
  if (Object.keys(session.client.meta).length > 0) return undefined;
  const { elicitation } = session.client.capabilities;
  const canOpen = elicitation !== undefined && isObject(elicitation) && elicitation["url"] !== undefined;
  const url = canOpen ? session.options.linkTo(approvalId) : undefined;
  if (url === undefined) return undefined;
  session.askedCount += 1;
  const message = textOf(say("gateway.waiting", { id: approvalId }), "en");
  const params = { mode: "url", elicitationId: approvalId, url, message };
  session.options.send(requestLine(`leeway:link:${session.askedCount}`, "elicitation/create", params));
  return () =>
    session.options.send(notificationLine("notifications/elicitation/complete", { elicitationId: approvalId }));
}
