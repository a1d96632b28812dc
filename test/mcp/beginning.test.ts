import { afterEach, expect, test } from "vitest";
import { listEntries } from "../../src/gate/record/ledger.ts";
import { calledIn, type Stage, type StageOptions, stage, type Told } from "./stage.ts";

// How a session of the gateway begins, and who its agent is.

const open: Stage[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function set(how?: StageOptions): Promise<Stage> {
  const made = await stage(how);
  open.push(made);
  return made;
}

const helloOf = (name: string) => ({
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name, version: "1" },
});
const FIRST = { error: { code: -32600, message: "this session has not begun; send `initialize` first" } };
const AGAIN = {
  error: { code: -32600, message: "this session has begun already; to be another client, connect again" },
};

/** The agents whose calls were decided, and the kinds of entries about them. */
async function recorded({ deps }: Stage): Promise<readonly (readonly [unknown, string])[]> {
  const entries = await listEntries(deps, {}, { limit: 100, order: "oldest" });
  return entries.flatMap(({ kind, subject }) =>
    subject.tool?.startsWith("mcp:") ? [[subject.agent, kind] as const] : [],
  );
}

test.each([1, 2])(
  "before `initialize` no method is answered but ping, nobody is asked and nothing is recorded (servers: %i)",
  async (count) => {
    const s = await set({ names: ["one", "two"].slice(0, count), hello: false });
    const before = await recorded(s);
    const prefix = count === 1 ? "" : "one__";
    expect(await s.call(`${prefix}remove`, { text: "a" })).toEqual(FIRST);
    expect(await s.call(`${prefix}echo`, { text: "a" })).toEqual(FIRST);
    for (const method of ["tools/list", "resources/read", "odd/method", "tasks/get"])
      expect(await s.ask(method)).toEqual(FIRST);
    expect(await s.ask("ping")).toEqual({ result: {} });
    expect([calledIn(s.ran()), await recorded(s)]).toEqual([[], before]);
    expect(await s.ask("initialize", helloOf("tester"))).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
    expect(await s.call(`${prefix}echo`, { text: "a" })).toMatchObject({ result: { content: [{ text: "a" }] } });
  },
);

const NEWER_META = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "tester", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

test("a client whose `initialize` the server does not know goes on in the newer protocol", async () => {
  const s = await set({ flags: ["--newer-only"], hello: false });
  expect(await s.ask("initialize", helloOf("tester"))).toMatchObject({ error: { code: -32601 } });
  expect(await s.ask("server/discover", NEWER_META)).toMatchObject({ result: { supportedVersions: ["2026-07-28"] } });
  expect(await s.call("echo", { text: "a" }, NEWER_META)).toMatchObject({ result: { content: [{ text: "a" }] } });
});

test("a client that tried the newer protocol first and then says `initialize` is one of the older protocol", async () => {
  const s = await set({ hello: false });
  expect(await s.ask("server/discover", NEWER_META)).toMatchObject({ error: { code: -32601 } });
  expect(await s.ask("initialize", helloOf("tester"))).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  const { result } = await s.call("leeway_status", { id: "apr_1" });
  expect(result).toEqual({ content: [{ type: "text", text: expect.any(String) }], isError: true });
});

test("a second `initialize` is refused, and the agent keeps its name", async () => {
  const s = await set({ hello: false });
  const before = (await recorded(s)).length;
  const both = [s.ask("initialize", helloOf("tester")), s.ask("initialize", helloOf("somebody else"))];
  expect((await Promise.all(both)).map((answer: Told) => answer["error"])).toEqual([undefined, AGAIN.error]);
  await s.call("echo", { text: "a" });
  expect(await s.ask("initialize", helloOf("somebody else"))).toEqual(AGAIN);
  await s.call("echo", { text: "b" });
  const agents = (await recorded(s)).slice(before).filter(([, kind]) => kind === "call.decided");
  expect(agents.map(([agent]) => agent)).toEqual(["tester", "tester"]);
});

test("in the protocol without `initialize`, the first name that a client gives itself stays", async () => {
  const s = await set({ flags: ["--modern"], hello: false });
  const before = (await recorded(s)).length;
  const as = (info?: { name: string; version: string }) => ({
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      ...(info === undefined ? {} : { "io.modelcontextprotocol/clientInfo": info }),
    },
  });
  await s.call("echo", { text: "a" }, as({ name: "tester", version: "1" }));
  await s.call("echo", { text: "b" }, as({ name: "somebody else", version: "1" }));
  await s.call("echo", { text: "c" }, as());
  const agents = (await recorded(s)).slice(before).filter(([, kind]) => kind === "call.decided");
  expect(agents.map(([agent]) => agent)).toEqual(["tester", "tester", "tester"]);
});
