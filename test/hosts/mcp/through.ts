import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isAnyAllowed } from "../../../src/cli/mcp/upstreams.ts";
import { commandServer, type McpAllowed } from "../../../src/config/mcp-file.ts";
import { addToken } from "../../../src/gate/people/tokens.ts";
import { acceptOffer } from "../../../src/gate/standing/accept-offer.ts";
import { processLink } from "../../../src/mcp/links/link.ts";
import { unacceptedStart } from "../../../src/mcp/look.ts";
import { openDeps } from "../../../src/open.ts";
import { addReviewer } from "../../../src/testing.ts";
import { program } from "../../cli/program.ts";
import { acceptAll } from "../../mcp/stage.ts";

// The official MCP servers, directly and behind `leeway mcp`, for the official clients.

const require = createRequire(join(dirname(fileURLToPath(import.meta.url)), "..", "package.json"));

/** The program of an official server. */
export function serverProgram(name: "server-everything" | "server-filesystem"): string {
  return join(dirname(require.resolve(`@modelcontextprotocol/${name}/package.json`)), "dist", "index.js");
}

export type Command = { command: string; args: string[]; env: Record<string, string>; cwd: string };

export type Ways = {
  folder: string;
  env: Record<string, string>;
  direct: Command;
  through: Command;
  accept(): Promise<void>;
  remove(): void;
};

/** A policy that lets everything run: what is compared are the results. */
const POLICY = 'version: 1\ntier: auto\ntools: { "mcp:everything/*": { class: none } }\n';

/** Both ways to one server. Through the gateway, what the server offers was accepted before. */
export async function waysTo(
  name: string,
  args: (folder: string) => readonly string[],
  policy = POLICY,
  allowed: McpAllowed = { allowSampling: false, allowElicitation: false },
): Promise<Ways> {
  const folder = mkdtempSync(join(tmpdir(), "leeway-mcp-host-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    LEEWAY_POLICY: join(folder, "leeway.yaml"),
  };
  writeFileSync(env.LEEWAY_POLICY, policy);
  writeFileSync(join(folder, "a.txt"), "one\ntwo\n");
  const server = args(folder);
  const starts = [process.execPath, ...server];
  const own = { env, cwd: folder };
  return {
    folder,
    env,
    direct: { command: process.execPath, args: [...server], ...own },
    through: {
      command: process.execPath,
      args: [program(), "mcp", "--hold", "1", ...optionsFor(allowed), "--name", name, "--", ...starts],
      ...own,
    },
    accept: async () => {
      const deps = await openDeps({ env, cwd: folder });
      await addReviewer(deps);
      const named = commandServer(starts, name, { env, cwd: realpathSync(folder), allowed });
      const connect = processLink({ command: process.execPath, args: server, env, cwd: folder });
      const settings = {
        name,
        connect,
        starts: named.starts,
        isNamed: !isAnyAllowed(allowed),
        ...allowed,
        trust: false,
      };
      const start = await unacceptedStart(deps, settings);
      if (start !== undefined) await acceptOffer(deps, start, { by: "ana", assurance: "tty" });
      await acceptAll(deps, settings);
      await deps.close();
    },
    remove: () => {
      for (const child of started.splice(0)) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function optionsFor({ allowSampling, allowElicitation }: McpAllowed): readonly string[] {
  return [...(allowSampling ? ["--allow-sampling"] : []), ...(allowElicitation ? ["--allow-elicitation"] : [])];
}

type Params = Record<string, unknown>;

/** What these tests use of the official clients. Their packages are installed only for these tests, so their types are not used. */
export type McpClient = {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  ping(): Promise<unknown>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Params }): Promise<{ content: { text: string }[]; isError?: boolean }>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  unsubscribeResource(params: { uri: string }): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  getPrompt(params: Params): Promise<unknown>;
  complete(params: Params): Promise<unknown>;
  setLoggingLevel(level: string): Promise<unknown>;
  getServerCapabilities(): unknown;
  getServerVersion(): unknown;
  getInstructions(): unknown;
  setRequestHandler(method: string, act: (request: { params: Params }) => Promise<unknown>): void;
  getNegotiatedProtocolVersion(): string | undefined;
};

type Made<T> = new (...given: unknown[]) => T;

async function load(name: string): Promise<{ [name: string]: Made<never> }> {
  return import(pathToFileURL(require.resolve(name)).href);
}

/** The official client of both protocol eras. */
export const CLIENTS = {
  "sdk 1.32": [
    "@modelcontextprotocol/sdk/client/index.js",
    "@modelcontextprotocol/sdk/client/stdio.js",
    "@modelcontextprotocol/sdk/client/streamableHttp.js",
  ],
  "client 2.4": ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio", "@modelcontextprotocol/client"],
} as const;

/** The address of a gateway over HTTP, for a client with the token of an agent. */
export type Served = { url: string; token: string; stop(): Promise<number | null> };

/** Ended with the last test, also if a test failed before it ended them. */
const started: ChildProcess[] = [];

/** `leeway mcp --http` in front of the same server. */
export async function overHttp({ through, env, folder }: Ways, more: readonly string[] = []): Promise<Served> {
  const deps = await openDeps({ env, cwd: folder });
  const made = await addToken(deps, { agent: "coder" }, { by: "ana", assurance: "tty" });
  await deps.close();
  if (!made.ok) throw new Error(made.code);
  const [file = "", ...args] = through.args;
  const child = spawn(
    through.command,
    [file, ...args.slice(0, 1), "--http", "0", "--json", ...more, ...args.slice(1)],
    {
      env,
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  started.push(child);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url: JSON.parse(line).url,
    token: made.value.text,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

const INFO = { name: "tester", version: "1.0.0" };

export async function clientOf(
  kind: keyof typeof CLIENTS,
  to: Command | Served,
  options: object = {},
): Promise<McpClient> {
  const [client, stdio, http] = CLIENTS[kind];
  const made = new ((await load(client))["Client"] as unknown as Made<McpClient>)(INFO, {
    capabilities: { roots: {} },
    ...options,
  });
  if ("url" in to) {
    const Transport = (await load(http))["StreamableHTTPClientTransport"] as unknown as Made<object>;
    const requestInit = { headers: { authorization: `Bearer ${to.token}` } };
    await made.connect(new Transport(new URL(to.url), { requestInit }));
    return made;
  }
  const Transport = (await load(stdio))["StdioClientTransport"] as unknown as Made<object>;
  await made.connect(new Transport({ ...to, stderr: "ignore" }));
  return made;
}
