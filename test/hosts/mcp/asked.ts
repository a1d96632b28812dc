import type { McpClient } from "./through.ts";

// What the official clients are made to ask for, and the results in a form that can be compared.

export type Asked = readonly [what: string, ask: (client: McpClient) => Promise<unknown>];

const call = (name: string, args: Record<string, unknown> = {}): Asked => [
  `${name} ${JSON.stringify(args)}`,
  (client) => client.callTool({ name, arguments: args }),
];

const LISTS: readonly Asked[] = [
  ["ping", (client) => client.ping()],
  ["tools/list", (client) => client.listTools()],
];

export const EVERYTHING: readonly Asked[] = [
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

export const FILESYSTEM: readonly Asked[] = [
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

export async function results(client: McpClient, asked: readonly Asked[]): Promise<readonly unknown[]> {
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
