import { callsAt } from "../../client/calls.ts";
import { saidOf } from "../../core/show/card.ts";
import { systemMint } from "../../system.ts";
import { type CallGiven, callOf } from "../calls.ts";
import type { Io } from "../terminal/io.ts";
import { checkedOf } from "../views/texts.ts";
import type { CheckedCall, CommandCalls } from "./command-gate.ts";
import type { NamedServer } from "./named-server.ts";

// A server decides the calls of this machine. The command itself runs here.

export async function judgedAt({ gate }: NamedServer, io: Io, given: CallGiven): Promise<CheckedCall> {
  const { decision, effect } = await gate.check(given);
  const call = callOf(calledHere(), { ...given, agent: given.agent ?? "the token's" });
  return { checked: checkedOf(decision, effect), call, said: saidOf(call, effect, io.cwd) };
}

export function serverCalls({ asking }: NamedServer, io: Io): CommandCalls {
  const here = calledHere();
  const calls = callsAt(asking, io.clock, (given: CallGiven) => {
    const call = callOf(here, given);
    return given.agent === undefined ? { call } : { call, agent: given.agent };
  });
  // Only the server knows whether anybody can answer.
  return { ...calls, unanswerable: async () => undefined };
}

function calledHere() {
  return { mint: systemMint(), workspace: "default" };
}
