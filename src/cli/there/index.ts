import { Failure } from "../failure.ts";
import type { CommandSpec, Given } from "../spec.ts";
import { answerThere } from "./answer.ts";
import {
  forgetToolThere,
  grantsThere,
  peopleThere,
  revokeGrantThere,
  revokeTokenThere,
  tokensThere,
  toolsThere,
  whyThere,
} from "./lists.ts";
import { checkThere, inboxThere, logThere, showThere } from "./reading.ts";
import { runThere } from "./run.ts";
import { type There, thereOf } from "./server.ts";
import { pauseAgentThere, pauseThere, trustThere } from "./standing.ts";
import { statusThere } from "./status.ts";

type ActThere = (given: Given, there: There) => Promise<number>;

/** What gives leeway or authority takes a person who just proved to be themself, and a token proves nothing of the kind. */
function inPages(page: string): ActThere {
  return async () => {
    const what = "this takes a fresh sign-in, and a token is none; nothing was done";
    throw new Failure(5, what, `sign in to the server's pages and do it under ${page}`);
  };
}

/** The commands that a server can answer. The others work on the database of this machine, and say so. */
const THERE: { readonly [command: string]: ActThere } = {
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
  why: whyThere,
  "grants list": grantsThere,
  "grants revoke": revokeGrantThere,
  "people list": peopleThere,
  "tokens list": tokensThere,
  "tokens revoke": revokeTokenThere,
  "tools list": toolsThere,
  "tools forget": forgetToolThere,
  "tools declare": inPages("Agents"),
  "grants add": inPages("Grants"),
  resume: inPages("Settings"),
  "agents resume": inPages("Agents"),
  "agents promote": inPages("Agents"),
  "people add": inPages("People"),
  "people change": inPages("People"),
  "people invite": inPages("People"),
  "people passphrase": inPages("People"),
  "people remove": inPages("People"),
  "tokens add": inPages("People"),
};

export async function actThere(spec: CommandSpec, given: Given): Promise<number> {
  const act = THERE[spec.name];
  const there = act === undefined ? undefined : thereOf(given);
  return act === undefined || there === undefined ? spec.act(given) : act(given, there);
}
