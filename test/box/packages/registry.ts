import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text as allText } from "node:stream/consumers";

/** What a registry was asked. The headers are those that a package manager could say something with. */
export type AskedOf = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };

export type Answer = { status?: number; type?: string; headers?: Record<string, string>; body: string | Buffer };

/** A registry on the loopback address: it answers exactly what it has, and records everything that it was asked. */
export async function openRegistry(
  answers: (origin: string) => { [path: string]: Answer | "hangs" },
  tls?: { key: Buffer; cert: Buffer },
) {
  const asked: AskedOf[] = [];
  let known: { [path: string]: Answer | "hangs" } = {};
  const serve = async (got: IncomingMessage, answer: ServerResponse) => {
    const { method = "", url = "", headers } = got;
    asked.push({ method, url, headers, body: await allText(got) });
    const found = known[url];
    if (found === "hangs") return;
    if (found === undefined) return void answer.writeHead(404, { "content-type": "text/plain" }).end("not here");
    const { status = 200, type = "application/json", headers: more = {}, body } = found;
    answer.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body), ...more }).end(body);
  };
  const listener = (got: IncomingMessage, answer: ServerResponse) => void serve(got, answer);
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `${tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  known = answers(origin);
  return {
    origin,
    asked,
    end: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function hashOf(algorithm: "sha512" | "sha256", bytes: Buffer, as: "base64" | "hex"): string {
  return createHash(algorithm).update(bytes).digest(as);
}
