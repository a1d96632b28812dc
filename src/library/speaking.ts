import type { Receipt } from "../core/receipt.ts";
import { type CallInput, identityOf } from "../service/input.ts";
import { badInput } from "../service/refusal.ts";
import { within } from "../service/scope.ts";
import {
  type Check,
  callable,
  checked,
  kindOf,
  listOf,
  maybe,
  NAME_LENGTH_MAX,
  type Shape,
  textOf,
  whole,
} from "../service/shape.ts";
import type { ToolFunction } from "./carry.ts";
import type { Entrance } from "./door.ts";
import type { Gate, WaitOptions } from "./gate.ts";
import { type Guarded, type GuardOptions, guard } from "./guard.ts";

// What a program says to a gate in the same way, whether the gate is in this program or behind an address.

export function speaking(entrance: Entrance): Pick<Gate, "guard" | "as" | "current"> {
  const { scopes, agent } = entrance;
  return {
    guard: <Args extends object, T>(name: string, fn: ToolFunction<Args, T>, options?: GuardOptions) =>
      // With `notExecuted: "throw"` the value never comes, which the overload above says and this one cannot.
      guard(entrance, name, fn, options) as Guarded<Args, T>,
    as: (identity, fn) => {
      callable(fn, "fn");
      return scopes.within(within(scopes.current(), identityOf(identity)), fn);
    },
    current: () => {
      const { layers: _, ...current } = scopes.current();
      return { agent, ...current };
    },
  };
}

export function sending(entrance: Entrance): Pick<Gate, "submit" | "submitAll" | "wait"> {
  return {
    submit: async (input) => (await entrance.submit(input)).receipt,
    submitAll: async (inputs, how = {}) => {
      const { callId } = checked(how, { callId: maybe(batchName) });
      // All are looked at before the first is sent: a malformed one must not leave half a batch behind.
      listOf((input, path) => void entrance.callOf(input as CallInput, path))(inputs, "inputs");
      const named = inputs.map((input, n) => ({ ...input, ...callIdOf(input, n, callId) }));
      const receipts: Receipt[] = [];
      for (const input of named) receipts.push((await entrance.submit(input)).receipt);
      return receipts;
    },
    wait: async (approvalId, how = {}) =>
      entrance.wait(textOf(approvalId, "approvalId"), { timeoutMs: 60_000, ...checked(how, WAITING) }),
  };
}

function callIdOf(input: CallInput, n: number, callId: string | undefined): { callId?: string } {
  return input.callId === undefined && callId !== undefined ? { callId: `${callId}-${n}` } : {};
}

/** Short enough that the number of each call still fits behind it. */
const batchName: Check = (value, path) => void textOf(value, path, NAME_LENGTH_MAX - 16);

const WAITING: Shape<WaitOptions> = {
  timeoutMs: maybe(whole(0)),
  signal: maybe((value, path) => {
    if (!(value instanceof AbortSignal))
      throw badInput(path, `${kindOf(value)} is not a signal`, "give an AbortSignal");
  }),
};
