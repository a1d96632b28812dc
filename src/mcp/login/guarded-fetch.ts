import { lookup } from "node:dns/promises";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { isNear, nearby } from "../../runners/addresses.ts";

// Requests of a login. Their addresses come from the MCP server and from what it names, so they are checked: a server
// elsewhere cannot make this machine talk to its own network, and nothing goes over the network in the clear.

export type GuardedFetch = (url: string, request?: GuardedRequest) => Promise<Response>;

export type GuardedRequest = {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  signal?: AbortSignal;
};

const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 1024 * 1024;

/**
 * For one login. Every name is looked up once, so what was checked is what is connected to: whoever owns a name could give another
 * address to each look-up.
 */
export function guardedFetch(serverUrl: string): GuardedFetch {
  const known = new Map<string, Promise<readonly Found[]>>();
  const addressesOf = ({ hostname }: URL) => {
    const found = known.get(hostname) ?? lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
    known.set(hostname, found);
    return found;
  };
  const isAnyNear = async (url: URL) => (await addressesOf(url)).some(({ address }) => isNear(address));
  return async (url, request = {}) => {
    const address = loginAddress(url, serverUrl);
    if (!(await isAnyNear(new URL(serverUrl))) && (await isAnyNear(address))) throw nearby(address.hostname);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const response = await sent(address, { ...request, signal }, await addressesOf(address));
    const { statusCode: status = 0 } = response;
    if (status >= 300 && status < 400) {
      response.destroy();
      throw redirected(address);
    }
    const body = await bodyOf(response);
    return new Response(body.length === 0 ? null : body, { status, headers: headersOf(response) });
  };
}

type Found = { address: string; family: number };

/** `identity`, because nothing here unpacks an answer. */
function sent(url: URL, request: GuardedRequest, found: readonly Found[]): Promise<IncomingMessage> {
  const { method = "GET", headers, body, signal } = request;
  const act = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const all = { ...headers, "accept-encoding": "identity" };
    const options = { method, headers: all, agent: false, ...(signal ? { signal } : {}) };
    const going = act(url, { ...options, lookup: lookupOf(found) });
    going.once("response", resolve);
    going.once("error", reject);
    going.end(body);
  });
}

/** Gives a connection the addresses that were checked. */
function lookupOf(found: readonly Found[]): LookupFunction {
  return (name, { all, family }, give) => {
    const fitting = found.filter((one) => (family !== 4 && family !== 6 ? true : one.family === family));
    const [first] = fitting;
    if (first === undefined) give(new Error(`${name} has no address of the wanted kind`), "", 0);
    else if (all === true) give(null, fitting.slice());
    else give(null, first.address, first.family);
  };
}

function headersOf({ headers }: IncomingMessage): Headers {
  const made = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of Array.isArray(value) ? value : value === undefined ? [] : [value]) made.append(name, one);
  }
  return made;
}

/** Where a redirect leads, nobody has checked, and what is sent may be secret. */
function redirected({ host, pathname }: URL): Error {
  return new Error(
    `${host}${pathname} answered with a redirect, which a login does not follow; check \`url\` in mcp.json`,
  );
}

/** The address, if a login at this server may use it. */
export function loginAddress(url: string, serverUrl: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined) throw new Error("the MCP server names an address that is none");
  if (address.username !== "" || address.password !== "")
    throw new Error(`the address of ${address.host} contains a password`);
  const isPlainHere = address.protocol === "http:" && isLoopback(address) && isLoopback(new URL(serverUrl));
  if (address.protocol === "https:" || isPlainHere) return address;
  throw new Error(`the address ${address.protocol}//${address.host} is not encrypted (https)`);
}

export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

async function bodyOf(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
