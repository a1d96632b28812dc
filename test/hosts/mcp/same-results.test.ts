import { EventEmitter } from "node:events";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Asked, EVERYTHING, FILESYSTEM, results } from "./asked.ts";
import { type CLIENTS, clientOf, overHttp, serverProgram, type Ways, waysTo } from "./through.ts";

// The official clients of both protocol eras talk to the official servers, directly and through the gateway. The results
// must be the same for every method.

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

test.each(["sdk 1.32", "client 2.4"] as const)(
  "%s over HTTP: every method of the official server has the same result as without the gateway",
  async (kind) => {
    const direct = await results(await clientOf(kind, everything.direct), EVERYTHING);
    const served = await overHttp(everything);
    expect(await results(await clientOf(kind, served), EVERYTHING)).toEqual(direct);
    expect(await served.stop()).toBe(0);
  },
);

test("an official server behind the gateway sees only PATH and HOME of the gateway's variables", async () => {
  const client = await clientOf("sdk 1.32", everything.through);
  const { content } = await client.callTool({ name: "get-env", arguments: {} });
  expect(Object.keys(JSON.parse(content[0]?.text ?? "{}")).sort()).toEqual(["HOME", "PATH"]);
  await client.close();
});

test("a thousand calls at once through the gateway: the official client gets a result for each", async () => {
  // The official client adds a listener for every message that waits to be written, and Node would warn about so many of them.
  const listenersMax = EventEmitter.defaultMaxListeners;
  EventEmitter.defaultMaxListeners = 1_000;
  onTestFinished(() => {
    EventEmitter.defaultMaxListeners = listenersMax;
  });
  const client = await clientOf("sdk 1.32", everything.through);
  const texts = Array.from({ length: 1000 }, (_, n) => `Echo: text ${n}`);
  const answers = await Promise.all(
    texts.map((_, n) => client.callTool({ name: "echo", arguments: { message: `text ${n}` } })),
  );
  expect(answers.map(({ content }) => content[0]?.text)).toEqual(texts);
  await client.close();
});
