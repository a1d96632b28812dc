import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { CallRow } from "../core/rows/rows.ts";
import { isNear } from "./addresses.ts";
import { type HttpOptions, httpRunner } from "./http.ts";

const key = randomBytes(32);
const secret = `whsec_${key.toString("base64")}`;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

type Taken = { request: IncomingMessage; body: string };

/** A service on this machine, and the requests that it received. */
async function service(answer: (response: ServerResponse, taken: Taken) => void) {
  const taken: Taken[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    taken.push({ request, body });
    answer(response, { request, body });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/refunds`, taken };
}

const call = {
  id: "call_1",
  callId: "c1",
  agent: "coder",
  chain: [],
  tool: "refund",
  traceId: "trace_1",
  digest: "sha256:1",
} as unknown as CallRow;

function run(options: Partial<HttpOptions> & { url: string }, signal = new AbortController().signal) {
  const runner = httpRunner("refund", { secret, idempotent: true, ...options });
  return runner.run({ call, args: { amount: 5 }, idempotencyKey: "exe_1", attempt: 1, signal });
}

test("an approved call is sent once, signed as Standard Webhooks requires, with a key that identifies repetitions", async () => {
  const { url, taken } = await service((response) => void response.end('{"refunded":5}'));
  expect(await run({ url, nearby: true })).toEqual({ ok: true, result: { refunded: 5 } });
  expect(taken).toHaveLength(1);
  const [{ request, body } = { request: undefined, body: "" }] = taken;
  expect(JSON.parse(body)).toEqual({ call, args: { amount: 5 }, idempotencyKey: "exe_1" });
  const headers = request?.headers ?? {};
  const signed = `exe_1.${headers["webhook-timestamp"]}.${body}`;
  expect([request?.method, request?.url, headers["webhook-id"], headers["idempotency-key"]]).toEqual([
    "POST",
    "/refunds",
    "exe_1",
    "exe_1",
  ]);
  expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  expect(headers["webhook-timestamp"]).toMatch(/^\d{10}$/);
});

test("the answer of a service with a success status is the result, whatever it contains", async () => {
  const said: [string, unknown][] = [
    ["", null],
    ["[1,2]", [1, 2]],
    ["done", "done"],
  ];
  for (const [body, result] of said) {
    const { url } = await service((response) => void response.writeHead(201).end(body));
    expect(await run({ url, nearby: true })).toEqual({ ok: true, result });
  }
});

test("a result that is too large is cut, because the call did happen", async () => {
  const { url } = await service((response) => void response.end("x".repeat(400 * 1024)));
  expect(await run({ url, nearby: true })).toMatchObject({ ok: true, result: { truncated: true } });
});

test("a service that answers with an error status was reached: the call failed, with the text of the answer", async () => {
  for (const status of [400, 404, 409, 429, 500, 501]) {
    const { url } = await service((response) => void response.writeHead(status).end("no such order"));
    expect(await run({ url, nearby: true })).toEqual({
      ok: false,
      error: `it answered ${status}: no such order`,
      started: true,
    });
  }
});

test("a redirect is not followed", async () => {
  const other = await service((response) => void response.end("{}"));
  const { url } = await service((response) => void response.writeHead(307, { location: other.url }).end());
  expect(await run({ url, nearby: true })).toMatchObject({ ok: false, started: "unknown" });
  expect(other.taken).toEqual([]);
});

test("a request that nobody received has not started, and one whose connection broke may have", async () => {
  const gone = await service(() => undefined);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  expect(await run({ url: gone.url, nearby: true })).toMatchObject({ ok: false, started: false });
  expect(await run({ url: "http://nowhere.invalid/", nearby: true })).toMatchObject({ ok: false, started: false });
  const broken = await service((response) => void response.destroy());
  expect(await run({ url: broken.url, nearby: true })).toMatchObject({ ok: false, started: "unknown" });
});

test("an incomplete body after a success status leaves the result unknown, and after a failure status it is a failure", async () => {
  const half = (status: number) =>
    service((response) => {
      response.writeHead(status, { "content-length": "100" }).write("half");
      setTimeout(() => response.destroy(), 20);
    });
  const outcomes = [];
  for (const status of [200, 422]) outcomes.push(await run({ url: (await half(status)).url, nearby: true }));
  expect(outcomes).toEqual([
    { ok: false, error: "it answered 200, and broke off: aborted", started: "unknown" },
    { ok: false, error: "it answered 422: half", started: true },
  ]);
});

test("an answer that is not HTTP, or a gateway's error, leaves the result unknown", async () => {
  const garbled = await service((response) => void response.socket?.end("nonsense\r\n\r\n"));
  expect(await run({ url: garbled.url, nearby: true })).toMatchObject({ ok: false, started: "unknown" });
  for (const status of [300, 301, 302, 303, 307, 308, 408, 499, 502, 503, 504, 520, 522, 524, 598, 599]) {
    const { url } = await service((response) => void response.writeHead(status, { location: "/" }).end("gone"));
    expect([status, await run({ url, nearby: true })]).toMatchObject([status, { ok: false, started: "unknown" }]);
  }
});

test("a connection that is reset before or within the headers of the answer leaves the result unknown", async () => {
  const heads = ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\ncontent-le", "HTTP/1.1 100 Continue\r\n\r\n"];
  for (const head of heads) {
    const { url, taken } = await service(({ socket }) => {
      socket?.write(head, () => setTimeout(() => socket.resetAndDestroy(), 10));
    });
    expect([head, await run({ url, nearby: true })]).toMatchObject([head, { ok: false, started: "unknown" }]);
    expect(taken).toHaveLength(1);
  }
});

test("a lost claim aborts the request, and a claim that was lost before sends nothing", async () => {
  const lost = new AbortController();
  const { url, taken } = await service(() => lost.abort());
  expect(await run({ url, nearby: true }, lost.signal)).toEqual({
    ok: false,
    error: "ended because the claim was lost",
    started: "unknown",
  });
  expect(await run({ url, nearby: true }, lost.signal)).toMatchObject({ started: false });
  expect(taken).toHaveLength(1);
});

test("unless the operator allows it, local addresses are not reached, directly or through a name", async () => {
  const { url, taken } = await service((response) => void response.end("{}"));
  const { port } = new URL(url);
  const hosts = [
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b:1::7f00:1]",
    "[2001:0:7f00:1::1]",
    "[2606:4700::5efe:7f00:1]",
    "[2606:4700:0:0:200:5efe:127.0.0.1]",
    "[fec0::1]",
    "[5f00::1]",
    "[2001:10::1]",
    "[3fff::1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "[::ffff:169.254.169.254]",
    "[fe80::1]",
    "[fd00::1]",
    "100.64.0.1",
    "255.255.255.255",
    "224.0.0.1",
  ];
  for (const host of hosts) {
    const outcome = await run({ url: `https://${host}:${port}/` });
    expect([host, outcome]).toEqual([
      host,
      { ok: false, started: false, error: expect.stringContaining("which was not allowed") },
    ]);
  }
  expect(taken).toEqual([]);
  expect(["8.8.8.8", "1.1.1.1", "2606:4700::1111"].map(isNear)).toEqual([false, false, false]);
});

test("an invalid address or secret is reported when the runner is created", () => {
  for (const url of ["http://refunds.example.com", "ftp://refunds.example.com", "refunds", "https://a:b@c.example"]) {
    expect(() => httpRunner("refund", { url, secret, idempotent: true })).toThrow("is not an address to send calls to");
  }
  for (const wrong of ["", "hunter2", "whsec_c2hvcnQ=", key.toString("base64")]) {
    const options = { url: "https://refunds.example.com", secret: wrong, idempotent: true };
    expect(() => httpRunner("refund", options)).toThrow("is not a secret to sign with");
  }
});
