import { isLoopbackHost } from "../../http/connection/listening.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { Failure } from "../failure.ts";
import { decidingServer } from "../gate/agent-token.ts";
import { namedServer } from "../gate/named-server.ts";
import type { CommandInput } from "../spec.ts";
import type { Finding } from "./finding.ts";
import { hostChecks } from "./hosts.ts";
import { readiness } from "./live.ts";
import { overrideChecks } from "./still.ts";

// `leeway doctor` where a server decides: whether it answers, what its token may do, and whether the hooks here ask it.

export async function namedServerChecks(given: CommandInput): Promise<Finding[]> {
  const { url } = namedServer(given);
  const said = await readiness(url);
  const isReady = said === "ready";
  const answers: Finding = isReady
    ? { what: "server", state: "ok", says: `${url} answers` }
    : { what: "server", state: "bad", says: `${url}: ${said}`, hint: "start it, or correct LEEWAY_URL" };
  return [
    answers,
    ...openConnection(url),
    ...(isReady ? [await tokenCheck(given)] : []),
    NO_BOXES,
    ...(await hostChecks(given)),
    ...overrideChecks(given.io.env),
  ];
}

/** The server decides without seeing this machine's files, so it cannot decide about what a command would change in them. */
const NO_BOXES: Finding = {
  what: "box",
  state: "warn",
  says: "where a server decides, commands do not run in boxes, so people are asked more often",
  hint: "unset LEEWAY_URL and LEEWAY_TOKEN to decide here, with boxes",
};

/** Whoever stands between this machine and a server without TLS can answer for the server. */
function openConnection(url: string): Finding[] {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || isLoopbackHost(hostname.replace(/^\[|\]$/g, ""))) return [];
  return [
    {
      what: "server",
      state: "warn",
      says: `${url} is reached without encryption: whoever is in between can read the token, and let calls run`,
      hint: "put a proxy with TLS in front of the server, and use its address",
    },
  ];
}

async function tokenCheck(given: CommandInput): Promise<Finding> {
  try {
    const url = await decidingServer(given);
    return { what: "token", state: "ok", says: `${url} decides calls for this token, and lets no unknown tool run` };
  } catch (error) {
    if (error instanceof Failure) return { what: "token", state: "bad", says: error.message, hint: error.hint };
    if (error instanceof LeewayRefusal) return { what: "token", state: "bad", says: error.reason, hint: error.hint };
    throw error;
  }
}
