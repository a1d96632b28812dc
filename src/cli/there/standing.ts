import type { PauseScope } from "../../core/standing.ts";
import { NO_REASON, nameOf, scopeOf } from "../commands/pause.ts";
import { trackRecord } from "../commands/trust.ts";
import { first, type Given, text } from "../spec.ts";
import { personThere, type There } from "./server.ts";

/** Stopping takes a token; going on again takes a fresh sign-in. */
async function paused(given: Given, there: There, scope: PauseScope): Promise<number> {
  const by = await personThere(there, given);
  const set = await there.gate.pause(scope, { by, because: text(given, "because") ?? NO_REASON });
  given.out.answer(set, () => `${nameOf(scope)} is paused; lift it in ${there.pages.all}`);
  return 0;
}

export function pauseThere(given: Given, there: There): Promise<number> {
  return paused(given, there, scopeOf(given));
}

export function pauseAgentThere(given: Given, there: There): Promise<number> {
  return paused(given, there, { of: "agent", name: first(given) });
}

export function trustThere(given: Given, { gate }: There): Promise<number> {
  return trackRecord(given, (agent) => gate.trust.of(agent));
}
