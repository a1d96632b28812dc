import type { CommandSpec, Given } from "../spec.ts";
import { answerThere } from "./answer.ts";
import { checkThere, inboxThere, logThere, showThere } from "./reading.ts";
import { runThere } from "./run.ts";
import { type There, thereOf } from "./server.ts";
import { pauseAgentThere, pauseThere, trustThere } from "./standing.ts";
import { statusThere } from "./status.ts";

/** The commands that a server can answer. The others work on the database of this machine, and say so. */
const THERE: { readonly [command: string]: (given: Given, there: There) => Promise<number> } = {
  status: statusThere,
  check: checkThere,
  run: runThere,
  inbox: inboxThere,
  approve: (given, there) => answerThere(given, there, "approve"),
  deny: (given, there) => answerThere(given, there, "deny"),
  show: showThere,
  log: logThere,
  trust: trustThere,
  pause: pauseThere,
  "agents pause": pauseAgentThere,
};

export async function actThere(spec: CommandSpec, given: Given): Promise<number> {
  const act = THERE[spec.name];
  const there = act === undefined ? undefined : thereOf(given);
  return act === undefined || there === undefined ? spec.act(given) : act(given, there);
}
