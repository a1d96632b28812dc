import type { ToolCall } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import type { CallbackReply, PolicyCallback as GateCallback } from "../gate/deps.ts";
import type { PolicyCallback } from "./callbacks.ts";
import { errorText } from "./carry.ts";
import { textOf } from "./input.ts";
import { badInput } from "./refusal.ts";

/** A callback decides; it does not deliberate. A person is asked by `ask`, which may take its time. */
export const CALLBACK_MS = 30_000;

const ANSWERS: readonly string[] = ["allow", "deny", "ask"];

/** The program's callback as the gate may call it: when it cannot answer, it denies. */
export function bounded(callback: PolicyCallback): GateCallback {
  const { name, supportsInteraction } = callback;
  textOf(name, "callback/name");
  if (typeof supportsInteraction !== "boolean") {
    throw badInput(
      "callback/supportsInteraction",
      "it is neither true nor false",
      "say whether there is somebody to ask",
    );
  }
  return { name, supportsInteraction, decide: (call, effect) => decided(callback, call, effect) };
}

async function decided(callback: PolicyCallback, call: ToolCall, effect: Effect): Promise<CallbackReply | undefined> {
  try {
    // Copies: what is judged and recorded must not be what a callback may have changed.
    const answer = await inTime(callback.decide?.({ call: structuredClone(call), effect: structuredClone(effect) }));
    if (answer === undefined || ANSWERS.includes(answer?.answer)) return answer;
    return broken(`it answered ${JSON.stringify(answer)}`);
  } catch (error) {
    return broken(errorText(error));
  }
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
