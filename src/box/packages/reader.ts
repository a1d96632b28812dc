import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { PackageKind, PackageSource } from "../../core/box.ts";
import { ARCHIVE_HOSTS } from "../../core/tables/packages/package-managers.ts";
import { crates } from "./crates.ts";
import { go } from "./go.ts";
import { npm } from "./npm.ts";
import type { Asked, Protocol, Route } from "./protocol.ts";
import { pypi } from "./pypi.ts";
import { LIMITS, type Limits, openUpstream, type Upstream } from "./upstream.ts";

// A registry that can only be read. A program in a box asks for a package by its path, and nothing else that it says reaches
// the registry: no other method, no query, no body, no header.

const PROTOCOLS: { readonly [kind in PackageKind]: Protocol } = { npm, pypi, go, crates };

export type Reader = { server: Server; refused: Set<string>; close(): void };

/** How much can be told to a registry by asking for names: their length, and how many of them may not exist. */
const BOUNDS = { path: 500, requests: 20_000, misses: 200 } as const;

type How = { limits?: Limits; authorities?: readonly string[] };

/** `at`: the address at which programs in the box find the reader. `refused` collects what was not let through. */
export function makeReader({ kind, from }: PackageSource, at: string, how: How = {}): Reader {
  const { limits = LIMITS, authorities = [] } = how;
  const refused = new Set<string>();
  const upstream = openUpstream(limits, authorities);
  const registry = { from: new URL(from), archives: ARCHIVE_HOSTS[from] ?? [], at };
  const read = async (url: string) => {
    const answer = await upstream.ask({ url, accept: "*/*", is: "document" }, "GET");
    return answer.statusCode === 200 ? upstream.textOf(answer) : undefined;
  };
  const route = PROTOCOLS[kind](registry, read);
  const counts = { requests: 0, misses: 0 };
  const { host } = registry.from;
  const server = createServer((asked, answer) => {
    const refuse = () => {
      refused.add(host);
      closed(answer, 403, READ_ONLY);
    };
    const isOver = ++counts.requests > BOUNDS.requests || isSpent(counts);
    const wanted = isOver ? undefined : plainAsk(asked);
    if (wanted === undefined) return refuse();
    route(wanted)
      .then((found) =>
        found === undefined || isSpent(counts) ? refuse() : pass(found, asked, answer, { upstream, limits, counts }),
      )
      .catch((error: unknown) => {
        const text = `the registry could not be read: ${reasonOf(error)}`;
        // A package manager tries a broken connection again for minutes, and no certificate gets better by that.
        if (isAboutCertificates(error)) closed(answer, 403, `${text}; ${CERTIFICATE_HINT}\n`, text);
        else closed(answer, 502, `${text}\n`);
      });
  });
  // A tunnel could carry anything. A wish for another protocol is not heard: the answer is that of a plain request.
  server.on("connect", (_: unknown, inner: Duplex) => inner.destroy());
  const close = () => {
    server.close();
    server.closeAllConnections();
    upstream.close();
  };
  return { server, refused, close };
}

const READ_ONLY = "in this box packages can only be read from the registry\n";

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const CERTIFICATE_HINT =
  "name the file with its authority in NODE_EXTRA_CA_CERTS, or in `cafile` of npm or `cert` of pip";

function isAboutCertificates(error: unknown): boolean {
  return error instanceof Error && "code" in error && /CERT|SIGNATURE|CRL/.test(String(error.code));
}

/** `line`: stands beside the number, which is all that some package managers show. */
function closed(answer: ServerResponse, status: number, text: string, line?: string): void {
  const shown = line?.replace(/[^\x20-\x7e]/g, "?") ?? STATUS_CODES[status] ?? "";
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(status, shown, { "content-type": "text/plain", connection: "close" }).end(text);
}

/** What is asked for, if the request says nothing beyond it. */
function plainAsk({ method, url = "", headers }: IncomingMessage): Asked | undefined {
  const isReading = method === "GET" || method === "HEAD";
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
  if (!isReading || hasBody || !/^\/[^?#\\]*$/.test(url) || url.length > BOUNDS.path) return undefined;
  return { path: url, accept: headers.accept ?? "", agent: headers["user-agent"] ?? "" };
}

type Counts = { requests: number; misses: number };
type With = { upstream: Upstream; limits: Limits; counts: Counts };

function isSpent({ misses }: Counts): boolean {
  return misses >= BOUNDS.misses;
}

async function pass(route: Route, asked: IncomingMessage, answer: ServerResponse, at: With): Promise<void> {
  const method = asked.method === "HEAD" ? "HEAD" : "GET";
  // A name counts as one that does not exist until the registry has it: many may be asked for at the same time.
  at.counts.misses++;
  const got = await at.upstream.ask(route, method);
  const status = got.statusCode ?? 0;
  if (status !== 200) {
    got.resume();
    // A redirection may lead anywhere.
    return closed(answer, status >= 400 ? status : 502, `the registry answered ${status}\n`);
  }
  at.counts.misses--;
  const type = got.headers["content-type"] ?? "application/octet-stream";
  if (method === "HEAD") {
    got.resume();
    return void answer.writeHead(200, { "content-type": type }).end();
  }
  if (route.is === "archive") return stream(got, answer, type, at.limits.archiveBytes);
  const text = await at.upstream.textOf(got);
  const shown = text === undefined || route.changed === undefined ? text : route.changed(text, type);
  if (shown === undefined) return closed(answer, 502, "the registry answered something that is not understood\n");
  answer.writeHead(200, { "content-type": type, "content-length": Buffer.byteLength(shown) }).end(shown);
}

/** Passes an archive on, as it is: package managers compare its hash. */
function stream(got: IncomingMessage, answer: ServerResponse, type: string, max: number): void {
  const length = Number(got.headers["content-length"] ?? Number.NaN);
  if (length > max || (got.headers["content-encoding"] ?? "identity") !== "identity") {
    got.destroy();
    closed(answer, 502, "the archive is too large, or packed in an unknown way\n");
    return;
  }
  answer.writeHead(200, { "content-type": type, ...(Number.isNaN(length) ? {} : { "content-length": length }) });
  let bytes = 0;
  got.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > max) got.destroy(new Error("the archive is too large"));
  });
  got.on("error", () => answer.destroy());
  answer.on("close", () => got.destroy());
  got.pipe(answer);
}
