import type { ToolCall } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import { say } from "../core/messages/message.ts";
import { inEnglish } from "../core/messages/text.ts";
import type { CallbackGrant, CallbackReply, NamedCallback as GateCallback } from "../gate/deps.ts";
import { badInput } from "../service/refusal.ts";
import {
  callable,
  choice,
  flag,
  inside,
  kindOf,
  maybe,
  note,
  object,
  oneOf,
  parse,
  reason,
  type Shape,
  shapeOf,
  text,
  whole,
} from "../service/shape.ts";
import { cover } from "../service/shapes/covers.ts";
import type { PolicyCallback, PolicyReply } from "./callbacks.ts";
import { errorText } from "./guard.ts";

/** The time limit of a callback. It decides at once; a person is asked with `ask`, which may take long. */
export const CALLBACK_MS = 30_000;

/** False means the same as leaving it out. */
const yes: Shape<true | undefined> = shapeOf(flag.schema, (value, path, source) =>
  flag.read(value, path, source) ? true : undefined,
);

const GRANT: Shape<CallbackGrant> = object({
  covers: cover,
  because: reason,
  session: maybe(yes),
  untilMs: maybe(whole(0)),
  uses: maybe(whole(1)),
});
const REPLY: Shape<CallbackReply> = choice("answer", {
  allow: { grant: maybe(GRANT) },
  deny: { reason: maybe(note) },
  ask: {},
});

const interaction: Shape<boolean> = shapeOf({ type: "boolean" }, (value, path) => {
  if (typeof value === "boolean") return value;
  throw badInput(path, say("refusal.neither_true_nor_false"), say("hint.say_whether_attended"));
});

/** A callback of the program, whose functions may use `this`. A grant of it that has ended already is refused. */
export function callbackAt(nowMs: number): Shape<PolicyCallback> {
  const shape = object({
    name: text,
    supportsInteraction: interaction,
    grants: maybe(grantsAt(nowMs)),
    decide: maybe(callable<NonNullable<PolicyCallback["decide"]>>()),
    ask: maybe(callable<NonNullable<PolicyCallback["ask"]>>()),
  });
  return shapeOf({}, (value, path, source) => {
    const { decide, ask, ...rest } = shape.read(value, path, source);
    return {
      ...rest,
      ...(decide === undefined ? {} : { decide: (asked) => decide.call(value, asked) }),
      ...(ask === undefined ? {} : { ask: (question) => ask.call(value, question) }),
    };
  });
}

function grantsAt(nowMs: number): Shape<Readonly<Record<string, CallbackGrant>>> {
  return shapeOf({ type: "object" }, (value, path, source) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw badInput(path, say("refusal.no_table_of_grants", { kind: kindOf(value) }), say("hint.grant_names"));
    }
    const grants = Object.entries(value).map(([name, given]): [string, CallbackGrant] => {
      const at = inside(path, name);
      const grant = GRANT.read(given, at, source);
      if ((grant.untilMs ?? Number.POSITIVE_INFINITY) > nowMs) return [name, grant];
      throw badInput(inside(at, "untilMs"), say("refusal.ended_already"), say("hint.time_to_come"));
    });
    return Object.fromEntries(grants);
  });
}

/** The program's callback as the gate may call it: if it cannot answer, the call is denied. */
export function bounded(callback: PolicyCallback): GateCallback {
  const { name, supportsInteraction } = callback;
  return { name, supportsInteraction, decide: (call, effect) => decided(callback, call, effect) };
}

async function decided(callback: PolicyCallback, call: ToolCall, effect: Effect): Promise<CallbackReply | undefined> {
  try {
    // Copies, so that a callback cannot change what is judged and recorded.
    const answer = await inTime(callback.decide?.({ call: structuredClone(call), effect: inEnglish(effect) }));
    return answer === undefined ? undefined : parse(REPLY, withGrant(answer, callback), "its answer");
  } catch (error) {
    return broken(errorText(error));
  }
}

/**
 * The answer, with the grant itself instead of its name. The shape checks the answer: a mistyped approval is not an
 * approval, and an invalid grant is not a grant.
 */
function withGrant(reply: PolicyReply, { grants = {} }: PolicyCallback): unknown {
  if (typeof reply !== "object" || reply === null || !("grant" in reply) || typeof reply.grant !== "string") {
    return reply;
  }
  const grant = grants[parse(oneOf(Object.keys(grants)), reply.grant, "its answer/grant")];
  return grant === undefined ? { answer: reply.answer } : { answer: reply.answer, grant };
}

function broken(why: string): CallbackReply {
  return { answer: "deny", reason: say("reason.callback_broke", { why }) };
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
