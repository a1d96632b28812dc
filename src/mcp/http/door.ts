import type { IncomingMessage } from "node:http";
import { say } from "../../core/messages/message.ts";
import type { Token } from "../../core/people.ts";
import type { Deps } from "../../gate/deps.ts";
import { tokenOf } from "../../gate/people/tokens.ts";
import { givenTwice } from "../../http/connection/given-twice.ts";
import type { ServerNames } from "../../http/connection/names.ts";
import type { TokenGuesses } from "../../http/identity/token-guesses.ts";
import { bearerOf, type Requester, whoIs } from "../../http/identity/who.ts";
import { LeewayRefusal } from "../../service/refusal.ts";

// Who may use the gateway over HTTP: an agent with its token, and no page of another site.

export type Entered = {
  who: Extract<Requester, { is: "agent" }>;
  agent: string;
  token: Token["id"];
  /** The token is still valid. */
  isProven(): Promise<boolean>;
};

type Door = { deps: Deps; names: Pick<ServerNames, "hosts" | "origins">; guesses: TokenGuesses };

/** Throws why a request may not enter. */
export async function entered({ deps, names, guesses }: Door, request: IncomingMessage): Promise<Entered> {
  const headers = request.headers as Record<string, string | undefined>;
  const unclear = givenTwice(request.rawHeaders);
  if (unclear !== undefined) throw unclear;
  const isElsewhere = wrongHost(headers["host"], names.hosts) ?? foreignOrigin(headers["origin"], names.origins);
  if (isElsewhere !== undefined) throw isElsewhere;
  const { authorization } = headers;
  const who = await whoIs(deps, { authorization }, "");
  if (who.is === "agent") {
    const text = bearerOf(authorization);
    const isProven = async () => (await tokenOf(deps, text)) !== undefined;
    return { who, agent: who.agent, token: who.token.id, isProven };
  }
  if (who.is === "person")
    throw new LeewayRefusal({
      code: "LEEWAY_FORBIDDEN",
      reason: say("gateway.person_token"),
      hint: say("gateway.make_agent_token"),
    });
  if (authorization !== undefined) {
    const address = request.socket.remoteAddress ?? "";
    const locked = guesses.refusal(address);
    if (locked !== undefined) throw locked;
    guesses.count(address);
  }
  const reason = say(authorization === undefined ? "gateway.no_token" : "gateway.bad_token");
  throw new LeewayRefusal({ code: "LEEWAY_UNAUTHENTICATED", reason, hint: say("gateway.make_agent_token") });
}

/** A request with another host name came through an address of somebody else (DNS rebinding). */
function wrongHost(host: string | undefined, hosts: ReadonlySet<string>): LeewayRefusal | undefined {
  if (host !== undefined && hosts.has(host.toLowerCase())) return undefined;
  const reason = say("refusal.wrong_host", { host: host ?? say("refusal.no_host") });
  return new LeewayRefusal({ code: "LEEWAY_CROSS_SITE", reason, hint: say("gateway.printed_address") });
}

/** No page uses the gateway, so a request that a browser sends for a page of another site is refused with any token. */
function foreignOrigin(origin: string | undefined, origins: ReadonlySet<string>): LeewayRefusal | undefined {
  if (origin === undefined || origins.has(origin)) return undefined;
  const reason = say("refusal.came_from", { origin });
  return new LeewayRefusal({ code: "LEEWAY_CROSS_SITE", reason, hint: say("gateway.no_pages") });
}
