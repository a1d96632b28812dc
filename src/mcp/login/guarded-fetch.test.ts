import dns from "node:dns";
import { once } from "node:events";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { guardedFetch } from "./guarded-fetch.ts";

const { lookup } = dns;
const { lookup: promised } = dns.promises;
afterEach(() => nameServer(promised, lookup));

function nameServer(now: unknown, later: unknown): void {
  Object.assign(dns.promises, { lookup: now });
  Object.assign(dns, { lookup: later });
  syncBuiltinESMExports();
}

/** Every look-up gives another address: of the first the login may talk to, of the others nobody has looked. */
function rebinding(): { asked: number } {
  const count = { asked: 0 };
  const next = () => {
    count.asked += 1;
    return { address: count.asked === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 };
  };
  type Give = (error: null, address: unknown, family?: number) => void;
  nameServer(
    async () => [next()],
    (_name: string, { all }: { all?: boolean }, give: Give) => {
      const { address, family } = next();
      if (all) give(null, [{ address, family }]);
      else give(null, address, family);
    },
  );
  return count;
}

test("a login connects to the address that was checked, whatever a later look-up of the name says", async () => {
  const heard: string[] = [];
  const serve = async (host: string, port: number) => {
    const server = createServer((request, response) => {
      heard.push(`${host} ${request.method}`);
      response.setHeader("x-name", "one").end("body");
    });
    server.listen(port, host);
    await once(server, "listening");
    return server;
  };
  const first = await serve("127.0.0.1", 0);
  const { port } = first.address() as AddressInfo;
  const other = await serve("127.0.0.2", port);
  const count = rebinding();
  const fetch = guardedFetch(`http://localhost:${port}/mcp`);
  for (const method of ["GET", "POST"]) {
    const response = await fetch(`http://localhost:${port}/a`, { method, headers: { accept: "text/plain" } });
    expect([response.status, response.headers.get("x-name"), await response.text()]).toEqual([200, "one", "body"]);
  }
  expect([heard, count.asked]).toEqual([["127.0.0.1 GET", "127.0.0.1 POST"], 1]);
  first.close();
  other.close();
});
