import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../src/http/server.ts";
import { cookieOf } from "./cast.ts";
import { PASSPHRASE, type Served, served } from "./served.ts";

// Under which names and addresses the server is reached, and that no other program is reached there.

const LOOPBACKS = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .map(({ address }) => address)
  .filter((address) => ["127.0.0.1", "::1"].includes(address));
const inUrl = (address: string) => (address === "::1" ? "[::1]" : address);

let on: Served;
beforeAll(async () => {
  on = await served();
});
afterAll(() => on.remove());

function squatter(host: string, port: number): Promise<{ port: number; close(): void }> {
  const server = createServer((_, response) => response.end("somebody else"));
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, host, () =>
      resolve({ port: (server.address() as AddressInfo).port, close: () => server.close() }),
    );
  });
}

test("the server listens at both loopback addresses, so that no other program can pretend to be it at one of them", async () => {
  for (const host of [...LOOPBACKS.map(inUrl), "localhost"]) {
    const answer = await fetch(`http://${host}:${on.port}/healthz`);
    expect([host, await answer.json()]).toEqual([host, { ok: true }]);
  }
  for (const host of LOOPBACKS) {
    await expect(squatter(host, on.port)).rejects.toMatchObject({ code: "EADDRINUSE" });
  }
});

test.each(["127.0.0.1", "::1", "localhost"])(
  "on %s the server does not start if another program uses the port on either loopback address",
  async (host) => {
    for (const taken of LOOPBACKS) {
      const other = await squatter(taken, 0);
      const options = { host, port: other.port, log: () => undefined, refusedPage: () => Promise.reject(new Error()) };
      await expect(listen(on.deps, [], options)).rejects.toMatchObject({ code: "EADDRINUSE", address: taken });
      // It has released the address on which it had begun to listen.
      for (const address of LOOPBACKS.filter((one) => one !== taken)) (await squatter(address, other.port)).close();
      other.close();
    }
  },
);

describe("with pages under their own host name", () => {
  let apart: Served;
  let cookie: string;
  let host: string;
  beforeAll(async () => {
    apart = await served({ apart: true });
    cookie = await cookieOf(apart, "ana");
    host = new URL(apart.pages).host;
  });
  afterAll(() => apart.remove());

  type Sent = { method?: string; body?: string; headers?: Record<string, string> };
  /** Like a browser: to the address, with the host name. */
  const asked = (name: string, path: string, { method = "GET", body, headers }: Sent = {}) =>
    new Promise<{ status: number | undefined; cookie: unknown; text: string }>((resolve, reject) => {
      const given = { method, headers: { host: name, accept: "text/html", ...headers }, agent: false } as const;
      const sending = request(`${apart.url}${path}`, given, (answer) => {
        let text = JSON.stringify(answer.headers);
        answer.on("data", (chunk) => (text += chunk));
        answer.on("end", () => resolve({ status: answer.statusCode, cookie: answer.headers["set-cookie"], text }));
      });
      sending.on("error", reject).end(body);
    });
  const form = (origin: string): Sent => ({
    method: "POST",
    body: new URLSearchParams({ name: "ana", passphrase: PASSPHRASE }).toString(),
    headers: { origin, "content-type": "application/x-www-form-urlencoded" },
  });
  const others = () => [`127.0.0.1:${apart.port}`, `localhost:${apart.port}`, `[::1]:${apart.port}`];

  test("a person signs in under that host name, which cannot be guessed and stays the same", async () => {
    expect(apart.pages).toMatch(/^http:\/\/leeway-[0-9a-f]{20}\.localhost:\d+$/);
    expect((await asked(host, "/", { headers: { cookie } })).status).toBe(200);
    const signedIn = await asked(host, "/sign-in", form(apart.pages));
    expect([signedIn.status, signedIn.cookie]).toEqual([303, [expect.stringMatching(/^leeway-/)]]);
    const beside = await apart.beside();
    expect(beside.pages.split(":")[1]).toBe(apart.pages.split(":")[1]);
    await beside.close();
  });

  test("under every other name there are no pages, and cookies are neither accepted nor set", async () => {
    for (const name of others()) {
      const origin = `http://${name}`;
      for (const path of ["/", "/sign-in", "/sign-in/account", "/sign-in/link/x"])
        expect([name, path, (await asked(name, path, { headers: { cookie } })).status]).toEqual([name, path, 404]);
      expect((await asked(name, "/v1/me", { headers: { cookie } })).status).toBe(401);
      const refused = await asked(name, "/sign-in", form(origin));
      expect([refused.status, refused.cookie]).toEqual([404, undefined]);
      const options = { method: "POST", body: "{}", headers: { origin, "content-type": "application/json" } };
      expect((await asked(name, "/v1/sign-in/passkey/options", options)).status).toBe(403);
    }
  });

  test("programs use the other names, and no answer contains the host name of the pages", async () => {
    const token = await apart.token({ agent: "coder" });
    expect(JSON.parse(readFileSync(join(apart.state, "server.json"), "utf8")).url).toBe(apart.url);
    const bearer = { authorization: `Bearer ${token}`, cookie };
    const texts: string[] = [];
    for (const name of [...others(), "leeway.localhost", "x"])
      for (const path of ["/", "/sign-in", "/v1/me", "/openapi.json", "/docs", "/healthz", "/nothing", "/v1/calls/x"])
        for (const headers of [{}, bearer]) {
          texts.push((await asked(name, path, { headers })).text);
        }
    expect(texts.filter((text) => text.includes(host.split(":")[0] ?? ""))).toEqual([]);
    const call = { tool: "memo", args: {} };
    expect((await apart.ask("POST", "/v1/calls", { token, body: call })).body.outcome).toBe("run");
  });
});
