import { bodyOf, callsAt, checkedAt, ensureReceipt, type SentCall } from "../../client/calls.ts";
import type { ToolCall } from "../../core/call.ts";
import { classOf } from "../../core/effect.ts";
import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import { isObject, type JsonObject } from "../../core/values/json.ts";
import { storedResult } from "../../gate/calls/claim.ts";
import type { HookGate } from "../../hooks/answer.ts";
import type { HostCall } from "../../hooks/host.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { systemMint } from "../../system.ts";
import type { Io } from "../terminal/io.ts";
import type { NamedServer } from "./named-server.ts";
import { type SeenHere, seenHere } from "./seen-here.ts";

/** What only the hook program knows. */
type Surroundings = Pick<HookGate, "hasTerminal" | "isHeard"> & { io: Io; project: string };

/**
 * The gate of a server elsewhere, for one hook. The server's inbox shows every question, so the hook waits, and the
 * host's own user is never asked.
 */
export function serverHookGate({ asking }: NamedServer, { io, project, ...surroundings }: Surroundings): HookGate {
  const { ask } = asking;
  const { wait } = callsAt(asking, io.clock, (sent: SentCall) => sent);
  let submitted: { sent: SentCall; seen: SeenHere } | undefined;
  return {
    ...surroundings,
    holds: true,
    submit: async (call, { edits }) => {
      const sent = sentOf(call);
      const seen = seenHere(sent.call, io, project);
      submitted = { sent, seen };
      const layers = seen.layer === undefined ? [] : [seen.layer];
      const body = { ...bodyOf({ ...sent, layers }), door: { hands: true, edits } };
      return ensureReceipt(await ask("POST /v1/calls", { body }, { repeatable: true }), sent.call);
    },
    // A server decides for machines that it does not see.
    hold: async () => undefined,
    endHold: async () => undefined,
    writes: async () => [],
    isBoxed: async () => false,
    boxStart: async () => undefined,
    isBoxStart: async () => false,
    wait: (receipt, timeoutMs) =>
      wait(receipt.approvalId ?? receipt.id, { timeoutMs: Math.max(0, timeoutMs - ROUNDING_MS) }),
    whyAsked: async ({ decision }) => decision.because,
    classOf: async ({ approvalId }) =>
      approvalId === undefined || submitted === undefined
        ? undefined
        : classOf((await checkedAt(ask, submitted.sent)).effect),
    claim: async (id) => {
      const why = submitted?.seen.changed();
      if (why !== undefined) return { ok: false, why: textOf(say("hook.changed_here", { why }), "en") };
      return handed(await ask("POST /v1/calls/:id/hand", { params: { id }, body: {} }), id);
    },
    answersPrompt: async (call) => (await ask("POST /v1/calls/handed", { body: namedBody(call) })).handed === true,
    settle: async (call, ended) => {
      const told = ended.ok ? { ...ended, result: storedResult(ended.result) } : ended;
      await ask("POST /v1/calls/ended", { body: { ...told, call: namedBody(call) } }, { repeatable: true });
    },
    endSession: async (_, session) => {
      try {
        await ask("POST /v1/sessions/:id/end", { params: { id: session }, body: { isHost: true } });
      } catch (error) {
        // A session without calls is not in the record: there is nothing to end.
        if (!(error instanceof LeewayRefusal) || error.code !== "LEEWAY_NOT_FOUND") throw error;
      }
    },
  };
}

/** A server waits for whole seconds, and the last answer takes its time too. */
const ROUNDING_MS = 1_500;

/** Nothing else than the claimed call itself is a permission to run it. */
function handed(answer: { executionId: string; args: JsonObject } | null, id: string): { ok: true; args: JsonObject } {
  if (answer?.executionId === id && isObject(answer.args)) return { ok: true, args: answer.args };
  throw new LeewayRefusal({
    code: "LEEWAY_AUDIT_UNAVAILABLE",
    reason: say("refusal.no_receipt"),
    hint: say("hint.check_address"),
  });
}

/** The token says who the host is. Sub-agents of the host are sub-agents of the token's agent. */
function sentOf({ agent, chain, callId, ...rest }: HostCall): SentCall {
  const mint = systemMint();
  const [, ...names] = [...chain, agent];
  const call: ToolCall = {
    ...rest,
    agent,
    chain: names.slice(0, -1),
    workspace: "default",
    callId: callId ?? mint.next("call"),
    traceId: mint.next("trace"),
    claims: {},
  };
  const named = names.at(-1);
  return named === undefined ? { call } : { call, agent: named };
}

/** For a call without an id of the host, the server looks for one with this content. */
function namedBody(call: HostCall): ReturnType<typeof bodyOf> {
  const { callId, ...rest } = bodyOf(sentOf(call));
  return call.callId === undefined || callId === undefined ? rest : { ...rest, callId };
}
