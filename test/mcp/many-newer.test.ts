import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/values/json.ts";
import type { Connect, Hearing } from "../../src/mcp/links/link.ts";
import { approve } from "../../src/testing.ts";
import { calledIn, openQuestion, type Stage, type StageOptions, said, stage, type Told, upstreamAt } from "./stage.ts";

// A client of the protocol of 2026-07-28 in front of several servers, which know only the protocol with `initialize`.

const open: Stage[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function set(how: StageOptions = {}): Promise<Stage> {
  const made = await stage({ names: ["one", "two"], hello: false, ...how });
  open.push(made);
  return made;
}

function meta(capabilities: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "tester", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
      ...more,
    },
  };
}

const SERVER = { _meta: { "io.modelcontextprotocol/serverInfo": { name: "leeway", version: "0" } } };
const COMPLETE = { resultType: "complete", ...SERVER };
const LISTED = { ...COMPLETE, ttlMs: 0, cacheScope: "private" };

test("a client of the newer protocol finds the tools, prompts and resources of all servers, and its calls run", async () => {
  const s = await set();
  expect(await s.ask("server/discover", meta())).toEqual({
    result: {
      ...LISTED,
      supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
      capabilities: expect.objectContaining({ tools: { listChanged: true }, prompts: expect.anything() }),
      instructions: expect.any(String),
    },
  });
  const { tools, ...list } = (await s.ask("tools/list", meta()))["result"] as { tools: Told[] };
  expect(list).toEqual(LISTED);
  expect(tools.map(({ name }) => name)).toContain("two__echo");
  expect((await s.call("two__echo", { text: "b" }, meta()))["result"]).toMatchObject({
    ...COMPLETE,
    content: [{ type: "text", text: "b" }],
  });
  expect(await s.ask("prompts/list", meta())).toEqual({
    result: { ...LISTED, prompts: [{ name: "one__hello" }, { name: "two__hello" }] },
  });
  expect((await s.ask("prompts/get", { name: "two__hello", ...meta() }))["result"]).toMatchObject(COMPLETE);
  expect((await s.ask("resources/read", { uri: "test://one", ...meta() }))["result"]).toEqual({
    ...LISTED,
    contents: [{ uri: "test://one", text: "content" }],
  });
  expect([calledIn(s.ran("two"))]).toEqual([[{ called: "echo", args: { text: "b" } }]]);
  expect(await s.ask("no/method", meta())).toMatchObject({ error: { code: -32601 } });
});

test("every request stands for itself: the first one may be a call", async () => {
  const s = await set();
  expect(said(await s.call("one__echo", { text: "a" }, meta()))).toBe("a");
});

test("a call that waits for a person is a task for a client that knows tasks", async () => {
  const s = await set();
  const tasks = meta({ extensions: { "io.modelcontextprotocol/tasks": {} } });
  const { taskId, resultType } = (await s.call("one__remove", { text: "a" }, tasks))["result"] as Told;
  expect(resultType).toBe("task");
  await approve(s.deps, await openQuestion(s));
  const now = async () => (await s.ask("tasks/get", { taskId: String(taskId), ...tasks }))["result"] as Told;
  await s.until(async () => (await now())["status"] === "completed");
  expect((await now())["result"]).toMatchObject({ resultType: "complete" });
  expect(calledIn(s.ran("one"))).toEqual([{ called: "remove", args: { text: "a" } }]);
});

/** The two servers, and a way to make them say something on their own. */
async function talking(): Promise<{ s: Stage; says(message: JsonObject): void }> {
  const folder = mkdtempSync(join(tmpdir(), "leeway-talking-"));
  const hearings: Hearing[] = [];
  const { connect: real } = upstreamAt("one", join(folder, "journal.jsonl"), []);
  const connect: Connect = (hearing) => {
    hearings.push(hearing);
    return real(hearing);
  };
  const s = await set({ over: { connect } });
  rmSync(folder, { recursive: true, force: true });
  return { s, says: (message) => hearings.at(-1)?.line(JSON.stringify({ jsonrpc: "2.0", ...message })) };
}

test("a client that listens hears of changes of all servers, with the id of its request, until it cancels", async () => {
  const { s, says } = await talking();
  const wanted = { toolsListChanged: true, resourceSubscriptions: ["test://one"] };
  const { id } = s.begin("subscriptions/listen", { notifications: wanted, ...meta() });
  const subscription = { _meta: { "io.modelcontextprotocol/subscriptionId": id } };
  await s.until(() => s.heard.length > 0);
  says({ method: "notifications/tools/list_changed" });
  says({ method: "notifications/prompts/list_changed" });
  says({ method: "notifications/resources/updated", params: { uri: "test://other" } });
  expect(s.heard.map(({ method, params }) => [method, params])).toEqual([
    [
      "notifications/subscriptions/acknowledged",
      { notifications: expect.objectContaining({ toolsListChanged: true }), ...subscription },
    ],
    ["notifications/tools/list_changed", subscription],
  ]);
  s.tell("notifications/cancelled", { requestId: id });
  await s.ask("tools/list", meta());
  says({ method: "notifications/tools/list_changed" });
  expect(s.heard.length).toBe(2);
});

test("a client that neither listens nor wants logs gets answers only, and requests of servers are refused", async () => {
  const { s, says } = await talking();
  await s.ask("tools/list", meta());
  says({ method: "notifications/tools/list_changed" });
  says({ method: "notifications/message", params: { level: "info", data: "hello" } });
  says({ id: "a", method: "roots/list" });
  expect(s.heard).toEqual([]);
  await s.ask("tools/list", meta({}, { "io.modelcontextprotocol/logLevel": "info" }));
  says({ method: "notifications/message", params: { level: "info", data: "hello" } });
  expect(s.heard.map(({ params }) => params)).toEqual([{ level: "info", logger: "two", data: "[two] hello" }]);
});

const INFO = { _meta: { "io.modelcontextprotocol/serverInfo": { name: "one", version: "1" } } };

/** A server of the newer protocol that answers each call with a question to the client's user. */
function asking(request: JsonObject): Connect {
  return (hearing) => ({
    send: (line) => {
      const { id, method } = JSON.parse(line);
      const results: Record<string, JsonObject> = {
        initialize: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "one", version: "1" },
        },
        "tools/list": { tools: [{ name: "echo", inputSchema: { type: "object" } }], ...INFO },
        "tools/call": { resultType: "input_required", requestState: "theirs", inputRequests: { ask: request } },
      };
      if (id !== undefined) hearing.line(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
    },
    close: async () => undefined,
  });
}

test("a server that asks the user or uses the model inside of an answer may do so only if a person allowed it", async () => {
  const able = meta({ elicitation: {}, sampling: {} });
  const question = { method: "elicitation/create", params: { message: "Your password?" } };
  const sampling = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
  for (const request of [question, sampling]) {
    const shut = await set({ names: ["one"], over: { connect: asking(request) } });
    expect(await shut.call("echo", {}, able)).toEqual({
      error: { code: -32601, message: "the MCP server one wants something from the client that nobody allowed it" },
    });
  }
  const s = await set({ names: ["one"], over: { connect: asking(question), allowElicitation: true } });
  expect((await s.call("echo", {}, able))["result"]).toEqual({
    resultType: "input_required",
    requestState: "theirs",
    inputRequests: { ask: { method: "elicitation/create", params: { message: "[one] Your password?" } } },
  });
});
