import { afterEach, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/values/json.ts";
import { approve, deny } from "../../src/testing.ts";
import { calledIn, openQuestion, questionsOf, type Stage, type StageOptions, said, stage, type Told } from "./stage.ts";

// Clients of the protocol of 2026-07-28 that are asked to come back while people decide: with the address of the question,
// or with a task.

const open: Stage[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function set(how: StageOptions = {}): Promise<Stage> {
  const options = {
    linkTo: (id: string) => `http://127.0.0.1:4141/approvals/${id}`,
    holdMs: { withProgress: 200, without: 200 },
    agent: "coder",
    ...how.options,
  };
  const made = await stage({ flags: ["--modern"], hello: false, ...how, options });
  open.push(made);
  return made;
}

function meta(capabilities: JsonObject): JsonObject {
  return {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "tester", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    },
  };
}

const LINKS = meta({ elicitation: { url: {} } });
const TASKS = meta({ extensions: { "io.modelcontextprotocol/tasks": {} } });

async function removal(s: Stage, text: string, more: JsonObject): Promise<Told> {
  return (await s.call("remove", { text }, more))["result"] as Told;
}

function back(requestState: unknown): JsonObject {
  return { ...LINKS, requestState: String(requestState), inputResponses: { gate: { action: "accept" } } };
}

test("a client that can open addresses is shown the question at once, and comes back for the result", async () => {
  const s = await set();
  const first = await removal(s, "a", LINKS);
  const id = await openQuestion(s);
  expect(first).toEqual({
    resultType: "input_required",
    requestState: expect.stringMatching(/^leeway\./),
    inputRequests: {
      gate: {
        method: "elicitation/create",
        params: {
          mode: "url",
          message: `waiting for a person to answer the question ${id}`,
          url: `http://127.0.0.1:4141/approvals/${id}`,
        },
      },
    },
  });
  const second = await removal(s, "a", back(first["requestState"]));
  expect(second).toEqual({ resultType: "input_required", requestState: expect.stringMatching(/^leeway\./) });
  // What the client says about the address answers nothing.
  expect(calledIn(s.ran())).toEqual([]);
  const third = s.call("remove", { text: "a" }, back(second["requestState"]));
  await approve(s.deps, id);
  expect(said(await third)).toBe("removed a");
  expect(calledIn(s.ran())).toEqual([{ called: "remove", args: { text: "a" } }]);
});

test("after eight rounds the client gets words in place of another round", async () => {
  const s = await set({ options: { holdMs: { withProgress: 10, without: 10 } } });
  let answer = await removal(s, "a", LINKS);
  let rounds = 0;
  for (; answer["resultType"] === "input_required"; rounds++)
    answer = await removal(s, "a", back(answer["requestState"]));
  expect(rounds).toBe(8);
  expect(said({ result: answer })).toContain("call the tool leeway_wait");
});

test("a request state works once, for its own call and its own agent, and nobody else can make one", async () => {
  const s = await set();
  const { requestState } = await removal(s, "a", LINKS);
  const other = await set({ deps: s.deps, accepted: false, options: { agent: "other" } });
  open.unshift({ ...(open.pop() as Stage), close: () => other.gateway.close() });
  const [prefix, text = "", mark] = String(requestState).split(".");
  const state = JSON.parse(Buffer.from(text, "base64url").toString());
  const forged = Buffer.from(JSON.stringify({ ...state, call: "x" })).toString("base64url");
  const refused = async (at: Stage, given: string, args: JsonObject = { text: "a" }) =>
    ((await at.call("remove", args, back(given)))["error"] as Told | undefined)?.["message"];
  const why = expect.stringContaining("the requestState is not valid");
  expect(await refused(s, `${prefix}.${forged}.${mark}`)).toEqual(why);
  expect(await refused(s, `${prefix}.${text}.`)).toEqual(why);
  expect(await refused(s, "leeway.")).toEqual(why);
  expect(await refused(s, String(requestState), { text: "b" })).toEqual(why);
  expect(await refused(other, String(requestState))).toEqual(why);
  expect(await refused(s, String(requestState))).toBeUndefined();
  expect(await refused(s, String(requestState))).toEqual(why);
  expect(await questionsOf(s, "pending")).toHaveLength(1);
  expect(calledIn(s.ran())).toEqual([]);
});

test("without an address, and for clients that cannot open one, the call is held as always", async () => {
  const s = await set({ options: { linkTo: () => undefined } });
  expect(said({ result: await removal(s, "a", LINKS) })).toContain("call the tool leeway_wait");
  const plain = await set();
  expect(said({ result: await removal(plain, "a", meta({ elicitation: { form: {} } })) })).toContain("leeway_wait");
});

test("what a client brings back for its server reaches the server as it came", async () => {
  const s = await set();
  const more = { ...LINKS, requestState: "the server's own", inputResponses: { a: { action: "accept" } } };
  const { result } = await s.ask("odd/method", more);
  expect(result).toMatchObject({ params: { requestState: "the server's own" } });
  expect(said(await s.call("echo", { text: "x" }, more))).toBe("x");
});

async function task(s: Stage, method: string, taskId: unknown): Promise<Told> {
  const { result, error } = await s.ask(method, { ...TASKS, taskId: String(taskId) });
  return (result ?? error) as Told;
}

test("a client that knows tasks gets one once the question is recorded; the call runs when it asks after the approval", async () => {
  const s = await set();
  const made = await removal(s, "a", TASKS);
  const [question] = await questionsOf(s, "pending");
  expect(made).toEqual({
    resultType: "task",
    taskId: `leeway.${question?.id}`,
    status: "working",
    statusMessage: `waiting for a person to answer the question ${question?.id}: http://127.0.0.1:4141/approvals/${question?.id}`,
    createdAt: expect.any(String),
    lastUpdatedAt: expect.any(String),
    ttlMs: null,
    pollIntervalMs: 1000,
  });
  expect(await task(s, "tasks/get", made["taskId"])).toMatchObject({ resultType: "complete", status: "working" });
  await approve(s.deps, question?.id);
  expect(calledIn(s.ran())).toEqual([]);
  await Promise.all([1, 2, 3].map(() => task(s, "tasks/get", made["taskId"])));
  await s.until(async () => (await task(s, "tasks/get", made["taskId"]))["status"] === "completed");
  expect(await task(s, "tasks/get", made["taskId"])).toMatchObject({
    status: "completed",
    result: { resultType: "complete", content: [{ type: "text", text: "removed a" }] },
  });
  expect(calledIn(s.ran())).toEqual([{ called: "remove", args: { text: "a" } }]);
});

test("a task that a person denies is complete with the reason; one that the client cancels closes its question", async () => {
  const s = await set();
  const denied = await removal(s, "a", TASKS);
  await deny(s.deps, await openQuestion(s), { note: "keep it" });
  const { status, result } = await task(s, "tasks/get", denied["taskId"]);
  expect([status, said({ result }), (result as Told)["isError"]]).toEqual([
    "completed",
    expect.stringContaining("keep it"),
    true,
  ]);
  const dropped = await removal(s, "b", TASKS);
  await openQuestion(s);
  expect(await task(s, "tasks/update", dropped["taskId"])).toMatchObject({ code: -32602 });
  expect(await task(s, "tasks/cancel", dropped["taskId"])).toEqual({ resultType: "complete" });
  expect(await task(s, "tasks/get", dropped["taskId"])).toMatchObject({ status: "cancelled" });
  expect(await questionsOf(s, "pending")).toEqual([]);
  expect(calledIn(s.ran())).toEqual([]);
});

test("a task of somebody else is not found, and tasks of the server are the server's", async () => {
  const s = await set();
  const { taskId } = await removal(s, "a", TASKS);
  const other = await set({ deps: s.deps, accepted: false, options: { agent: "other" } });
  open.unshift({ ...(open.pop() as Stage), close: () => other.gateway.close() });
  for (const method of ["tasks/get", "tasks/cancel"])
    expect(await task(other, method, taskId)).toMatchObject({ code: -32602 });
  expect(await task(s, "tasks/get", "of-the-server")).toMatchObject({ code: -32601 });
  expect(await questionsOf(s, "pending")).toHaveLength(1);
});
