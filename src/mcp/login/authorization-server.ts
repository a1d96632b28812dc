import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from "openid-client";
import type { ActiveLogin, LoginClient, LoginTokens } from "../../core/standing/server-login.ts";
import { scopeIn } from "./challenge.ts";
import { type GuardedFetch, guardedFetch, isLoopback, loginAddress } from "./guarded-fetch.ts";

// The authorization server of an MCP server: what it can do (RFC 8414), a client of it, and tokens from it.

/** Loaded on first use. */
const load = () => import("openid-client");

type Endpoints = { issuer: string; tokenEndpoint: string; revocationEndpoint?: string };

/** The metadata, after its addresses were checked. */
export async function discovered(issuer: string, serverUrl: string, fetch: GuardedFetch): Promise<ServerMetadata> {
  const { discovery, None, customFetch, allowInsecureRequests } = await load();
  // The guarded fetch then allows it for addresses of this machine only.
  const execute = isLoopback(new URL(serverUrl)) ? [allowInsecureRequests] : [];
  const found = await firstOf(["oauth2", "oidc"] as const, (algorithm) =>
    discovery(new URL(issuer), "leeway", undefined, None(), {
      algorithm,
      [customFetch]: fetchFor(fetch),
      execute,
    }),
  );
  const metadata = found.serverMetadata();
  for (const at of ["authorization_endpoint", "token_endpoint"] as const) {
    const address = metadata[at];
    if (address === undefined) throw new Error(`${issuer} names no ${at}`);
    loginAddress(address, serverUrl);
  }
  if (!metadata.supportsPKCE("S256")) throw new Error(`${issuer} does not say that it supports PKCE (S256)`);
  // Its methods are left behind.
  return JSON.parse(JSON.stringify(metadata));
}

/** Older servers only have the metadata of OpenID Connect. */
async function firstOf<A>(ways: readonly A[], act: (way: A) => Promise<Configuration>): Promise<Configuration> {
  const [way, ...others] = ways;
  if (way === undefined) throw new Error("there is no way (this is a bug)");
  try {
    return await act(way);
  } catch (error) {
    if (others.length === 0 || !isMissing(error)) throw error;
    return firstOf(others, act);
  }
}

function isMissing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Response && cause.status === 404;
}

function fetchFor(fetch: GuardedFetch): CustomFetch {
  return (url, { method, headers, body, signal }) =>
    fetch(url, { method, headers, ...(body ? { body: String(body) } : {}), ...(signal ? { signal } : {}) });
}

export async function configured(
  metadata: ServerMetadata,
  client: LoginClient,
  serverUrl: string,
  fetch: GuardedFetch,
): Promise<Configuration> {
  const openid = await load();
  const config = new openid.Configuration(metadata, client.id, undefined, await authenticationOf(client));
  config[openid.customFetch] = fetchFor(fetch);
  if (isLoopback(new URL(serverUrl))) openid.allowInsecureRequests(config);
  return config;
}

async function authenticationOf({ secret, sends }: LoginClient): Promise<ClientAuth> {
  const { ClientSecretPost, None } = await load();
  if (secret === undefined) return None();
  return sends === "post" ? ClientSecretPost(secret) : basic(secret);
}

/**
 * RFC 6749 2.3.1: both parts encoded as a form, then base64. The library's own also encodes `-`, `_`, `.` and `*`, which no form
 * does, and many servers do not decode what a form leaves as it is.
 */
function basic(secret: string): ClientAuth {
  return (_server, { client_id: id }, _body, headers) => {
    const pair = [id, secret].map(formEncoded).join(":");
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

/** Makes Leeway known to the authorization server (RFC 7591), for this address of the redirect. */
export async function registered(
  metadata: ServerMetadata,
  redirect: string,
  fetch: GuardedFetch,
): Promise<LoginClient> {
  const { registration_endpoint: endpoint, issuer } = metadata;
  if (endpoint === undefined)
    throw new Error(`${issuer} registers no clients by itself: register Leeway there, and write \`oauth.clientId\``);
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({
      client_name: "Leeway",
      redirect_uris: [redirect],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "native",
    }),
  });
  const said = response.ok ? await response.json().catch(() => undefined) : undefined;
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = Object(said);
  if (typeof id !== "string" || id === "") throw new Error(`${issuer} did not register Leeway (${response.status})`);
  const isSecret = typeof secret === "string" && secret !== "" && method !== "none";
  return { id, ...(isSecret ? { secret, sends: method === "client_secret_post" ? "post" : "basic" } : {}) };
}

/** How a client of the settings sends its secret: the usual way, unless the server only knows the other one. */
export function clientOf(metadata: ServerMetadata, { id, secret }: LoginClient): LoginClient {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const sends = methods.includes("client_secret_basic") ? "basic" : "post";
  return secret === undefined ? { id } : { id, secret, sends };
}

type TokenAnswer = {
  access_token: string;
  token_type: string;
  refresh_token?: string;
  scope?: string;
  expiresIn(): number | undefined;
};

export function tokensIn(answer: TokenAnswer, nowMs: number): LoginTokens {
  if (answer.token_type !== "bearer") throw new Error("the authorization server gave a token of an unknown type");
  const seconds = answer.expiresIn();
  const scope = scopeIn(answer.scope);
  return {
    access: answer.access_token,
    ...(answer.refresh_token === undefined ? {} : { refresh: answer.refresh_token }),
    ...(seconds === undefined ? {} : { untilMs: nowMs + seconds * 1000 }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** New tokens, or `refused` if the authorization server will never give any for this login. */
export async function renewedTokens(login: ActiveLogin, nowMs: number): Promise<LoginTokens | "refused"> {
  const { refresh, scope } = login.tokens;
  if (refresh === undefined) return "refused";
  const { refreshTokenGrant } = await load();
  const config = await configured(metadataOf(login), login.client, login.url, guardedFetch(login.url));
  try {
    const answer = await refreshTokenGrant(config, refresh, { resource: login.resource });
    return { refresh, ...(scope === undefined ? {} : { scope }), ...tokensIn(answer, nowMs) };
  } catch (error) {
    if (FINAL.includes(errorCode(error) ?? "")) return "refused";
    throw new Error(`the tokens could not be renewed: ${plainReason(error)}`);
  }
}

const FINAL = ["invalid_grant", "invalid_client", "unauthorized_client"];

function metadataOf({ issuer, tokenEndpoint, revocationEndpoint }: Endpoints): ServerMetadata {
  return {
    issuer,
    token_endpoint: tokenEndpoint,
    ...(revocationEndpoint === undefined ? {} : { revocation_endpoint: revocationEndpoint }),
  };
}

/** Tells the authorization server that the tokens are no longer used. False if it cannot be told. */
export async function revoked(login: ActiveLogin): Promise<boolean> {
  if (login.revocationEndpoint === undefined) return false;
  const { tokenRevocation } = await load();
  const config = await configured(metadataOf(login), login.client, login.url, guardedFetch(login.url));
  try {
    await tokenRevocation(config, login.tokens.refresh ?? login.tokens.access);
    return true;
  } catch {
    return false;
  }
}

/** The code of an error of OAuth, such as `access_denied`. */
function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "error" in error ? error.error : undefined;
  return typeof code === "string" && /^[a-z_]{1,60}$/.test(code) ? code : undefined;
}

/** Why something failed. The texts of errors are those of libraries: nothing that the other side wrote is repeated. */
export function plainReason(error: unknown): string {
  const code = errorCode(error);
  if (code !== undefined) return `the authorization server answers ${code}`;
  let found = error;
  for (let deep = 0; deep < CAUSES_MAX && found instanceof Error && found.cause instanceof Error; deep++)
    found = found.cause;
  return found instanceof Error ? found.message : "unknown";
}

const CAUSES_MAX = 5;
