import { say } from "../core/messages/message.ts";
import type { Receipt } from "../core/receipt.ts";
import { badInput } from "../service/refusal.ts";
import { within } from "../service/scope.ts";
import {
  callable,
  kindOf,
  listOf,
  maybe,
  NAME_LENGTH_MAX,
  object,
  parse,
  type Shape,
  shapeOf,
  textOf,
  whole,
} from "../service/shape.ts";
import { CALL, IDENTITY, type ReadCall } from "../service/shapes/call.ts";
import type { ToolFunction } from "./carry.ts";
import type { Entrance } from "./door.ts";
import type { Gate, WaitOptions } from "./gate.ts";
import { type Guarded, type GuardOptions, guard } from "./guard.ts";

// The parts of the interface that are the same for a gate in this program and on a server.

export function speaking(entrance: Entrance): Pick<Gate, "guard" | "as" | "current"> {
  const { scopes, agent } = entrance;
  return {
    guard: <Args extends object, T>(name: string, fn: ToolFunction<Args, T>, options?: GuardOptions) =>
      // With `notExecuted: "throw"` this value is never returned; the overload above says so, but this signature
      // cannot.
      guard(entrance, name, fn, options) as Guarded<Args, T>,
    as: (identity, fn) => {
      parse(callable(), fn, "fn");
      return scopes.within(within(scopes.current(), parse(IDENTITY, identity)), fn);
    },
    current: () => {
      const { layers: _, ...current } = scopes.current();
      return { agent, ...current };
    },
  };
}

export function sending(entrance: Entrance): Pick<Gate, "submit" | "submitAll" | "wait"> {
  return {
    submit: async (input) => (await entrance.submit(parse(CALL, input))).receipt,
    submitAll: async (inputs, how = {}) => {
      const { callId } = parse(object({ callId: maybe(batchName) }), how);
      // All are looked at before the first is sent: a malformed one must not leave half a batch behind.
      const said = parse(listOf(CALL), inputs, "inputs");
      for (const one of said) entrance.callOf(one);
      const named = said.map((one, n) => ({ ...one, ...callIdOf(one, n, callId) }));
      const receipts: Receipt[] = [];
      for (const one of named) receipts.push((await entrance.submit(one)).receipt);
      return receipts;
    },
    wait: async (approvalId, how = {}) =>
      entrance.wait(textOf(approvalId, "approvalId"), { timeoutMs: 60_000, ...parse(WAITING, how) }),
  };
}

function callIdOf(said: ReadCall, n: number, callId: string | undefined): { callId?: string } {
  return said.callId === undefined && callId !== undefined ? { callId: `${callId}-${n}` } : {};
}

/** Short enough that the number of each call still fits behind it. */
const batchName: Shape<string> = shapeOf({ type: "string" }, (value, path) =>
  textOf(value, path, NAME_LENGTH_MAX - 16),
);

const signal: Shape<AbortSignal> = shapeOf({}, (value, path) => {
  if (value instanceof AbortSignal) return value;
  throw badInput(path, say("refusal.no_signal", { kind: kindOf(value) }), say("hint.abort_signal"));
});
const WAITING: Shape<WaitOptions> = object({ timeoutMs: maybe(whole(0)), signal: maybe(signal) });
