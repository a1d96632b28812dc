import { afterEach, expect, test } from "vitest";
import { approve } from "../../src/testing.ts";
import { calledIn, openQuestion, questionsOf, type Stage, type StageOptions, said, stage, type Told } from "./stage.ts";

const open: Stage[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function set(how?: StageOptions): Promise<Stage> {
  const made = await stage(how);
  open.push(made);
  return made;
}

const names = ["one", "two"];

test("with several upstreams every tool has the name of its server before its own, and a call reaches only that server", async () => {
  const s = await set({ names });
  const { tools } = (await s.ask("tools/list"))["result"] as { tools: Told[] };
  expect(tools.map(({ name }) => name)).toEqual([
    ...["echo", "remove", "slow", "crash", "fail"].flatMap((name) => [`one__${name}`]),
    ...["echo", "remove", "slow", "crash", "fail"].flatMap((name) => [`two__${name}`]),
    "leeway_wait",
    "leeway_status",
  ]);
  expect(said(await s.call("two__echo", { text: "b" }))).toBe("b");
  expect([calledIn(s.ran("one")), calledIn(s.ran("two"))]).toEqual([[], [{ called: "echo", args: { text: "b" } }]]);
  expect(await s.call("echo", { text: "c" })).toEqual({ error: { code: -32602, message: "Unknown tool: echo" } });
});

test("a rule about a tool of one server does not hold for the same tool of another", async () => {
  const policy = 'version: 1\ntier: ask\ntools: { "mcp:*/echo": { class: none } }\ntiers: { "mcp:one/echo": auto }\n';
  const s = await set({ names, policy, options: { holdMs: { withProgress: 50, without: 50 } } });
  expect(said(await s.call("one__echo", { text: "a" }))).toBe("a");
  expect(said(await s.call("two__echo", { text: "b" }))).toContain("LEEWAY_PENDING");
  expect([calledIn(s.ran("one")).length, calledIn(s.ran("two")).length]).toEqual([1, 0]);
});

test("prompts, resources and completions are found at the server that has them", async () => {
  const s = await set({ names });
  expect(await s.ask("prompts/list")).toEqual({
    result: { prompts: [{ name: "one__hello" }, { name: "two__hello" }] },
  });
  expect(await s.ask("prompts/get", { name: "two__hello" })).toEqual({
    result: { messages: [{ role: "user", content: { type: "text", text: "hello" } }] },
  });
  expect(await s.ask("resources/read", { uri: "test://one" })).toEqual({
    result: { contents: [{ uri: "test://one", text: "content" }] },
  });
  expect(calledIn(s.ran("two"))).toEqual([]);
  expect(await s.ask("resources/read", { uri: "test://none" })).toMatchObject({ error: { code: -32602 } });
  expect(await s.ask("ping")).toEqual({ result: {} });
  expect(await s.ask("logging/setLevel", { level: "info" })).toEqual({ result: {} });
  expect(await s.ask("no/method")).toMatchObject({ error: { code: -32601 } });
});

test("one upstream that ends leaves the others untouched", async () => {
  const s = await set({ names });
  const [crash, echo] = await Promise.all([s.call("one__crash"), s.call("two__echo", { text: "b" })]);
  expect(said(crash)).toContain("The MCP server one stopped");
  expect(said(echo)).toBe("b");
});

test("an upstream may use the client's model or ask its user only if a person allowed it, and then its name is there", async () => {
  const sampling = { method: "sampling/createMessage", params: { messages: [], systemPrompt: "Be brief." } };
  const shut = await set({ capabilities: { sampling: {}, elicitation: {} } });
  expect(await shut.ask("test/ask", sampling)).toMatchObject({ result: { said: { code: -32601 } } });
  expect(shut.heard).toEqual([]);
  const s = await set({ over: { allowSampling: true, allowElicitation: true }, capabilities: { sampling: {} } });
  const asked = s.ask("test/ask", sampling);
  await s.until(() => s.heard.length > 0);
  expect(s.heard[0]).toMatchObject({
    method: "sampling/createMessage",
    params: { messages: [], systemPrompt: "This request comes from the MCP server one.\nBe brief." },
  });
  s.reply(s.heard[0]?.["id"], { role: "assistant" });
  expect(await asked).toEqual({ result: { said: { role: "assistant" } } });
  const elicited = s.ask("test/ask", { method: "elicitation/create", params: { message: "Your name?" } });
  await s.until(() => s.heard.length > 1);
  expect(s.heard[1]).toMatchObject({ method: "elicitation/create", params: { message: "[one] Your name?" } });
  s.reply(s.heard[1]?.["id"], { action: "decline" });
  expect(await elicited).toEqual({ result: { said: { action: "decline" } } });
});

test("log text of an upstream says which server it comes from; other notifications pass unchanged", async () => {
  const s = await set();
  await s.ask("test/notify", {
    method: "notifications/message",
    params: { level: "info", logger: "db", data: "hello" },
  });
  await s.ask("test/notify", { method: "notifications/resources/updated", params: { uri: "test://a" } });
  expect(s.heard).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/message",
      params: { level: "info", logger: "one/db", data: "[one] hello" },
    },
    { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "test://a" } },
  ]);
});

test("an upstream gets only the variables that are named for it", async () => {
  process.env["LEEWAY_TEST_SECRET"] = "secret";
  try {
    const s = await set();
    const { env } = (await s.ask("test/env"))["result"] as { env: Told };
    expect(Object.keys(env)).toEqual(["PATH"]);
  } finally {
    delete process.env["LEEWAY_TEST_SECRET"];
  }
});

const SUGGESTING =
  'version: 1\ntier: suggest\ntools: { "mcp:one/remove": { class: fs.delete } }\napprovals: { assurance: any }\n';

test("a call that is only proposed runs when a person approves it later, and leeway_wait returns its result", async () => {
  const s = await set({ policy: SUGGESTING });
  const proposed = await s.call("remove", { text: "a" });
  expect((proposed["result"] as Told)["isError"]).toBe(false);
  expect(said(proposed)).toContain("LEEWAY_SUGGESTED");
  const id = await openQuestion(s);
  expect(calledIn(s.ran())).toEqual([]);
  await approve(s.deps, id);
  await s.until(() => calledIn(s.ran()).length === 1);
  expect(said(await s.call("leeway_wait", { id }))).toBe("removed a");
  expect(calledIn(s.ran())).toEqual([{ called: "remove", args: { text: "a" } }]);
});

test("a question of another agent, or of another session with the same name, cannot be waited for or looked at", async () => {
  const s = await set({ policy: SUGGESTING });
  await s.call("remove", { text: "a" });
  const [asked] = await questionsOf(s, "pending");
  const id = asked?.id ?? "";
  for (const options of [{ agent: "other" }, {}]) {
    const other = await stage({ deps: s.deps, accepted: false, options });
    for (const tool of ["leeway_wait", "leeway_status"]) {
      expect(said(await other.call(tool, { id }))).toBe(
        `There is no question ${id} of this session. If you made the call in an earlier session, make the same call again: it waits for the same question.`,
      );
    }
    await other.gateway.close();
  }
});

test("a session that makes the same call as an earlier one of the same agent waits for the same question", async () => {
  const options = { holdMs: { withProgress: 50, without: 50 }, cwd: process.cwd() };
  const s = await set({ options });
  await s.call("remove", { text: "a" });
  const id = await openQuestion(s);
  const later = await stage({ deps: s.deps, accepted: false, options });
  expect(said(await later.call("remove", { text: "a" }))).toContain(`call the tool leeway_wait with the id ${id}`);
  await approve(s.deps, id);
  expect(said(await later.call("leeway_wait", { id }))).toBe("removed a");
  expect([calledIn(s.ran()), calledIn(later.ran())]).toEqual([[], [{ called: "remove", args: { text: "a" } }]]);
  await later.gateway.close();
});

test("hints of a server make a call stricter; they make it milder only if the server is trusted and the tool accepted", async () => {
  const policy = "version: 1\ntier: ask\ntiers: { network.read: auto }\n";
  const shy = await set({ policy, flags: ["--reader"], options: { holdMs: { withProgress: 50, without: 50 } } });
  expect(said(await shy.call("look"))).toContain("LEEWAY_PENDING");
  const trusted = await set({ policy, flags: ["--reader"], over: { trust: true } });
  await trusted.ask("tools/list");
  expect(said(await trusted.call("look"))).toBe("looked");
});
