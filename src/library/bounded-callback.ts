import type { ToolCall } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import type { CallbackGrant, CallbackReply, NamedCallback as GateCallback } from "../gate/deps.ts";
import { cover } from "../service/covers.ts";
import { badInput } from "../service/refusal.ts";
import {
  type Check,
  callable,
  checked,
  flag,
  kindOf,
  maybe,
  note,
  objectLike,
  oneOf,
  reason,
  type Shape,
  shaped,
  textOf,
  whole,
} from "../service/shape.ts";
import type { PolicyCallback, PolicyReply } from "./callbacks.ts";
import { errorText } from "./carry.ts";

/** A callback decides; it does not deliberate. A person is asked by `ask`, which may take its time. */
export const CALLBACK_MS = 30_000;

const GRANT: Shape<CallbackGrant> = {
  covers: cover,
  because: reason,
  session: maybe(flag),
  untilMs: maybe(whole(0)),
  uses: maybe(whole(1)),
};
type ReplyOf<A extends CallbackReply["answer"]> = Extract<CallbackReply, { answer: A }>;
const named: Check = () => {};
const REPLIES: { readonly [A in CallbackReply["answer"]]: Shape<ReplyOf<A>> } = {
  allow: { answer: named, grant: maybe(objectLike(GRANT)) },
  deny: { answer: named, reason: maybe(note) },
  ask: { answer: named },
};

const KEYS: readonly (keyof PolicyCallback)[] = ["name", "supportsInteraction", "grants", "decide", "ask"];

/** The program's callback as the gate may call it: when it cannot answer, it denies. */
export function bounded(callback: PolicyCallback, nowMs: number): GateCallback {
  const { name, supportsInteraction, grants, decide, ask } = shaped(callback, KEYS, "callback");
  textOf(name, "callback/name");
  if (typeof supportsInteraction !== "boolean") {
    throw badInput(
      "callback/supportsInteraction",
      "it is neither true nor false",
      "say whether there is somebody to ask",
    );
  }
  maybe(callable)(decide, "callback/decide");
  maybe(callable)(ask, "callback/ask");
  if (grants !== undefined) namedGrants(grants, nowMs);
  return {
    name: callback.name,
    supportsInteraction,
    decide: (call, effect) => decided(callback, call, effect),
  };
}

function namedGrants(grants: unknown, nowMs: number): void {
  if (typeof grants !== "object" || grants === null || Array.isArray(grants)) {
    throw badInput("callback/grants", `${kindOf(grants)} is no table of grants`, "give each grant a name");
  }
  for (const [name, grant] of Object.entries<CallbackGrant>({ ...grants })) {
    objectLike(GRANT)(grant, `callback/grants/${name}`);
    if ((grant.untilMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      throw badInput(`callback/grants/${name}/untilMs`, "it would have ended already", "name a time to come, or none");
    }
  }
}

async function decided(callback: PolicyCallback, call: ToolCall, effect: Effect): Promise<CallbackReply | undefined> {
  try {
    // Copies: what is judged and recorded must not be what a callback may have changed.
    const answer = await inTime(callback.decide?.({ call: structuredClone(call), effect: structuredClone(effect) }));
    return answer === undefined ? undefined : replyOf(withGrant(answer, callback));
  } catch (error) {
    return broken(errorText(error));
  }
}

/** The grant that the answer names, in the place of its name. */
function withGrant(reply: PolicyReply, { grants = {} }: PolicyCallback): CallbackReply {
  if (typeof reply !== "object" || reply === null || !("grant" in reply) || typeof reply.grant !== "string") {
    return reply as CallbackReply;
  }
  oneOf(Object.keys(grants))(reply.grant, "its answer/grant");
  const grant = grants[reply.grant];
  return grant === undefined ? { answer: reply.answer } : { answer: reply.answer, grant };
}

/** A mistyped yes is no yes, and a grant that nobody can read is none. */
function replyOf(reply: CallbackReply): CallbackReply {
  const { answer } = shaped(reply, ["answer", "grant", "reason"], "its answer");
  oneOf(Object.keys(REPLIES))(answer, "its answer/answer");
  return checked(reply, REPLIES[reply.answer] as Shape<CallbackReply>, "its answer");
}

function broken(why: string): CallbackReply {
  return { answer: "deny", reason: `the policy callback broke: ${why}` };
}

async function inTime<T>(answer: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CALLBACK_MS} ms`)), CALLBACK_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
