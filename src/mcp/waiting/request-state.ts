import { timingSafeEqual } from "node:crypto";
import { canonical } from "../../core/values/canonical.ts";
import { sha256 } from "../../core/values/hash.ts";
import { isObject, type Json, type JsonObject } from "../../core/values/json.ts";
import type { ClientRequest } from "../session.ts";
import { callerOf, type Session } from "../session.ts";

// A client of the protocol without `initialize` can be asked to come back with the same call. What it brings back
// (`requestState`) allows nothing: the gate decides about the call again, and finds the same question. It is sealed so that
// no client can pretend to have been asked, for itself, for somebody else, or for another call.

/** Other states belong to the upstream, and pass. */
const PREFIX = "leeway.";
const VALID_MS = 60 * 60_000;

type Call = { name: string; args: JsonObject };
type State = { agent: string; call: string; round: number; untilMs: number; nonce: string };

/** A state for this caller and this call. */
export function requestState(session: Session, call: Call, round: number): string {
  const { deps } = session;
  const untilMs = deps.clock.nowMs() + VALID_MS;
  const { agent } = callerOf(session);
  const state: State = { agent, call: hashOf(call), round, untilMs, nonce: deps.mint.salt() };
  const text = Buffer.from(JSON.stringify(state)).toString("base64url");
  return `${PREFIX}${text}.${markOf(session, text)}`;
}

/** The request without what only the gateway reads, or why its state is not valid. */
export function resumed(session: Session, sent: ClientRequest, call: Call): ClientRequest | string {
  const { requestState: shown, inputResponses: _, ...params } = sent.params;
  if (typeof shown !== "string" || !shown.startsWith(PREFIX)) return sent;
  const state = opened(session, shown.slice(PREFIX.length));
  const nowMs = session.deps.clock.nowMs();
  const isTheirs = state?.agent === callerOf(session).agent && state.call === hashOf(call);
  if (state === undefined || !isTheirs || nowMs >= state.untilMs || session.usedStates.has(state.nonce))
    return "the requestState is not valid: it was used, has expired, or belongs to another call; call again without it";
  for (const [nonce, untilMs] of session.usedStates) if (nowMs >= untilMs) session.usedStates.delete(nonce);
  session.usedStates.set(state.nonce, state.untilMs);
  const line = JSON.stringify({ jsonrpc: "2.0", id: sent.id, method: "tools/call", params });
  return { ...sent, params, line, round: state.round };
}

function hashOf({ name, args }: Call): string {
  return sha256(canonical({ name, args }));
}

function markOf({ deps }: Session, text: string): string {
  return Buffer.from(deps.sealer.mark(`mcp request state\n${text}`)).toString("base64url");
}

function opened(session: Session, shown: string): State | undefined {
  const [text = "", mark = ""] = shown.split(".");
  const [wanted, given] = [Buffer.from(markOf(session, text)), Buffer.from(mark)];
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined;
  const state: Json = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  // The mark shows that the gateway wrote it.
  return isObject(state) ? (state as unknown as State) : undefined;
}
