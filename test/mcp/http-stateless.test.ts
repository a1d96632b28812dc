import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/values/json.ts";
import { approve } from "../../src/testing.ts";
import { type HttpAnswer, type HttpStage, httpStage, JSON_HEADERS } from "./http-stage.ts";
import { calledIn, openQuestion, said, until } from "./stage.ts";

// The protocol of 2026-07-28 over HTTP: every request stands for itself.

const open: HttpStage[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function set(how?: Parameters<typeof httpStage>[0]): Promise<HttpStage> {
  const made = await httpStage({ flags: ["--modern"], ...how });
  open.push(made);
  return made;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "tester", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function sentAs(token: string, method: string, params: JsonObject, id: string | number = 1) {
  const { _meta: own, ...rest } = params;
  const body = { jsonrpc: "2.0", id, method, params: { ...rest, _meta: { ...META, ...(own as JsonObject) } } };
  const name = params["name"] ?? params["uri"];
  const headers = {
    ...JSON_HEADERS,
    authorization: `Bearer ${token}`,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
  };
  return { headers, body: JSON.stringify(body) };
}

function call(token: string, name: string, args: JsonObject, more: JsonObject = {}) {
  return sentAs(token, "tools/call", { name, arguments: args, ...more });
}

function words({ messages }: HttpAnswer): string {
  return said(messages.at(-1) ?? {});
}

test("clients that use the same ids at the same time each get their own answer and progress", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const texts = Array.from({ length: 20 }, (_, n) => `text ${n}`);
  const answers = await Promise.all(texts.map((one) => s.send(call(text, "echo", { text: one }))));
  expect(answers.map(words)).toEqual(texts);
  expect(answers.map(({ messages }) => messages[0]?.["id"])).toEqual(texts.map(() => 1));
  const held = ["a", "b"].map((one) => s.send(call(text, "remove", { text: one }, { _meta: { progressToken: 5 } })));
  for (let count = 0; count < 2; count++) await approve(s.deps, await openQuestion(s));
  const both = await Promise.all(held);
  expect(both.map(words)).toEqual(["removed a", "removed b"]);
  for (const { messages } of both) expect(messages[0]).toMatchObject({ params: { progressToken: 5 } });
});

test("requests whose headers say something else than the message are refused before anything is decided", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const { headers, body } = call(text, "echo", { text: "x" });
  const { "mcp-method": _, ...without } = headers;
  const encoded = `=?base64?${Buffer.from("echo").toString("base64")}?=`;
  const tried = [
    { ...headers, "mcp-name": "remove" },
    { ...headers, "mcp-method": "tools/list" },
    { ...headers, "mcp-protocol-version": "2025-11-25" },
    without,
  ];
  for (const wrong of tried) {
    const { status, messages } = await s.send({ headers: wrong, body });
    expect([status, messages[0]]).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
  }
  expect(calledIn(s.ran())).toEqual([]);
  expect(words(await s.send({ headers: { ...headers, "mcp-name": encoded }, body }))).toBe("x");
});

test("arguments that a tool wants in headers too must stand there as in the message, before anything is decided", async () => {
  const s = await set({ flags: ["--modern", "--headers"] });
  const { text } = await s.tokenFor("coder");
  const encoded = (said: string) => `=?base64?${said}?=`;
  const tried = async (args: JsonObject, more: Record<string, string>) => {
    const { headers, body } = call(text, "echo", args);
    const answer = await s.send({ headers: { ...headers, ...more }, body });
    const { error } = answer.messages[0] as { error?: { code: number; message: string } };
    return error === undefined ? words(answer) : [answer.status, error.code, error.message];
  };
  const fault = (header: string, what: string) => [400, -32020, `the header mcp-param-${header} ${what}`];
  const OTHER = "says something else than the message";
  expect(await tried({ text: "Hello" }, {})).toEqual(fault("text", "is missing"));
  expect(await tried({ text: "Hello" }, { "mcp-param-text": "hello" })).toEqual(fault("text", OTHER));
  expect(await tried({ text: "Hello" }, { "mcp-param-text": encoded("SGVsbG8") })).toEqual(fault("text", OTHER));
  expect(await tried({ text: "Hello" }, { "mcp-param-text": encoded("SGVs!!!bG8=") })).toEqual(fault("text", OTHER));
  const deep = { text: "Hello", deep: { count: 42 } };
  const hello = { "mcp-param-text": encoded("SGVsbG8=") };
  expect(await tried(deep, hello)).toEqual(fault("count", "is missing"));
  expect(await tried(deep, { ...hello, "mcp-param-count": "0x2a" })).toEqual(fault("count", OTHER));
  expect(calledIn(s.ran())).toEqual([]);
  expect(await tried(deep, { ...hello, "mcp-param-count": "42.0" })).toBe("Hello");
  expect(await tried({ text: "Hello" }, { "mcp-param-text": "Hello" })).toBe("Hello");
  expect(await tried({}, { "mcp-param-text": "ignored" })).toBe("");
});

test("a request that does not say its version or what its client can do is refused under its id, and so is a header of another version", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const { headers } = sentAs(text, "tools/list", {});
  const tried = async (meta: JsonObject | undefined, version = "2026-07-28") => {
    const params = meta === undefined ? {} : { _meta: meta };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list", params });
    const { status, messages } = await s.send({ headers: { ...headers, "mcp-protocol-version": version }, body });
    const { id, error } = messages[0] as { id: unknown; error?: { code: number } };
    return [status, id, error?.code];
  };
  const VERSION = "io.modelcontextprotocol/protocolVersion";
  const { [VERSION]: _, ...unversioned } = META;
  const { "io.modelcontextprotocol/clientCapabilities": __, ...incapable } = META;
  const other = { ...META, [VERSION]: "v999" };
  expect(await tried(undefined)).toEqual([400, 7, -32602]);
  expect(await tried(unversioned)).toEqual([400, 7, -32602]);
  expect(await tried(incapable)).toEqual([400, 7, -32602]);
  expect(await tried(other)).toEqual([400, 7, -32020]);
  expect(await tried(other, "v999")).toEqual([400, 7, -32022]);
  expect(await tried(META)).toEqual([200, 7, undefined]);
});

test.each(["--modern", "--newer-only"])(
  "a client of the newer protocol that sends `initialize` is refused, and every other client of its token goes on (%s)",
  async (flag) => {
    const s = await set({ flags: [flag] });
    const { text } = await s.tokenFor("coder");
    const hello = { protocolVersion: "2026-07-28", capabilities: {}, clientInfo: { name: "tester", version: "1" } };
    const { status, messages } = await s.send(sentAs(text, "initialize", hello));
    expect([status, messages]).toEqual([
      404,
      [{ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "the protocol 2026-07-28 has no initialize" } }],
    ]);
    expect(words(await s.send(call(text, "echo", { text: "x" })))).toBe("x");
  },
);

test("a client that closes its request has cancelled it: it does not run when it is approved later", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const { headers, body } = call(text, "remove", { text: "a" });
  const closed = request(s.server.url, { method: "POST", headers });
  closed.on("error", () => undefined).end(body);
  const id = await openQuestion(s);
  closed.destroy();
  // When the gateway has answered a later request, it has heard of the end of the first one, and of the approval.
  expect(words(await s.send(call(text, "echo", { text: "x" })))).toBe("x");
  await approve(s.deps, id);
  expect(words(await s.send(call(text, "echo", { text: "y" })))).toBe("y");
  expect(calledIn(s.ran()).map(({ called }) => called)).toEqual(["echo", "echo"]);
  expect(words(await s.send(call(text, "remove", { text: "a" })))).toBe("removed a");
  expect(calledIn(s.ran()).filter(({ called }) => called === "remove")).toEqual([
    { called: "remove", args: { text: "a" } },
  ]);
});

test("a client that listens hears that the list of tools has changed", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const { headers, body } = sentAs(text, "subscriptions/listen", { notifications: { toolsListChanged: true } }, 9);
  let heard = "";
  const listening = request(s.server.url, { method: "POST", headers }, (response) => {
    response.on("data", (chunk) => {
      heard += chunk;
    });
    response.on("error", () => undefined);
  });
  listening.on("error", () => undefined).end(body);
  const notice = { method: "notifications/tools/list_changed", params: {} };
  await until(async () => {
    await s.send(sentAs(text, "test/notify", notice));
    return heard !== "";
  });
  const [event] = heard.split("\n\n");
  expect(JSON.parse(event?.split("data: ")[1] ?? "{}")).toEqual({
    jsonrpc: "2.0",
    method: "notifications/tools/list_changed",
    params: { _meta: { "io.modelcontextprotocol/subscriptionId": 9 } },
  });
  listening.destroy();
});

test("in front of several upstreams this protocol is offered too, and there is nothing to open or to end", async () => {
  const s = await set({ names: ["one", "two"] });
  const { text } = await s.tokenFor("coder");
  const { headers, body } = sentAs(text, "server/discover", {});
  const { status, messages } = await s.send({ headers, body });
  expect([status, messages]).toEqual([
    200,
    [
      {
        jsonrpc: "2.0",
        id: 1,
        result: expect.objectContaining({
          resultType: "complete",
          supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
        }),
      },
    ],
  ]);
  for (const method of ["GET", "DELETE"]) expect((await s.send({ method, headers })).status).toBe(405);
});
