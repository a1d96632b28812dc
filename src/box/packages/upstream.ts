import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent, request } from "node:https";
import { buffer } from "node:stream/consumers";
import { createSecureContext, rootCertificates } from "node:tls";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Route } from "./protocol.ts";

// The reader's own requests: to exactly one address, without anything that came from the box except its path.

export const LIMITS = {
  documentBytes: 128 * 1024 * 1024,
  archiveBytes: 4 * 1024 * 1024 * 1024,
  idleMs: 30_000,
  wholeMs: 15 * 60_000,
};
export type Limits = typeof LIMITS;

export type Upstream = {
  ask(route: Route, method: "GET" | "HEAD"): Promise<IncomingMessage>;
  /** The document, unpacked; undefined if it is too large or cannot be read. */
  textOf(answer: IncomingMessage): Promise<string | undefined>;
  close(): void;
};

const AT_ONCE = 24;

/** `authorities`: certificates that are believed besides those that Node brings along. */
export function openUpstream({ documentBytes, idleMs, wholeMs }: Limits, authorities: readonly string[]): Upstream {
  const trusted =
    authorities.length === 0
      ? {}
      : { secureContext: createSecureContext({ ca: [...rootCertificates, ...authorities] }) };
  const agents = {
    "https:": new Agent({ keepAlive: true, maxSockets: AT_ONCE, ...trusted }),
    "http:": new PlainAgent({ keepAlive: true, maxSockets: AT_ONCE }),
  };
  const unpack = promisify(gunzip);
  return {
    ask: ({ url, accept, is }, method) =>
      new Promise((resolve, reject) => {
        const to = new URL(url);
        const isPlain = to.protocol === "http:";
        const encoding = is === "document" ? "gzip" : "identity";
        const asked = (isPlain ? plainRequest : request)(to, {
          method,
          agent: agents[isPlain ? "http:" : "https:"],
          headers: { accept, "accept-encoding": encoding, "user-agent": "leeway-package-reader" },
          signal: AbortSignal.timeout(wholeMs),
        });
        asked.setTimeout(idleMs, () => asked.destroy(new Error("the registry does not answer")));
        asked.once("response", resolve).once("error", reject).end();
      }),
    textOf: async (answer) => {
      const packed = await wholeOf(answer, documentBytes);
      const encoding = answer.headers["content-encoding"] ?? "identity";
      if (packed === undefined || !["identity", "gzip"].includes(encoding)) return undefined;
      if (encoding === "identity") return packed.toString("utf8");
      // A small file may unpack to a very large one.
      return (await unpack(packed, { maxOutputLength: documentBytes })).toString("utf8");
    },
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

async function wholeOf(answer: IncomingMessage, max: number): Promise<Buffer | undefined> {
  let bytes = 0;
  answer.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > max) answer.destroy(new Error("the document is too large"));
  });
  return buffer(answer);
}
