import { callsAt } from "../../client/calls.ts";
import { systemMint } from "../../system.ts";
import { type CallGiven, callOf } from "../calls.ts";
import { gated } from "../commands/run.ts";
import type { Given } from "../spec.ts";
import type { There } from "./server.ts";

/** The command runs here; whether it may is decided there. */
export function runThere(given: Given, { asking, pages }: There): Promise<number> {
  const making = { mint: systemMint(), workspace: "default" };
  const calls = callsAt(asking, given.io.clock, (input) => {
    const call = callOf(making, input as CallGiven);
    return { call, ...(input.agent === undefined ? {} : { agent: input.agent }) };
  });
  // Whether anybody can answer is the server's to know.
  const people = { why: (call: string) => pages.at(`/calls/${call}`), inbox: pages.at("/") };
  return gated(given, { ...calls, unanswerable: async () => undefined, people });
}
