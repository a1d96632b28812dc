import { isObject, type JsonObject, toJson } from "../../core/values/json.ts";
import { type Challenge, challengeIn, scopeIn } from "./challenge.ts";
import { type GuardedFetch, loginAddress } from "./guarded-fetch.ts";

// What a protected MCP server says about itself (RFC 9728): who makes tokens for it, and what it calls itself. What cannot
// be read is an error. Nothing is guessed, because a guess would send a person to a server that nobody named.

export type ProtectedResource = {
  /** What the server calls itself; tokens are asked for with this name. */
  resource: string;
  /** The authorization server. */
  issuer: string;
  /** What the server wants to be allowed, if it says so. */
  scope?: string;
};

type Server = { url: string; headers: Readonly<Record<string, string>>; oauth?: { resource?: string } };

export async function protectedResource(server: Server, fetch: GuardedFetch): Promise<ProtectedResource> {
  const challenge = await challengeOf(server, fetch);
  const said = await metadataOf(server.url, challenge, fetch);
  const { resource, authorization_servers: issuers, scopes_supported: scopes } = said;
  const no = typeof resource === "string" ? refusal(resource, server) : OTHER;
  if (typeof resource !== "string" || no !== undefined) throw new Error(no);
  const [issuer] = Array.isArray(issuers) ? issuers : [];
  if (typeof issuer !== "string") throw new Error("the MCP server does not say where people sign in");
  const scope = challenge.scope ?? (Array.isArray(scopes) ? scopeIn(scopes.join(" ")) : undefined);
  return { resource, issuer: checkedIssuer(issuer, server.url), ...(scope === undefined ? {} : { scope }) };
}

const PING = JSON.stringify({ jsonrpc: "2.0", id: "leeway:login", method: "ping", params: {} });

/** A request without a token, to hear what the server wants. */
async function challengeOf({ url, headers }: Server, fetch: GuardedFetch): Promise<Challenge> {
  const accept = "application/json, text/event-stream";
  const own = { ...headers, "content-type": "application/json", accept };
  const response = await fetch(url, { method: "POST", headers: own, body: PING });
  return response.status === 401 ? challengeIn(response.headers) : {};
}

async function metadataOf(url: string, { resourceMetadata }: Challenge, fetch: GuardedFetch): Promise<JsonObject> {
  const places = resourceMetadata === undefined ? wellKnown(url) : [resourceMetadata];
  for (const place of places) {
    const response = await fetch(place, { headers: { accept: "application/json" } });
    if (response.status === 404 && resourceMetadata === undefined) continue;
    if (!response.ok) throw new Error(`what the MCP server says about itself has the status ${response.status}`);
    const said = jsonIn(await response.text());
    if (said === undefined) throw new Error("what the MCP server says about itself is not a JSON object");
    return said;
  }
  throw new Error("the MCP server does not say where people sign in (RFC 9728); it may not need a login");
}

function wellKnown(url: string): readonly string[] {
  const { pathname, origin } = new URL(url);
  const at = `${origin}/.well-known/oauth-protected-resource`;
  return pathname === "/" ? [at] : [`${at}${pathname.replace(/\/$/, "")}`, at];
}

function jsonIn(text: string): JsonObject | undefined {
  try {
    const read = toJson(JSON.parse(text));
    return read.ok && isObject(read.value) ? read.value : undefined;
  } catch {
    return undefined;
  }
}

const OTHER = "the MCP server describes another server than itself, so no token is asked for it";

/**
 * Why no token is asked for under this name. It must be the address of the server itself: with a token for a larger whole, such
 * as its host, the server could use everything else there. A person may know that the whole belongs to the server.
 */
function refusal(resource: string, { url, oauth }: Server): string | undefined {
  if (!isPartOf(resource, url)) return OTHER;
  const named = oauth?.resource;
  if (isSameAddress(resource, named ?? url)) return undefined;
  if (named !== undefined) return `the MCP server calls itself ${resource}, and \`oauth.resource\` says ${named}`;
  return (
    `the MCP server ${url} calls itself ${resource}. With a token for that name it could use everything there, so none is asked for. ` +
    `If all of it belongs to this server, write \`"oauth": { "resource": "${resource}" }\` for it in mcp.json`
  );
}

/** A slash at the end makes no difference. */
function isSameAddress(one: string, other: string): boolean {
  const plain = (text: string) => {
    if (!URL.canParse(text)) return undefined;
    const { origin, pathname, search, hash } = new URL(text);
    return `${origin}${pathname.replace(/\/$/, "")}${search}${hash}`;
  };
  return plain(one) !== undefined && plain(one) === plain(other);
}

/** The server itself, or a larger whole at the same origin that it belongs to. */
function isPartOf(resource: string, url: string): boolean {
  if (!URL.canParse(resource)) return false;
  const [whole, server] = [new URL(resource), new URL(url)];
  const folder = (path: string) => (path.endsWith("/") ? path : `${path}/`);
  return whole.origin === server.origin && folder(server.pathname).startsWith(folder(whole.pathname));
}

/** An address of the metadata itself in place of the issuer would switch off the check that both belong together. */
function checkedIssuer(issuer: string, serverUrl: string): string {
  const { pathname, search, hash } = loginAddress(issuer, serverUrl);
  if (search !== "" || hash !== "" || pathname.includes("/.well-known/"))
    throw new Error("the MCP server names an address for signing in that is not an issuer");
  return issuer;
}
