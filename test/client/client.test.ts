import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createClient } from "leeway/http";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openGate } from "../../src/index.ts";
import { type Server, serve } from "../../src/serve.ts";
import { type Served, served } from "../http/served.ts";
import { PATIENT, POLICY, refusalFrom } from "../library/gates.ts";

let on: Served;
let token: string;
beforeAll(async () => {
  on = await served({ policy: JSON.stringify(POLICY) });
  token = await on.token({ agent: "coder" });
});
afterAll(() => on.remove());

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Another program than Leeway, or something between it and a client. */
async function listening(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address where nothing listens any more. */
async function gone(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

function client(given: { url?: string; token?: string } = {}) {
  return createClient({ url: on.url, token, cwd: on.project, ...given });
}

test("if the server cannot be reached nothing runs, and the error says what to do", async () => {
  const url = await gone();
  const gate = client({ url });
  const fn = vi.fn();
  const refusals = [
    await refusalFrom(gate.guard("look", fn)({})),
    await refusalFrom(gate.submit({ tool: "look" })),
    await refusalFrom(gate.wait("apr_1", { timeoutMs: 0 })),
    await refusalFrom(gate.grants.list()),
  ];
  expect(refusals.map(({ code, retryable, reason }) => [code, retryable, reason])).toEqual(
    Array(4).fill([
      "LEEWAY_AUDIT_UNAVAILABLE",
      true,
      `the server at ${url} cannot be used: it cannot be reached (ECONNREFUSED)`,
    ]),
  );
  expect(fn).not.toHaveBeenCalled();
});

test("another program at the server's address cannot decide anything", async () => {
  const pages: [number, string, Record<string, string>][] = [
    [200, "<h1>welcome</h1>", {}],
    [200, "{}", {}],
    [200, '{"outcome":"run"}', {}],
    [502, "bad gateway", {}],
    [500, '{"error":{"code":"TEAPOT","message":"no"}}', {}],
    [302, "", { location: `${on.url}/v1/calls` }],
  ];
  for (const [status, body, headers] of pages) {
    const url = await listening((_, response) => void response.writeHead(status, headers).end(body));
    const fn = vi.fn();
    const { code } = await refusalFrom(client({ url }).guard("look", fn)({}));
    expect([status, body, code, fn.mock.calls.length]).toEqual([status, body, "LEEWAY_AUDIT_UNAVAILABLE", 0]);
  }
});

test("a token is sent only to the named server, and redirects are not followed", async () => {
  const shown: (string | undefined)[] = [];
  const elsewhere = await listening(({ headers }, response) => {
    shown.push(headers.authorization);
    response.end("{}");
  });
  const url = await listening((_, response) => void response.writeHead(307, { location: elsewhere }).end());
  await refusalFrom(client({ url }).submit({ tool: "look" }));
  expect(shown).toEqual([]);
});

test("a refusal of the server is thrown with its own code and text", async () => {
  const nobody = await refusalFrom(client({ token: "lwy_0_0" }).submit({ tool: "look" }));
  expect([nobody.code, nobody.reason, nobody.hint]).toEqual([
    "LEEWAY_UNAUTHENTICATED",
    "the server does not know this token: it is wrong, or it was revoked, or its time is over",
    "make a token with `leeway tokens add` on the server's machine; commands and programs take it from LEEWAY_TOKEN",
  ]);
  const gate = client();
  const asked = [
    gate.people.list(),
    gate.grants.list(),
    gate.ledger.entries(),
    gate.review("apr_1", { by: "coder", verdict: "approve", digest: "sha256:0" }),
    gate.pause({ of: "everything" }, { by: "coder", because: "bored" }),
    gate.policy.accept("leeway.yaml", { by: "coder", version: "sha256:seen" }),
    gate.agents.promote({ agent: "coder", tier: "auto", because: "please", by: "coder" }),
  ];
  expect((await Promise.all(asked.map(refusalFrom))).map(({ code }) => code)).toEqual(
    Array(asked.length).fill("LEEWAY_FORBIDDEN"),
  );
});

test("a person is identified by their token, not by a name that a program gives", async () => {
  const ana = client({ token: await on.token({ person: "ana", can: "approve" }) });
  const { approvalId = "", digest } = await client().submit({ tool: "pay", args: { amount: 1 } });
  const { code, reason } = await refusalFrom(ana.review(approvalId, { by: "ben", verdict: "approve", digest }));
  expect([code, reason]).toEqual(["LEEWAY_FORBIDDEN", "the token belongs to ana, not to ben"]);
  expect((await ana.approvals.get(approvalId)).state).toBe("pending");
  expect((await ana.review(approvalId, { by: "ana", verdict: "deny", digest, note: "no" })).state).toBe("denied");
  const grant = { subject: { agent: "coder" }, covers: { class: "db.write", targets: [], level: "write" } as const };
  const stale = await refusalFrom(ana.grants.add({ ...grant, because: "today", by: "ana" }));
  expect(stale.code).toBe("LEEWAY_STALE_SIGN_IN");
  const ended = await refusalFrom(ana.reconcile("exe_none", { by: "ana", ok: true, note: "looked" }));
  expect(ended.code).toBe("LEEWAY_STALE_SIGN_IN");
});

test("input that cannot be sent to a server is refused before anything is sent, and never left out", async () => {
  const gate = client();
  // @ts-expect-error: only the server's policy says it
  expect(() => gate.guard("look", () => 1, { class: "db.read" })).toThrow(
    "declare the tool under `tools` in the policy of the server",
  );
  // @ts-expect-error: only the server's policy says it
  expect(() => gate.guard("look", () => 1, { idempotent: true })).toThrow(
    "declare the tool under `tools` in the policy of the server",
  );
  const asked = { tool: "look", requestedBy: "ana" };
  expect((await refusalFrom(gate.submit(asked))).reason).toContain("requestedBy");
  const env = { LEEWAY_TOKEN: token };
  const opening = { server: on.url, env };
  // @ts-expect-error: a server has its own policy
  expect((await refusalFrom(openGate({ ...opening, policy: { tier: "deny" } }))).reason).toBe(
    `policy: the server at ${on.url} has its own value for this`,
  );
  // @ts-expect-error: and its own database
  expect((await refusalFrom(openGate({ ...opening, db: ":memory:" }))).reason).toContain("db: ");
  expect(() => createClient({ url: "leeway.example.com", token })).toThrow("url: this is not the address of a server");
  expect(() => createClient({ url: on.url, token: "a b" })).toThrow("token: this is not a token");
});

test("the environment names the server, and an incomplete setting is refused", async () => {
  const gate = await openGate({ env: { LEEWAY_URL: on.url, LEEWAY_TOKEN: token }, cwd: on.project });
  expect((await gate.submit({ tool: "look" })).outcome).toBe("run");
  await gate.close();
  const alone = await refusalFrom(openGate({ env: { LEEWAY_URL: on.url } }));
  expect([alone.code, alone.reason]).toEqual(["LEEWAY_BAD_INPUT", "LEEWAY_URL is set, but LEEWAY_TOKEN is not"]);
  const nowhere = await refusalFrom(openGate({ env: { LEEWAY_TOKEN: token, XDG_STATE_HOME: `${on.project}/none` } }));
  expect(nowhere.reason).toBe("LEEWAY_TOKEN is set, and no server runs on this machine");
});

test("with only a token, the server on this machine is used", async () => {
  const env = { LEEWAY_TOKEN: token, XDG_STATE_HOME: on.project.replace(/project$/, "state") };
  const gate = await openGate({ env, cwd: on.project });
  expect((await gate.submit({ tool: "look" })).outcome).toBe("run");
  await gate.close();
});

/** Passes requests on to the server, and loses the first response to each request that `loses` selects. */
async function losing(loses: (url: string) => boolean): Promise<{ url: string; passed: string[] }> {
  const passed: string[] = [];
  const url = await listening((asked, response) => {
    const path = asked.url ?? "/";
    const { hostname, port } = new URL(on.url);
    const headers = { ...asked.headers, host: `${hostname}:${port}` };
    const isLost = loses(path) && !passed.includes(path);
    passed.push(path);
    const onward = request({ hostname, port, path, method: asked.method, headers }, (answer) => {
      if (isLost) return void response.destroy();
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asked.pipe(onward);
  });
  return { url, passed };
}

test("a lost answer is requested again, and the call is decided once", async () => {
  const { url, passed } = await losing((path) => path === "/v1/calls");
  const receipt = await client({ url }).submit({ tool: "pay", args: { amount: 2 } });
  expect([receipt.outcome, passed.length]).toEqual(["pending", 2]);
  const decided = await on.deps.store.read({
    ask: "entries",
    workspace: "default",
    where: { kinds: ["call.decided"], subject: { call: receipt.id } },
    limit: 10,
    order: "oldest",
  });
  expect(decided).toHaveLength(1);
});

test("if the answer with the execution was lost, the call does not run twice and does not run unrecorded", async () => {
  const { url } = await losing((path) => path === "/v1/calls");
  const fn = vi.fn();
  const { code } = await refusalFrom(client({ url }).guard("look", fn)({ n: 4 }));
  expect([code, fn.mock.calls.length]).toEqual(["LEEWAY_CALL_RUNNING", 0]);
});

test("if the answer to recording a result was lost, the result is recorded once, and the tool has run once", async () => {
  const { url, passed } = await losing((path) => path.endsWith("/settle"));
  const fn = vi.fn(() => "found");
  expect(await client({ url }).guard("look", fn)({ n: 3 })).toBe("found");
  expect([fn.mock.calls.length, passed.filter((path) => path.endsWith("/settle")).length]).toEqual([1, 2]);
});

test("if the answer to a claim was lost, the execution is not claimed twice", async () => {
  const { url } = await losing((path) => path.endsWith("/claim"));
  const gate = client({ url });
  const { approvalId = "", digest } = await gate.submit({ tool: "pay", args: { amount: 4 } });
  const ana = client({ token: await on.token({ person: "ana", can: "approve" }) });
  await ana.review(approvalId, { by: "ana", verdict: "approve", digest });
  const { executionId = "" } = await gate.wait(approvalId);
  expect((await refusalFrom(gate.claim(executionId))).code).toBe("LEEWAY_AUDIT_UNAVAILABLE");
  expect((await refusalFrom(gate.claim(executionId))).code).toBe("LEEWAY_ALREADY_CLAIMED");
});

/** A separate server that can be restarted on the same port and database. */
async function restartable() {
  const first = await served({ policy: JSON.stringify(POLICY) });
  const { project, port, url } = first;
  const home = dirname(project);
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config") };
  const [agent, person] = [await first.token({ agent: "coder" }), await first.token({ person: "ana", can: "approve" })];
  const started = { now: first as Server };
  return {
    gate: createClient({ url, token: agent, cwd: project }),
    ana: createClient({ url, token: person, cwd: project }),
    stop: () => started.now.close(),
    start: async () => {
      const opening = { env, cwd: project, policy: join(project, "leeway.yaml") };
      const quiet = { log: () => undefined, warn: () => undefined };
      started.now = await serve(opening, { host: "127.0.0.1", port, ...quiet });
    },
    remove: async () => {
      await started.now.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

test("a caller that waits while the server restarts gets the answer from the new server", async () => {
  const { gate, ana, stop, start, remove } = await restartable();
  const fn = vi.fn(({ amount }: { amount: number }) => `paid ${amount}`);
  const paying = gate.guard("pay", fn)({ amount: 5 });
  await vi.waitFor(async () => expect(await ana.approvals.list({ state: "pending" })).toHaveLength(1), PATIENT);
  await stop();
  await start();
  const [open] = await ana.approvals.list({ state: "pending" });
  await ana.review(open?.id ?? "", { by: "ana", verdict: "approve", digest: open?.digest ?? "" });
  expect([await paying, fn.mock.calls.length]).toEqual(["paid 5", 1]);
  await remove();
});

test("the result of a tool that runs while the server restarts is recorded by the new server", async () => {
  const { gate, ana, stop, start, remove } = await restartable();
  let starting: Promise<void> | undefined;
  const look = gate.guard("look", async () => {
    await stop();
    starting = new Promise((resolve) => setTimeout(resolve, 300)).then(start);
    return "found";
  });
  expect(await look({ n: 1 }, { callId: "acting" })).toBe("found");
  await starting;
  expect(await look({ n: 1 }, { callId: "acting" })).toBe("found");
  const kinds = (await ana.ledger.entries({ kinds: ["execution.succeeded"] })).length;
  expect(kinds).toBe(1);
  await remove();
});

test("if the server does not come back, the outcome of a running tool is unknown, never missing", async () => {
  const { gate, stop, start, remove } = await restartable();
  const fn = vi.fn(async () => {
    await stop();
    return "found";
  });
  const { code, reason } = await refusalFrom(gate.guard("look", fn)({}));
  expect([code, reason, fn.mock.calls.length]).toEqual([
    "LEEWAY_OUTCOME_UNKNOWN",
    expect.stringMatching(/^the call ran, but that could not be recorded: the server at /),
    1,
  ]);
  await start();
  await remove();
});

test("a caller may stop waiting at any moment, and is told the state of the call", async () => {
  const gate = client();
  const { approvalId = "" } = await gate.submit({ tool: "pay", args: { amount: 6 } });
  const enough = new AbortController();
  const waiting = gate.wait(approvalId, { timeoutMs: 600_000, signal: enough.signal });
  enough.abort();
  expect((await waiting).code).toBe("LEEWAY_PENDING");
});

test("a closed client sends nothing, and callers that wait are told", async () => {
  const gate = client();
  const { approvalId = "" } = await gate.submit({ tool: "pay", args: { amount: 7 } });
  const waiting = refusalFrom(gate.wait(approvalId, { timeoutMs: 600_000 }));
  await gate.close();
  const reasons = [(await waiting).reason, (await refusalFrom(gate.submit({ tool: "look" }))).reason];
  expect(reasons).toEqual(Array(2).fill(`the server at ${on.url} cannot be used: the gate is closed`));
});

test("the whole ledger is exported line by line", async () => {
  const ana = client({ token: await on.token({ person: "ana", can: "read" }) });
  const lines: unknown[] = [];
  for await (const line of ana.ledger.export()) lines.push(JSON.parse(line));
  expect(lines.length).toBeGreaterThan(10);
  expect(await ana.ledger.verify()).toMatchObject({ ok: true });
});
