import type { PersonName } from "../ids.ts";

// A person has signed in at an MCP server behind the gateway, so that the gateway uses it in their name.

/** The client as which Leeway is known to an authorization server. */
export type LoginClient = { id: string; secret?: string; sends?: "basic" | "post" };

export type LoginTokens = {
  access: string;
  refresh?: string;
  /** When the access token expires, if the authorization server said so. */
  untilMs?: number;
  /** What the token allows, as far as it is known. */
  scope?: string;
};

/** The login of one MCP server: `server` is its name in the settings, `url` the only address that gets its token. */
export type ServerLogin = { server: string; url: string; atMs: number } & (
  | {
      /** The server wants somebody to sign in, and nobody has. */
      state: "wanted";
      scope?: string;
    }
  | {
      state: "active";
      by: PersonName;
      /** Who made the tokens. Renewing goes to this token endpoint only, whatever the MCP server says later. */
      issuer: string;
      tokenEndpoint: string;
      revocationEndpoint?: string;
      /** What the tokens are for, as the server calls itself. */
      resource: string;
      client: LoginClient;
      tokens: LoginTokens;
      /** The server refused a call because this is missing. */
      lacks?: string;
    }
  | {
      /** The tokens have expired or were refused, so somebody has to sign in again. */
      state: "ended";
      by: PersonName;
      issuer: string;
      scope?: string;
    }
);

export type ActiveLogin = Extract<ServerLogin, { state: "active" }>;

/** The logins of this machine. Everything in them is secret, so it is stored encrypted. */
export interface ServerLogins {
  find(server: string, url: string): ServerLogin | undefined;
  list(): readonly ServerLogin[];
  keep(login: ServerLogin): void;
  /** False if there was none. */
  forget(server: string, url: string): boolean;
  /** Only one process at a time does this for one server: a token for renewing often works once. */
  alone<T>(server: string, url: string, act: () => Promise<T>): Promise<T>;
}

/** How a login stands, as people see it. */
export type LoginState = "signed-in" | "needs-sign-in" | "expired" | "needs-more-rights";

export function loginState(login: ServerLogin, nowMs: number): LoginState {
  if (login.state !== "active") return login.state === "wanted" ? "needs-sign-in" : "expired";
  const { refresh, untilMs } = login.tokens;
  if (refresh === undefined && untilMs !== undefined && untilMs <= nowMs) return "expired";
  return login.lacks === undefined ? "signed-in" : "needs-more-rights";
}
