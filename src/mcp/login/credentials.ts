import { say } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { ActiveLogin, ServerLogins } from "../../core/standing/server-login.ts";
import { renewedTokens } from "./authorization-server.ts";
import type { Challenge } from "./challenge.ts";

// The token for requests to one MCP server. It is read from the store for each request, because another process may have
// renewed it or signed in.

/** A person has to sign in, or to sign in again. */
export class LoginNeeded extends Error {
  override readonly name = "LoginNeeded";
}

export type Credentials = {
  /** Undefined if nobody has signed in. */
  token(): Promise<string | undefined>;
  /** Another token than the one that the server refused. */
  renewed(refused: string | undefined, challenge: Challenge): Promise<string>;
  /** The server has answered a request without a token. */
  notWanted(): void;
  /** The server refuses every token, also a new one. */
  refusedAgain(): LoginNeeded;
  /** The token does not allow this request. */
  lacking(challenge: Challenge): LoginNeeded;
  /** The server has asked for a login that it does not have now. */
  isNeeded(): boolean;
};

/** A token that expires so soon is renewed before it is used. */
const SOON_MS = 30_000;

type Place = { logins: ServerLogins; clock: { nowMs(): number }; server: string; url: string };

export function credentialsOf(
  { logins, clock }: Pick<Place, "logins" | "clock">,
  { server, url }: Pick<Place, "server" | "url">,
): Credentials {
  const place = { logins, clock, server, url };
  const found = () => logins.find(server, url);
  return {
    token: async () => {
      const login = found();
      if (login === undefined || login.state === "wanted") return undefined;
      if (login.state === "ended") throw needed(place);
      const { access, untilMs } = login.tokens;
      return untilMs !== undefined && untilMs - SOON_MS <= clock.nowMs() ? renew(place, access) : access;
    },
    renewed: async (refused, { scope }) => {
      if (refused !== undefined) return renew(place, refused);
      const login = found();
      if (login?.state === "active") return login.tokens.access;
      if (login === undefined)
        logins.keep({ state: "wanted", server, url, atMs: clock.nowMs(), ...(scope === undefined ? {} : { scope }) });
      throw needed(place);
    },
    notWanted: () => {
      if (found()?.state === "wanted") logins.forget(server, url);
    },
    refusedAgain: () => {
      const login = found();
      return login?.state === "active" ? ended(place, login) : needed(place);
    },
    lacking: ({ scope }) => {
      const login = found();
      if (login?.state === "active" && login.lacks !== scope) logins.keep({ ...login, lacks: scope ?? "" });
      return new LoginNeeded(textOf(say("gateway.login_lacks", { server }), "en"));
    },
    isNeeded: () => {
      const login = found();
      return login !== undefined && login.state !== "active";
    },
  };
}

function needed({ server }: Place): LoginNeeded {
  return new LoginNeeded(textOf(say("gateway.login_needed", { server }), "en"));
}

/** From now on nothing is sent to the server until somebody signs in again. */
function ended(place: Place, { by, issuer, tokens }: ActiveLogin): LoginNeeded {
  const { logins, clock, server, url } = place;
  const scope = tokens.scope === undefined ? {} : { scope: tokens.scope };
  logins.keep({ state: "ended", server, url, atMs: clock.nowMs(), by, issuer, ...scope });
  return needed(place);
}

function renew(place: Place, refused: string): Promise<string> {
  const { logins, clock, server, url } = place;
  return logins.alone(server, url, async () => {
    const login = logins.find(server, url);
    if (login?.state !== "active") throw needed(place);
    // Another request or process has renewed it meanwhile.
    if (login.tokens.access !== refused) return login.tokens.access;
    const tokens = await renewedTokens(login, clock.nowMs());
    if (tokens === "refused") throw ended(place, login);
    logins.keep({ ...login, tokens });
    return tokens.access;
  });
}
