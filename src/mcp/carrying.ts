import type { JsonObject } from "../core/values/json.ts";
import type { Shelf } from "./catalogue.ts";
import type { Carrying } from "./gated-call.ts";
import { progressToken } from "./rpc.ts";
import { type ClientRequest, catalogueFor, lineFor, noteSent, type Session } from "./session.ts";
import type { Upstream } from "./upstream.ts";
import { hold } from "./waiting/hold.ts";
import { legsOf } from "./waiting/legs.ts";

// How a call of the client is carried out by its upstream, and how long the client waits for people.

export function carryingOf(session: Session, sent: ClientRequest, { tool }: Shelf): Carrying {
  const { upstream } = tool;
  const catalogue = catalogueFor(session, upstream);
  return {
    ...holding(session, sent, upstream),
    ...legsOf(session, sent),
    forward: (edited) => {
      noteSent(sent, upstream);
      const isPlain = edited === undefined && session.options.isAlone;
      const line = isPlain
        ? sent.line
        : withParams(sent, { name: tool.name, ...(edited === undefined ? {} : { arguments: edited }) });
      return upstream.forward(sent.id, isPlain ? lineFor(upstream, line, sent.params) : line);
    },
    isSame: async () => {
      const now = await catalogue.find(tool.name, session.client.meta);
      return now?.tool.hash === tool.hash && now.pin?.state === "accepted";
    },
  };
}

export function withParams({ id, params }: ClientRequest, over: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { ...params, ...over } });
}

export function holding(
  session: Session,
  sent: ClientRequest,
  { name }: Upstream,
): Omit<Carrying, "forward" | "isSame"> {
  const { params, active } = sent;
  const { withProgress, without } = session.options.holdMs;
  const token = progressToken(params);
  return {
    server: name,
    holdMs: token === undefined ? without : withProgress,
    signal: active.abort.signal,
    isProven: async () => (await session.options.isProven?.()) !== false,
    asked: (approvalId: string) => void session.questions.add(approvalId),
    held: (approvalId: string) => hold(session, approvalId, token),
  };
}
