import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CLIENTS, clientOf, type McpClient, serverProgram, type Ways, waysTo } from "./through.ts";

// The official clients of both protocol eras talk to the official servers, directly and through the gateway. The results
// must be the same for every method.

type Asked = readonly [what: string, ask: (client: McpClient) => Promise<unknown>];

const call = (name: string, args: Record<string, unknown> = {}): Asked => [
  `${name} ${JSON.stringify(args)}`,
  (client) => client.callTool({ name, arguments: args }),
];

const LISTS: readonly Asked[] = [
  ["ping", (client) => client.ping()],
  ["tools/list", (client) => client.listTools()],
];

const EVERYTHING: readonly Asked[] = [
  ...LISTS,
  ["resources/list", (client) => client.listResources()],
  ["resources/templates/list", (client) => client.listResourceTemplates()],
  ["prompts/list", (client) => client.listPrompts()],
  ["prompts/get", (client) => client.getPrompt({ name: "simple-prompt" })],
  ["prompts/get with arguments", (client) => client.getPrompt({ name: "args-prompt", arguments: { city: "Rome" } })],
  ["prompts/get of none", (client) => client.getPrompt({ name: "none" })],
  [
    "completion/complete",
    (client) =>
      client.complete({
        ref: { type: "ref/prompt", name: "completable-prompt" },
        argument: { name: "department", value: "E" },
      }),
  ],
  ["logging/setLevel", (client) => client.setLoggingLevel("error")],
  ["resources/read", (client) => client.readResource({ uri: "demo://resource/static/document/architecture.md" })],
  ["resources/read of none", (client) => client.readResource({ uri: "demo://none" })],
  ["resources/subscribe", (client) => client.subscribeResource({ uri: "demo://resource/dynamic/text/1" })],
  ["resources/unsubscribe", (client) => client.unsubscribeResource({ uri: "demo://resource/dynamic/text/1" })],
  call("echo", { message: "hello \u{1F600} \u202e" }),
  call("echo", {}),
  call("echo", { message: "x".repeat(100_000) }),
  call("get-sum", { a: 1.5, b: -2 }),
  call("get-tiny-image"),
  call("get-annotated-message", { messageType: "error", includeImage: true }),
  call("get-structured-content", { location: "New York" }),
  call("get-resource-reference", { resourceType: "Text", resourceId: 2 }),
  call("get-resource-links", { count: 3 }),
  call("trigger-long-running-operation", { duration: 0.2, steps: 2 }),
];

const FILESYSTEM: readonly Asked[] = [
  ...LISTS,
  call("list_allowed_directories"),
  call("read_text_file", { path: "a.txt" }),
  call("read_text_file", { path: "none.txt" }),
  call("read_text_file", { path: "/etc/passwd" }),
  call("read_multiple_files", { paths: ["a.txt", "none.txt"] }),
  call("write_file", { path: "b.txt", content: "new\n" }),
  call("edit_file", { path: "b.txt", edits: [{ oldText: "new", newText: "old" }], dryRun: true }),
  call("search_files", { path: ".", pattern: "*.txt" }),
  call("create_directory", { path: "d" }),
  call("move_file", { source: "b.txt", destination: "d/b.txt" }),
  call("list_directory", { path: "d" }),
];

let everything: Ways;
let filesystem: Ways;
beforeAll(async () => {
  everything = await waysTo("everything", () => [serverProgram("server-everything"), "stdio"]);
  filesystem = await waysTo("filesystem", (folder) => [serverProgram("server-filesystem"), folder]);
  await everything.accept();
  await filesystem.accept();
});
afterAll(() => {
  everything.remove();
  filesystem.remove();
});

async function results(client: McpClient, asked: readonly Asked[]): Promise<readonly unknown[]> {
  const found: unknown[] = [
    ["capabilities", client.getServerCapabilities()],
    ["server", client.getServerVersion()],
    ["instructions", client.getInstructions()],
  ];
  for (const [what, ask] of asked) {
    const answer = await ask(client).catch((error: { code?: number; message: string }) => [error.code, error.message]);
    found.push([what, comparable(answer)]);
  }
  await client.close();
  return found;
}

/** Times differ from run to run, and the gateway has two tools of its own. */
function comparable(answer: unknown): unknown {
  const text = JSON.stringify(answer).replaceAll(/\d{1,2}:\d{2}:\d{2}( [AP]M)?|\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "TIME");
  const parsed = JSON.parse(text);
  if (!Array.isArray(parsed?.tools)) return parsed;
  return { ...parsed, tools: parsed.tools.filter(({ name }: { name: string }) => !name.startsWith("leeway_")) };
}

const TRIED: readonly [client: keyof typeof CLIENTS, server: string, ways: () => Ways, asked: readonly Asked[]][] = [
  ["sdk 1.32", "everything", () => everything, EVERYTHING],
  ["client 2.4", "everything", () => everything, EVERYTHING],
  ["sdk 1.32", "filesystem", () => filesystem, FILESYSTEM],
  ["client 2.4", "filesystem", () => filesystem, FILESYSTEM],
];

test.each(TRIED)(
  "%s and the official server %s: every method has the same result as without the gateway",
  async (kind, _, ways, asked) => {
    const direct = await results(await clientOf(kind, ways().direct), asked);
    // The files are as they were before.
    rmSync(`${ways().folder}/d`, { recursive: true, force: true });
    const through = await results(await clientOf(kind, ways().through), asked);
    rmSync(`${ways().folder}/d`, { recursive: true, force: true });
    expect(through).toEqual(direct);
  },
);

test("an official server behind the gateway sees only PATH and HOME of the gateway's variables", async () => {
  const client = await clientOf("sdk 1.32", everything.through);
  const { content } = await client.callTool({ name: "get-env", arguments: {} });
  expect(Object.keys(JSON.parse(content[0]?.text ?? "{}")).sort()).toEqual(["HOME", "PATH"]);
  await client.close();
});

test("a thousand calls at once through the gateway: the official client gets a result for each", async () => {
  const client = await clientOf("sdk 1.32", everything.through);
  const texts = Array.from({ length: 1000 }, (_, n) => `Echo: text ${n}`);
  const answers = await Promise.all(
    texts.map((_, n) => client.callTool({ name: "echo", arguments: { message: `text ${n}` } })),
  );
  expect(answers.map(({ content }) => content[0]?.text)).toEqual(texts);
  await client.close();
});
