import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
// @ts-expect-error: a script of this repository, without types
import { installedNode } from "../../../tools/installed-node.mjs";

// The official conformance suite for MCP servers, and what it needs between itself and a server.

const SUITE = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

/** The one for all revisions. */
let node: string | undefined;

/** How the checks of the suite ended, in the order in which they were made: `scenario: check`, with its status. */
export type Checks = ReadonlyMap<string, string>;

export type Conformance = {
  /** The address of a program that prints it. */
  addressOf(words: readonly string[], how: { env: Record<string, string>; cwd: string }): Promise<string>;
  /** The suite cannot send a token, so a program between them adds it, and changes nothing else that it could notice. */
  withToken(url: string, token: string): Promise<string>;
  checksAt(url: string): Promise<Checks>;
  remove(): void;
};

/** The suite for one revision of the protocol. It needs Node 22. */
export function conformanceTo(revision: string): Conformance {
  const folder = mkdtempSync(join(tmpdir(), "leeway-conformance-"));
  const started: ChildProcess[] = [];
  const relays: Server[] = [];
  const isNew = Number(process.versions.node.split(".")[0]) >= 22;
  return {
    addressOf: async (words, how) => {
      const child = spawn(process.execPath, words, { ...how, stdio: ["ignore", "pipe", "inherit"] });
      started.push(child);
      const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
      return url;
    },
    withToken: async (url, token) => {
      const relay = relayTo(url, token);
      relays.push(relay);
      relay.listen(0, "127.0.0.1");
      await once(relay, "listening");
      return `http://127.0.0.1:${portOf(relay)}/mcp`;
    },
    checksAt: async (url) => {
      node ??= isNew ? process.execPath : (installedNode("22", folder) as string);
      const out = mkdtempSync(join(folder, "checks-"));
      const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision, "-o", out];
      const suite = spawn(node, [SUITE, ...args], { stdio: "ignore" });
      started.push(suite);
      await once(suite, "close");
      return checksIn(out);
    },
    remove: () => {
      for (const child of started) child.kill("SIGKILL");
      for (const relay of relays) relay.closeAllConnections();
      for (const relay of relays) relay.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function relayTo(url: string, token: string): Server {
  const { host: to, hostname, port } = new URL(url);
  const relay = createServer((from, response) => {
    const own = `127.0.0.1:${portOf(relay)}`;
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
  return relay;
}

function checksIn(out: string): Checks {
  const checks = new Map<string, string>();
  for (const scenario of readdirSync(out)) {
    const [, title = scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(scenario) ?? [];
    const found: { id: string; status: string }[] = JSON.parse(
      readFileSync(join(out, scenario, "checks.json"), "utf8"),
    );
    for (const { id, status } of found) checks.set(untaken(checks, `${title}: ${id}`), status);
  }
  return checks;
}

/** The suite makes some checks several times, of different requests. */
function untaken(checks: Checks, check: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? check : `${check} (${count})`;
    if (!checks.has(name)) return name;
  }
}

/** What passes directly, and does not pass through the gateway; `INFO` where the suite leaves out what is known. */
export function lostIn(direct: Checks, through: Checks, leftOut: Readonly<Record<string, string>>): readonly unknown[] {
  const isFine = (check: string) =>
    through.get(check) === "SUCCESS" || (check in leftOut && through.get(check) === "INFO");
  const passed = [...direct].flatMap(([check, status]) => (status === "SUCCESS" ? [check] : []));
  return passed.filter((check) => !isFine(check)).map((check) => [check, through.get(check)]);
}

export function passCount(checks: Checks): number {
  return [...checks.values()].filter((status) => status === "SUCCESS").length;
}
