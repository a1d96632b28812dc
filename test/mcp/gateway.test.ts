import { afterEach, expect, test } from "vitest";
import { listSessions } from "../../src/gate/calls/session-list.ts";
import { approve, deny } from "../../src/testing.ts";
import { calledIn, openQuestion, type Stage, type StageOptions, said, stage, type Told } from "./stage.ts";

const open: Stage[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function set(how?: StageOptions): Promise<Stage> {
  const made = await stage(how);
  open.push(made);
  return made;
}

test("an allowed call reaches the upstream as it was sent, and its result comes back as it was answered", async () => {
  const s = await set();
  expect(await s.call("echo", { text: "hello" })).toEqual({
    result: { content: [{ type: "text", text: "hello" }], structuredContent: { said: "hello" } },
  });
  expect(calledIn(s.ran())).toEqual([{ called: "echo", args: { text: "hello" } }]);
});

test("methods and fields that the gateway does not know pass unchanged", async () => {
  const s = await set();
  expect(await s.ask("odd/method", { a: { b: [1, null] } })).toEqual({
    result: { params: { a: { b: [1, null] } }, more: [{ deep: null }] },
  });
  expect(await s.ask("no/method")).toEqual({ error: { code: -32601, message: "Method not found: no/method" } });
});

test("a method that a tolerant server may take for a call of a tool is refused, and does not reach it", async () => {
  const s = await set();
  for (const method of ["Tools/Call", "tools/call ", "tools/execute", "\uff54ools/call", "Resources/Read"])
    expect(await s.ask(method, { name: "remove", arguments: { text: "a" } })).toMatchObject({
      error: { code: -32601, message: expect.stringContaining("Leeway knows no method") },
    });
  expect(calledIn(s.ran())).toEqual([]);
});

test("tools that a person accepted are listed as the upstream wrote them, from every page, with the gateway's own after them", async () => {
  for (const flags of [[], ["--pages"]]) {
    const s = await set({ flags });
    const { result } = await s.ask("tools/list");
    const { tools } = result as { tools: Told[] };
    expect(tools.map(({ name }) => name)).toEqual([
      "echo",
      "remove",
      "slow",
      "crash",
      "fail",
      "leeway_wait",
      "leeway_status",
    ]);
    expect(tools[0]).toEqual({
      name: "echo",
      description: "says it again",
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
      odd: { kept: [1, 2] },
    });
  }
});

test("a call that must be asked about is held until a person approves it, and then runs once", async () => {
  const s = await set();
  const call = s.call("remove", { text: "a" });
  const id = await openQuestion(s);
  expect(calledIn(s.ran())).toEqual([]);
  await approve(s.deps, id);
  expect(said(await call)).toBe("removed a");
  expect(calledIn(s.ran())).toEqual([{ called: "remove", args: { text: "a" } }]);
});

test("a call that a person denies does not run, and the model is told why", async () => {
  const s = await set();
  const call = s.call("remove", { text: "a" });
  await deny(s.deps, await openQuestion(s), { note: "keep it" });
  const answer = await call;
  expect(said(answer)).toContain("keep it");
  expect((answer["result"] as Told)["isError"]).toBe(true);
  expect(calledIn(s.ran())).toEqual([]);
});

test("a client that does not wait long enough is told to call leeway_wait, which runs the call when it is approved", async () => {
  const s = await set({ options: { holdMs: { withProgress: 100, without: 100 } } });
  const pending = await s.call("remove", { text: "a" });
  const id = await openQuestion(s);
  expect(said(pending)).toContain(`call the tool leeway_wait with the id ${id}`);
  expect(said(await s.call("leeway_status", { id }))).toContain("LEEWAY_PENDING");
  await approve(s.deps, id);
  expect(said(await s.call("leeway_status", { id }))).toContain("leeway_wait");
  expect(calledIn(s.ran())).toEqual([]);
  expect(said(await s.call("leeway_wait", { id }))).toBe("removed a");
  expect(calledIn(s.ran())).toEqual([{ called: "remove", args: { text: "a" } }]);
  expect(said(await s.call("leeway_wait", { id }))).toBe("removed a");
  expect(calledIn(s.ran()).length).toBe(1);
});

test("the same call, sent again while the question is open, waits for the same question", async () => {
  const s = await set({ options: { holdMs: { withProgress: 100, without: 100 } } });
  await s.call("remove", { text: "a" });
  const id = await openQuestion(s);
  await approve(s.deps, id);
  expect(said(await s.call("remove", { text: "a" }))).toBe("removed a");
  expect(calledIn(s.ran()).length).toBe(1);
});

test("a client that gave a progress token hears at once that the call waits for a person", async () => {
  const s = await set();
  const call = s.call("remove", { text: "a" }, { _meta: { progressToken: "t" } });
  const id = await openQuestion(s);
  await s.until(() => s.heard.length > 0);
  expect(s.heard).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "t", progress: 0, message: `waiting for a person to answer the question ${id}` },
    },
  ]);
  await approve(s.deps, id);
  await call;
});

test("reading a resource is decided as a read from the network", async () => {
  const s = await set();
  expect(await s.ask("resources/read", { uri: "test://a" })).toEqual({
    result: { contents: [{ uri: "test://a", text: "content" }] },
  });
  const denied = await set({ policy: "version: 1\ntier: ask\ntiers: { network.read: deny }\n", accepted: false });
  const { error } = await denied.ask("resources/read", { uri: "test://a" });
  expect(error).toMatchObject({ code: -32000, message: expect.stringContaining("LEEWAY_DENIED") });
  expect(calledIn(denied.ran())).toEqual([]);
});

test("messages that two parsers could read in different ways reach no upstream", async () => {
  const s = await set();
  const call = '"jsonrpc":"2.0","id":90';
  for (const line of [
    `{${call},"method":"odd/method","method":"tools/call","params":{"name":"echo"}}`,
    `{${call},"method":"odd/method","Method":"tools/call","params":{"name":"echo"}}`,
    `{${call},"method":"odd/method","param\u017f":{"name":"echo"}}`,
    `{${call},"method":"tools/call","params":{"name":"echo","Name":"remove"}}`,
    `{${call},"method":"tools/call","params":{"name":"echo","Arguments":{"text":"b"}}}`,
    `[{${call},"method":"tools/call","params":{"name":"echo"}}]`,
    `{${call},"method":"tools/call","params":{"name":"echo"}`,
  ]) {
    s.raw(line);
  }
  await s.ask("odd/method");
  expect(s.heard.map(({ error }) => (error as Told)["code"])).toEqual([
    -32700, -32600, -32600, -32600, -32600, -32600, -32700,
  ]);
  expect(calledIn(s.ran())).toEqual([]);
});

test("a tool that fails is recorded as failed, and its answer is passed on", async () => {
  const s = await set();
  expect(await s.call("fail")).toEqual({
    result: { content: [{ type: "text", text: "it went wrong" }], isError: true },
  });
  const { store, workspace } = s.deps;
  const [last] = await store.read({
    ask: "entries",
    workspace,
    where: { kinds: ["execution.failed"] },
    limit: 1,
    order: "newest",
  });
  expect(last?.kind).toBe("execution.failed");
});

test("an upstream that ends while it runs a call: the result is unknown, and the next call starts it again", async () => {
  const s = await set();
  const answer = await s.call("crash");
  expect(said(answer)).toContain("Whether the call had an effect is not known");
  expect(
    (
      await s.deps.store.read({
        ask: "entries",
        workspace: s.deps.workspace,
        where: { kinds: ["execution.unknown"] },
        limit: 5,
        order: "newest",
      })
    ).length,
  ).toBe(1);
  expect(said(await s.call("echo", { text: "again" }))).toBe("again");
});

test("a cancelled call is cancelled at the upstream, gets no answer, and is no question for people", async () => {
  const s = await set();
  const { id, answer } = s.begin("tools/call", { name: "slow", arguments: {} });
  await s.until(() => calledIn(s.ran()).length === 1);
  s.tell("notifications/cancelled", { requestId: id, reason: "changed my mind" });
  await s.until(() => s.ran().some(({ told }) => told === "notifications/cancelled"));
  const first = await Promise.race([answer, s.ask("odd/method").then(() => "no answer")]);
  expect(first).toBe("no answer");
  const unknown = { kinds: ["execution.unknown"] } as const;
  const { store, workspace } = s.deps;
  expect(await store.read({ ask: "entries", workspace, where: unknown, limit: 1, order: "newest" })).toEqual([]);
});

test("a call that is cancelled while people are asked does not run when they approve it later", async () => {
  const s = await set();
  const { id } = s.begin("tools/call", { name: "remove", arguments: { text: "a" } });
  const question = await openQuestion(s);
  s.tell("notifications/cancelled", { requestId: id });
  await approve(s.deps, question);
  await s.ask("odd/method");
  expect(calledIn(s.ran())).toEqual([]);
});

test("a thousand calls at once each get their own result", async () => {
  const s = await set();
  const texts = Array.from({ length: 1000 }, (_, n) => `text ${n}`);
  const answers = await Promise.all(texts.map((text) => s.call("echo", { text })));
  expect(answers.map(said)).toEqual(texts);
}, 30_000);

test("when the client closes, its session is finished, and a question that still waits is closed", async () => {
  const s = await set({ options: { holdMs: { withProgress: 20, without: 20 } } });
  await s.call("echo", { text: "a" });
  await s.call("remove", { text: "b" });
  const states = async () =>
    (await listSessions(s.deps)).map(({ agent, state, questions }) => [agent, state, questions]);
  expect(await states()).toEqual([["tester", "waiting", 1]]);
  await s.gateway.close();
  expect(await states()).toEqual([["tester", "finished", 0]]);
});
