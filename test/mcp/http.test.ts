import { afterEach, expect, test } from "vitest";
import { listSessions } from "../../src/gate/calls/session-list.ts";
import { addToken, revokeToken } from "../../src/gate/people/tokens.ts";
import { approve } from "../../src/testing.ts";
import { exchanged, statusOf } from "../http/raw.ts";
import { type HttpAnswer, type HttpStage, httpStage, JSON_HEADERS } from "./http-stage.ts";
import { calledIn, openQuestion, questionsOf, said, type Told, until } from "./stage.ts";

const open: HttpStage[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function set(how?: Parameters<typeof httpStage>[0]): Promise<HttpStage> {
  const made = await httpStage(how);
  open.push(made);
  return made;
}

const HELLO = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "tester", version: "1" } },
});

function errorIn({ status, messages }: HttpAnswer): [number, string] {
  return [status, String((messages[0]?.["error"] as Told | undefined)?.["message"])];
}

/** The words of the last message: the answer to a call. */
function words({ messages }: HttpAnswer): string {
  return said(messages.at(-1) ?? {});
}

test("a client without an agent's token is told so, and nothing of the request is read", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const person = await addToken(s.deps, { person: "ana", can: "approve" }, { by: "ana", assurance: "tty" });
  const tried = (headers: Record<string, string>) =>
    s.send({ headers: { ...JSON_HEADERS, ...headers }, body: HELLO }).then(errorIn);
  const none = await s.send({ headers: JSON_HEADERS, body: HELLO });
  expect(none.headers["www-authenticate"]).toBe("Bearer");
  expect(errorIn(none)).toEqual([
    401,
    "no token was sent; send the token of an agent in the header `Authorization: Bearer …`; `leeway tokens add --agent NAME` makes one (LEEWAY_UNAUTHENTICATED)",
  ]);
  expect(await tried({ authorization: `Bearer ${text.slice(0, -1)}x` })).toEqual([
    401,
    expect.stringContaining("not valid here"),
  ]);
  expect(await tried({ authorization: `Bearer ${person.ok ? person.value.text : ""}` })).toEqual([
    403,
    expect.stringContaining("the token of a person"),
  ]);
  const good = { authorization: `Bearer ${text}` };
  expect(await tried({ ...good, host: "evil.example" })).toEqual([
    403,
    expect.stringContaining("another name than evil.example"),
  ]);
  expect(await tried({ ...good, origin: "https://evil.example" })).toEqual([
    403,
    expect.stringContaining("came from another site: https://evil.example"),
  ]);
  // Accepting the tools was the last that the upstream was used for.
  expect(s.ran().filter((one) => "told" in one)).toEqual([{ told: "notifications/initialized" }]);
  const [status] = await tried(good);
  expect(status).toBe(200);
});

test("each session is a session of calls of the token's agent, with its own upstream; other tokens do not find it", async () => {
  const s = await set();
  const coder = await s.tokenFor("coder");
  const other = await s.tokenFor("other");
  const [first, second] = [await s.client(coder.text), await s.client(coder.text)];
  const answer = await first.call("echo", { text: "hello" });
  expect([answer.status, answer.headers["content-type"], answer.messages]).toEqual([
    200,
    "application/json",
    [
      {
        jsonrpc: "2.0",
        id: 1,
        result: { content: [{ type: "text", text: "hello" }], structuredContent: { said: "hello" } },
      },
    ],
  ]);
  await second.call("echo", { text: "again" });
  const sessions = await listSessions(s.deps);
  expect(sessions.map(({ agent }) => agent)).toEqual(["coder", "coder"]);
  expect(new Set(sessions.map(({ session }) => session)).size).toBe(2);
  const stolen = { authorization: `Bearer ${other.text}`, "mcp-session-id": first.session };
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 9, method: "ping" });
  for (const method of ["POST", "GET", "DELETE"]) {
    const tried = await s.send({
      method,
      headers: { ...JSON_HEADERS, ...stolen },
      ...(method === "POST" ? { body: ping } : {}),
    });
    expect(errorIn(tried)).toEqual([404, expect.stringContaining("no session with this id")]);
  }
  expect(
    (await s.send({ method: "DELETE", headers: { ...stolen, authorization: `Bearer ${coder.text}` } })).status,
  ).toBe(204);
  expect(errorIn(await first.call("echo", { text: "late" }))[0]).toBe(404);
  expect(words(await second.call("echo", { text: "still here" }))).toBe("still here");
});

test("a call that must be asked about is held, then answered with how to wait, and runs once after the approval", async () => {
  const s = await set({ options: { holdMs: { withProgress: 20_000, without: 100 } } });
  const client = await s.client((await s.tokenFor("coder")).text);
  const pending = await client.call("remove", { text: "a" });
  const id = await openQuestion(s);
  expect(words(pending)).toContain(`call the tool leeway_wait with the id ${id}`);
  expect(calledIn(s.ran())).toEqual([]);
  await approve(s.deps, id);
  expect(words(await client.call("leeway_wait", { id }))).toBe("removed a");
  expect(calledIn(s.ran())).toEqual([{ called: "remove", args: { text: "a" } }]);
});

test("a client that gave a progress token hears in the same response that its call waits, and then its result", async () => {
  const s = await set();
  const client = await s.client((await s.tokenFor("coder")).text);
  const call = client.call("remove", { text: "a" }, { _meta: { progressToken: 7 } });
  const id = await openQuestion(s);
  await approve(s.deps, id);
  const { headers, messages } = await call;
  expect([headers["content-type"], messages]).toEqual([
    "text/event-stream",
    [
      {
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: 7, progress: 0, message: `waiting for a person to answer the question ${id}` },
      },
      { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "removed a" }] } },
    ],
  ]);
});

test("what an upstream says or asks reaches the client's stream, and its answer reaches the upstream", async () => {
  const s = await set({ over: { allowSampling: true } });
  const client = await s.client((await s.tokenFor("coder")).text, { sampling: {} });
  const stream = await client.listen();
  const log = { method: "notifications/message", params: { level: "info", data: "hi" } };
  // Another request is open, so nobody can tell to which of them the message belongs.
  const slow = client.call("slow", {}).catch(() => undefined);
  await until(() => calledIn(s.ran()).length === 1);
  await client.post({ id: 80, method: "test/notify", params: log });
  const asked = client.post({ id: 81, method: "test/ask", params: { method: "sampling/createMessage", params: {} } });
  await until(() => stream.heard.length === 2);
  expect(stream.heard.map(({ method }) => method)).toEqual(["notifications/message", "sampling/createMessage"]);
  const reply = { id: String(stream.heard[1]?.["id"]), result: { content: "ok" } };
  expect((await client.post(reply)).status).toBe(202);
  expect((await asked).messages.at(-1)?.["result"]).toEqual({ said: { content: "ok" } });
  stream.close();
  await client.post({ method: "notifications/cancelled", params: { requestId: 1 } });
  await s.close();
  open.pop();
  await slow;
});

test("messages that cannot be read in one way, are too large, or come without their session reach no upstream", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const client = await s.client(text);
  const own = { ...JSON_HEADERS, authorization: `Bearer ${text}` };
  const inSession = { ...own, "mcp-session-id": client.session };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo", arguments: { text: "x" } } };
  const line = JSON.stringify(call);
  const tried: [Record<string, string>, string | Buffer][] = [
    [inSession, `[${line}]`],
    [inSession, line.slice(0, -1)],
    [inSession, line.replace('"method"', '"method":"ping","method"')],
    [inSession, `${line}${" ".repeat(8 * 1024 * 1024)}`],
    [{ ...inSession, "content-type": "text/plain" }, line],
    [{ ...inSession, "mcp-protocol-version": "2024-01-01" }, line],
    [{ ...inSession, "mcp-session-id": "none" }, line],
    [own, line],
  ];
  const answers = [];
  for (const [headers, body] of tried) answers.push((await s.send({ headers, body: String(body) })).status);
  expect(answers).toEqual([400, 400, 400, 413, 415, 400, 404, 400]);
  expect((await s.send({ method: "PUT", headers: own })).status).toBe(405);
  expect((await s.send({ path: "/other", headers: own, body: line })).status).toBe(404);
  expect(calledIn(s.ran())).toEqual([]);
});

test("a line break inside of a message does not hide a second message from the gate", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const client = await s.client(text);
  const hidden =
    '{"jsonrpc":"2.0","id":66,"method":"tools/call","params":{"name":"remove","arguments":{"text":"all"}}}';
  for (const [at, end] of ["\n", "\r\n", "\r"].entries()) {
    const body = `{"jsonrpc":"2.0","id":${at + 50},"method":"odd/method","params":{"a":${end}${hidden}${end}}}`;
    const headers = { ...JSON_HEADERS, authorization: `Bearer ${text}`, "mcp-session-id": client.session };
    const { messages } = await s.send({ headers, body });
    expect(messages).toEqual([
      { jsonrpc: "2.0", id: at + 50, result: { params: { a: JSON.parse(hidden) }, more: [{ deep: null }] } },
    ]);
  }
  expect(calledIn(s.ran())).toEqual([]);
});

test("a session ends if nobody uses it, but not while people have a question of it", async () => {
  const s = await set({ options: { idleMs: 200, holdMs: { withProgress: 50, without: 50 } } });
  const { text } = await s.tokenFor("coder");
  // On a busy machine a session may end before its first call arrives; the client then begins another one.
  const used = async (tool: string, args: { text: string }) => {
    for (;;) {
      const client = await s.client(text);
      if ((await client.call(tool, args)).status !== 404) return client;
    }
  };
  const client = await used("remove", { text: "a" });
  const id = await openQuestion(s);
  const idle = await used("echo", { text: "b" });
  await until(async () => (await listSessions(s.deps)).some(({ state }) => state === "finished"));
  expect((await idle.post({ id: 1, method: "ping" })).status).toBe(404);
  expect(await questionsOf(s, "pending")).toHaveLength(1);
  await approve(s.deps, id);
  expect(words(await client.call("leeway_wait", { id }))).toBe("removed a");
});

test("a new session takes the place of one that nobody uses, but of none that waits for people", async () => {
  const s = await set({ options: { holdMs: { withProgress: 50, without: 50 } } });
  const { text } = await s.tokenFor("coder");
  const waiting = await s.client(text);
  await waiting.call("remove", { text: "a" });
  const all = [waiting];
  for (let count = 0; count < 20; count++) all.push(await s.client(text));
  const states = [];
  for (const client of all) states.push((await client.post({ id: 1, method: "ping" })).status);
  expect(states).toEqual([200, 404, ...Array.from({ length: 19 }, () => 200)]);
});

test("a held call does not run if the token was revoked before the approval", async () => {
  const s = await set();
  const { text, token } = await s.tokenFor("coder");
  const client = await s.client(text);
  const call = client.call("remove", { text: "a" }, { _meta: { progressToken: 1 } });
  const id = await openQuestion(s);
  await revokeToken(s.deps, token.id, { by: "ana" });
  await approve(s.deps, id);
  const { messages } = await call;
  expect(JSON.stringify(messages.at(-1))).not.toContain("removed a");
  expect(errorIn(await client.post({ id: 3, method: "ping" }))[0]).toBe(401);
  expect(calledIn(s.ran())).toEqual([]);
});

test("a header that decides and is sent twice is refused: two hosts, two tokens, two sessions", async () => {
  const s = await set();
  const { text } = await s.tokenFor("coder");
  const { port } = new URL(s.server.url);
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${text}\r\nConnection: close\r\n`;
  const twice = ["Host: evil.example", "Authorization: Bearer x", "Mcp-Session-Id: a\r\nMcp-Session-Id: b"];
  for (const more of twice) {
    const answer = await exchanged(Number(port), `${head}Content-Length: 0\r\n${more}\r\n\r\n`);
    expect([more, statusOf(answer), answer.includes("more than once")]).toEqual([more, 400, true]);
  }
});
