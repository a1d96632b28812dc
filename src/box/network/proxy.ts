import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { isNear } from "../../runners/addresses.ts";
import { greetingOf } from "./client-hello.ts";
import { asDestination, asHost, type Destination, isListed, mayBeNear } from "./domains.ts";

// The only way out of a box: it connects to the listed domains and to nothing else. It resolves names itself and judges the
// address that it then connects to.

export type Proxy = { server: Server; refused: Set<string>; close(): void };

/** `refused` collects the hosts that were not let through. */
export function makeProxy(domains: readonly string[]): Proxy {
  const refused = new Set<string>();
  const open = new Set<Duplex>();
  const judge = async (to: Destination | undefined, written: string): Promise<Way> => {
    const address = to !== undefined && isListed(to, domains) ? await addressOf(to.host) : undefined;
    if (to !== undefined && typeof address === "string") return { ok: true, to, address };
    if (address !== null) refused.add(to?.host ?? written.slice(0, 255));
    return { ok: false, ...(address === null ? NOWHERE : REFUSED) };
  };
  const server = createServer((asked, answer) => void forward(asked, answer, judge, refused));
  server.on("connect", (asked: IncomingMessage, inner: Socket, head: Buffer) => {
    open.add(inner.once("close", () => open.delete(inner)));
    inner.on("error", () => inner.destroy());
    void tunnel({ target: asked.url ?? "", inner, head }, judge, refused);
  });
  // A connection that becomes something else cannot be judged any more.
  server.on("upgrade", (_, inner: Duplex) => inner.destroy());
  const close = () => {
    server.close();
    server.closeAllConnections();
    for (const one of open) one.destroy();
  };
  return { server, refused, close };
}

type Way = { ok: true; to: Destination; address: string } | ({ ok: false } & Answer);
type Answer = { code: string; text: string };
type Judge = (to: Destination | undefined, written: string) => Promise<Way>;

/** The address to connect to; null if there is none. Undefined if a public name leads into this machine or its networks. */
async function addressOf(host: string): Promise<string | null | undefined> {
  if (isIP(host) !== 0) return host;
  const found = await lookup(host, { all: true }).catch(() => []);
  const isWrong = !mayBeNear(host) && found.some(({ address }) => isNear(address));
  return isWrong ? undefined : (found[0]?.address ?? null);
}

const REFUSED: Answer = {
  code: "403 Forbidden",
  text: "this box does not reach this host; a domain can be added to box.network in leeway.yaml\n",
};
/** The walls are open for it, so it is not said that they refused something. */
const NOWHERE: Answer = {
  code: "502 Bad Gateway",
  text: "no address is known for this host; is this machine offline?\n",
};

/** Plain HTTP. Each request is judged, also further ones on the same connection. */
async function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  judge: Judge,
  refused: Set<string>,
): Promise<void> {
  const refuse = ({ code, text }: Answer) =>
    answer.writeHead(Number.parseInt(code, 10), { "content-type": "text/plain", connection: "close" }).end(text);
  const url = /^http:\/\/(?<authority>[^/?#@]+)(?<path>[/?][^#]*)?$/i.exec(asked.url ?? "");
  const authority = url?.groups?.["authority"] ?? "";
  const to = asDestination(authority, HTTP_PORT);
  const hosts = asked.headersDistinct["host"] ?? [];
  // A server that serves many names would answer for the name in this header.
  if (hosts.length > 1 || hosts.some((host) => !isSame(asDestination(host, HTTP_PORT), to))) {
    refused.add(asHost(hosts.find((host) => !isSame(asDestination(host, HTTP_PORT), to)) ?? authority).slice(0, 255));
    return void refuse(REFUSED);
  }
  const way = await judge(to, authority);
  if (!way.ok) return void refuse(way);
  const path = url?.groups?.["path"] ?? "/";
  const outer = request({
    host: way.address,
    port: way.to.port,
    method: asked.method ?? "GET",
    path: path.startsWith("/") ? path : `/${path}`,
    headers: { ...passedHeaders(asked), host: authority },
    agent: false,
  });
  outer.on("response", (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  outer.on("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  answer.on("close", () => outer.destroy());
  asked.pipe(outer);
}

const HTTP_PORT = 80;

function isSame(one: Destination | undefined, other: Destination | undefined): boolean {
  return one !== undefined && other !== undefined && one.host === other.host && one.port === other.port;
}

function passedHeaders({ headers }: IncomingMessage): IncomingMessage["headers"] {
  const { "proxy-connection": _, "proxy-authorization": __, connection: ___, upgrade: ____, ...passed } = headers;
  return passed;
}

const GREETING_MS = 20_000;
const HTTPS_PORT = 443;

/** A tunnel is for TLS to exactly the host that was asked for. Everything else would go wherever the program likes. */
async function tunnel(
  { target, inner, head }: { target: string; inner: Socket; head: Buffer },
  judge: Judge,
  refused: Set<string>,
): Promise<void> {
  const way = await judge(asDestination(target, HTTPS_PORT), target);
  if (!way.ok) return void inner.end(`HTTP/1.1 ${way.code}\r\nContent-Length: ${way.text.length}\r\n\r\n${way.text}`);
  inner.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  const first = await greeted(inner, head);
  const name = first.name === undefined ? undefined : asHost(first.name);
  const isRight = first.is === "tls" && (name === way.to.host || (name === undefined && isIP(way.to.host) !== 0));
  if (!isRight) {
    refused.add(name ?? way.to.host);
    return void inner.destroy();
  }
  const outer = connect({ host: way.address, port: way.to.port });
  outer.on("error", () => inner.destroy());
  inner.on("close", () => outer.destroy());
  outer.on("close", () => inner.destroy());
  outer.write(first.bytes);
  outer.pipe(inner);
  inner.pipe(outer);
}

type First = { is: "tls" | "other"; name?: string | undefined; bytes: Buffer };

/** Reads until the greeting is complete, or is none. */
function greeted(inner: Socket, head: Buffer): Promise<First> {
  return new Promise((resolve) => {
    let bytes = head;
    const timer = setTimeout(() => done({ is: "other", bytes }), GREETING_MS);
    const done = (first: First) => {
      clearTimeout(timer);
      inner.off("data", more).off("close", ended).pause();
      resolve(first);
    };
    const ended = () => done({ is: "other", bytes });
    const look = () => {
      const found = greetingOf(bytes);
      if (found.is === "tls") done({ is: "tls", name: found.name, bytes });
      else if (found.is === "other") done({ is: "other", bytes });
    };
    const more = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      look();
    };
    inner.on("data", more).on("close", ended);
    if (head.length > 0) look();
  });
}
