import { timingSafeEqual } from "node:crypto";
import type { ActiveLogin, LoginClient, ServerLogin } from "../../core/standing/server-login.ts";
import { clientOf, configured, discovered, plainReason, registered, tokensIn } from "./authorization-server.ts";
import { scopesTogether } from "./challenge.ts";
import { type GuardedFetch, guardedFetch } from "./guarded-fetch.ts";
import { protectedResource } from "./protected-resource.ts";

// A login, from the address at which a person signs in to the tokens. The verifier and the state never leave this process.

export type LoginServer = {
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** What the settings say about the login. */
  oauth?: { clientId?: string; clientSecret?: string; scope?: string; resource?: string };
};

export type BegunLogin = {
  issuer: string;
  /** Where the person signs in. */
  address: string;
  /** What the person is asked to allow. */
  scope?: string;
  /** The redirect belongs to this login. */
  isAnswer(came: URL): boolean;
  /** What the redirect brought becomes a login of this person. */
  finish(came: URL, by: string, nowMs: number): Promise<ActiveLogin>;
};

export async function beginLogin(
  server: LoginServer,
  redirect: string,
  earlier: ServerLogin | undefined,
): Promise<BegunLogin> {
  const { url, oauth = {} } = server;
  const fetch = guardedFetch(url);
  const { resource, issuer, scope: wanted } = await named(protectedResource(server, fetch));
  const metadata = await named(discovered(issuer, url, fetch));
  const client = await named(clientFor(metadata, oauth, redirect, fetch));
  const openid = await import("openid-client");
  const { authorizationCodeGrant } = openid;
  const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  const scope = scopeFor(metadata.scopes_supported, [oauth.scope ?? wanted, ...earlierScopes(earlier)]);
  const config = await configured(metadata, client, url, fetch);
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    state,
    resource,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(scope === undefined ? {} : { scope }),
    // Without it, servers of OpenID Connect give no token for renewing.
    ...(scope?.split(" ").includes(OFFLINE) ? { prompt: "consent" } : {}),
  }).href;
  return {
    issuer,
    address,
    ...(scope === undefined ? {} : { scope }),
    isAnswer: (came) => isSame(came.searchParams.get("state") ?? "", state),
    finish: async (came, by, nowMs) => {
      // Only what the redirect brought is used; a pasted address could name another place.
      const answer = new URL(redirect);
      answer.search = came.search;
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      const given = await named(authorizationCodeGrant(config, answer, checks, { resource }));
      const tokens = { ...(scope === undefined ? {} : { scope }), ...tokensIn(given, nowMs) };
      const made = { server: server.name, url, atMs: nowMs, by, resource, client, tokens };
      return { state: "active", ...made, ...endpointsIn(metadata) };
    },
  };
}

function endpointsIn({ issuer, token_endpoint: tokenEndpoint = "", revocation_endpoint: at }: Metadata) {
  return { issuer, tokenEndpoint, ...(at === undefined ? {} : { revocationEndpoint: at }) };
}

type Metadata = Awaited<ReturnType<typeof discovered>>;

function clientFor(
  metadata: Metadata,
  { clientId: id, clientSecret: secret }: NonNullable<LoginServer["oauth"]>,
  redirect: string,
  fetch: GuardedFetch,
): Promise<LoginClient> {
  if (id === undefined) return registered(metadata, redirect, fetch);
  return Promise.resolve(clientOf(metadata, secret === undefined ? { id } : { id, secret }));
}

/** With the reason of a failure as a person reads it. */
function named<T>(step: Promise<T>): Promise<T> {
  return step.catch((error: unknown) => {
    throw new Error(plainReason(error));
  });
}

const OFFLINE = "offline_access";

function scopeFor(supported: readonly string[] | undefined, scopes: readonly (string | undefined)[]) {
  const wanted = scopesTogether(...scopes);
  return wanted !== undefined && supported?.includes(OFFLINE) ? scopesTogether(wanted, OFFLINE) : wanted;
}

/** What an earlier login had, and what was missing then. */
function earlierScopes(login: ServerLogin | undefined): readonly (string | undefined)[] {
  if (login?.state !== "active") return [login?.scope];
  return login.lacks === undefined ? [] : [login.tokens.scope, login.lacks];
}

function isSame(shown: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(shown), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
