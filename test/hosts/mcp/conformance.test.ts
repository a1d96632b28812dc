import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
// @ts-expect-error: a script of this repository, without types
import { installedNode } from "../../../tools/installed-node.mjs";
import { type Command, overHttp, type Ways, waysTo } from "./through.ts";

// The official conformance suite, against a server that is made for it, and against the command `leeway mcp` in front of that
// server, with the settings that a person has. The suite needs Node 22.

const SERVER = fileURLToPath(new URL("conformance-server.mjs", import.meta.url));
/** The suite speaks HTTP only, so a program between them speaks HTTP with it and pipes with the server. */
const BRIDGE = fileURLToPath(new URL("conformance-bridge.mjs", import.meta.url));
/** The newest one for which the official package makes servers with sessions. */
const REVISION = "2025-11-25";
const SUITE = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

/** Checks that pass directly and that the suite leaves out through the gateway (`INFO`), each with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "server-sse-multiple-streams: server-sse-streams-functional":
    "only for responses that are streams; the gateway answers a quick request with JSON, as the protocol allows",
};

const folder = mkdtempSync(join(tmpdir(), "leeway-conformance-"));
const started: ChildProcess[] = [];
const relays: Server[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  for (const relay of relays) relay.closeAllConnections();
  for (const relay of relays) relay.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The suite cannot send a token, so a program between them adds it, and changes nothing else that it could notice. */
async function withToken(url: string, token: string): Promise<string> {
  const { host: to, hostname, port } = new URL(url);
  const relay = createServer((from, response) => {
    const own = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    if (headers.host === own) headers.host = to;
    if (headers.origin === `http://${own}`) headers.origin = `http://${to}`;
    const { method, url: path } = from;
    const sent = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    sent.on("error", () => response.destroy());
    response.on("close", () => sent.destroy());
    from.pipe(sent);
  });
  relays.push(relay);
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}/mcp`;
}

/** Every check of the suite, as `scenario: check`, with its status. */
async function checksAt(node: string, url: string, name: string): Promise<ReadonlyMap<string, string>> {
  const out = join(folder, name);
  const suite = spawn(node, [SUITE, "server", "--url", url, "--suite", "all", "--spec-version", REVISION, "-o", out], {
    stdio: "ignore",
  });
  started.push(suite);
  await once(suite, "close");
  const checks = new Map<string, string>();
  for (const scenario of readdirSync(out)) {
    const [, title = scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(scenario) ?? [];
    const found: { id: string; status: string }[] = JSON.parse(
      readFileSync(join(out, scenario, "checks.json"), "utf8"),
    );
    for (const { id, status } of found) checks.set(`${title}: ${id}`, status);
  }
  return checks;
}

const POLICY = 'version: 1\ntier: auto\ntools: { "mcp:conformance/*": { class: none } }\n';
const ALLOWED = { allowSampling: true, allowElicitation: true };

let ways: Ways;
let node: string;
beforeAll(async () => {
  const isNew = Number(process.versions.node.split(".")[0]) >= 22;
  node = isNew ? process.execPath : installedNode("22", folder);
  ways = await waysTo("conformance", () => [SERVER], POLICY, ALLOWED);
  await ways.accept();
});
afterAll(() => ways.remove());

/** The address of a program that prints it. */
async function addressOf(words: readonly string[], how: { env: Record<string, string>; cwd: string }): Promise<string> {
  const child = spawn(process.execPath, words, { ...how, stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return url;
}

/** What passes directly, and does not pass through the gateway. */
async function lost(name: string, direct: string, through: string): Promise<readonly unknown[]> {
  const [plain, gated] = [
    await checksAt(node, direct, `${name}-direct`),
    await checksAt(node, through, `${name}-through`),
  ];
  const passed = [...plain].flatMap(([check, status]) => (status === "SUCCESS" ? [check] : []));
  expect(passed.length).toBeGreaterThanOrEqual(70);
  const isFine = (check: string) =>
    gated.get(check) === "SUCCESS" || (check in LEFT_OUT && gated.get(check) === "INFO");
  return passed.filter((check) => !isFine(check)).map((check) => [check, gated.get(check)]);
}

test("whatever passes the official conformance suite directly also passes it through `leeway mcp --http`", async () => {
  const direct = await addressOf([SERVER, "http"], { env: ways.env, cwd: ways.folder });
  const served = await overHttp(ways);
  expect(await lost("http", direct, await withToken(served.url, served.token))).toEqual([]);
  expect(await served.stop()).toBe(0);
});

test("whatever passes the official conformance suite directly also passes it through `leeway mcp` over pipes", async () => {
  const bridged = ({ command, args, env, cwd }: Command) => addressOf([BRIDGE, command, ...args], { env, cwd });
  expect(await lost("pipes", await bridged(ways.direct), await bridged(ways.through))).toEqual([]);
});
