import { lookup } from "node:dns/promises";
import { isNear, nearby } from "../../runners/addresses.ts";

// Requests of a login. Their addresses come from the MCP server and from what it names, so they are checked: a server
// elsewhere cannot make this machine talk to its own network, and nothing goes over the network in the clear.

export type GuardedFetch = (url: string, request?: RequestInit) => Promise<Response>;

const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 1024 * 1024;

export function guardedFetch(serverUrl: string): GuardedFetch {
  let isServerNear: Promise<boolean> | undefined;
  return async (url, request = {}) => {
    const address = loginAddress(url, serverUrl);
    isServerNear ??= addressesOf(new URL(serverUrl)).then((found) => found.some(isNear));
    if (!(await isServerNear) && (await addressesOf(address)).some(isNear)) throw nearby(address.hostname);
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    const response = await fetch(address, { ...request, redirect: "manual", signal });
    if (response.status >= 300 && response.status < 400) throw redirected(address);
    const body = await bodyOf(response);
    return new Response(body.length === 0 ? null : body, { status: response.status, headers: response.headers });
  };
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

async function addressesOf({ hostname }: URL): Promise<readonly string[]> {
  const found = await lookup(hostname.replace(/^\[|\]$/g, ""), { all: true });
  return found.map(({ address }) => address);
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
