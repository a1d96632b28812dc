import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { addToken } from "../../../src/gate/people/tokens.ts";
import { serveGateway } from "../../../src/mcp/http/server.ts";
import { processLink } from "../../../src/mcp/links/link.ts";
// @ts-expect-error: a script of this repository, without types
import { installedNode } from "../../../tools/installed-node.mjs";
import { acceptAll, gateDeps } from "../../mcp/stage.ts";

// The official conformance suite, against a server that is made for it, and against the gateway over HTTP in front of that
// server. The suite needs Node 22.

const SERVER = fileURLToPath(new URL("conformance-server.mjs", import.meta.url));
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
  const suite = spawn(node, [SUITE, "server", "--url", url, "--suite", "all", "-o", out], { stdio: "ignore" });
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

test("whatever passes the official conformance suite directly also passes it through the gateway over HTTP", async () => {
  const isNew = Number(process.versions.node.split(".")[0]) >= 22;
  const node: string = isNew ? process.execPath : installedNode("22", folder);
  const direct = spawn(process.execPath, [SERVER, "http"], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(direct);
  const [url] = (await once(createInterface({ input: direct.stdout }), "line")) as [string];

  const deps = await gateDeps('version: 1\ntier: auto\ntools: { "mcp:conformance/*": { class: none } }\n');
  const env = { PATH: process.env["PATH"] ?? "" };
  const upstream = {
    name: "conformance",
    connect: processLink({ command: process.execPath, args: [SERVER], env }),
    starts: "conformance",
    isNamed: true,
    allowSampling: true,
    allowElicitation: true,
    trust: false,
  };
  await acceptAll(deps, upstream);
  const gateway = await serveGateway(deps, {
    upstreams: [upstream],
    isAlone: true,
    cwd: folder,
    version: "0",
    holdMs: { withProgress: 1000, without: 1000 },
    linkTo: () => undefined,
    note: () => undefined,
    host: "127.0.0.1",
    port: 0,
    idleMs: 600_000,
  });
  const made = await addToken(deps, { agent: "coder" }, { by: "ana", assurance: "tty" });
  const through = await withToken(gateway.url, made.ok ? made.value.text : "");

  const [plain, gated] = [await checksAt(node, url, "direct"), await checksAt(node, through, "through")];
  const passed = [...plain].flatMap(([check, status]) => (status === "SUCCESS" ? [check] : []));
  expect(passed.length).toBeGreaterThanOrEqual(40);
  const isFine = (check: string) =>
    gated.get(check) === "SUCCESS" || (check in LEFT_OUT && gated.get(check) === "INFO");
  expect(passed.filter((check) => !isFine(check)).map((check) => [check, gated.get(check)])).toEqual([]);
  await gateway.close();
  await deps.store.close();
});
