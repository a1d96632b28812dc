import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import type { Approval } from "../../src/core/approval.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { acceptOffer } from "../../src/gate/standing/accept-offer.ts";
import { gateClock } from "../../src/gate/time/clock.ts";
import { type Gateway, openGateway } from "../../src/mcp/gateway.ts";
import { processLink } from "../../src/mcp/links/link.ts";
import { lookAt } from "../../src/mcp/look.ts";
import type { GatewayOptions } from "../../src/mcp/session.ts";
import type { UpstreamSettings } from "../../src/mcp/upstream.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { systemClock } from "../../src/system.ts";
import { addReviewer, fixedPolicy, policyFrom, testDeps } from "../../src/testing.ts";

// A client that writes its messages by hand, a gateway in this process, and upstreams that are real processes.

const here = dirname(fileURLToPath(import.meta.url));
const UPSTREAM = join(here, "upstream.mjs");

export const POLICY = `
version: 1
tier: ask
tiers: { none: auto, network.read: auto, message.send: suggest, db.write: deny }
tools:
  "mcp:one/echo": { class: none }
  "mcp:two/echo": { class: none }
  "mcp:one/slow": { class: none }
  "mcp:one/crash": { class: none }
  "mcp:one/fail": { class: none }
  "mcp:one/remove": { class: fs.delete }
approvals: { expires: 1h, permit: 30m, assurance: any }
`;

export type Told = { [key: string]: unknown };

export type Stage = {
  deps: Deps;
  gateway: Gateway;
  /** The answer to `initialize`. */
  greeting: Told;
  upstreams: readonly UpstreamSettings[];
  /** Sends a request and waits for its answer, without the envelope. */
  ask(method: string, params?: JsonObject): Promise<Told>;
  /** Sends a request; the answer comes later. */
  begin(method: string, params?: JsonObject): { id: number; answer: Promise<Told> };
  call(name: string, args?: JsonObject, more?: JsonObject): Promise<Told>;
  tell(method: string, params?: JsonObject): void;
  raw(line: string): void;
  /** Everything that the client was sent besides answers. */
  heard: Told[];
  /** What the upstream of this name did, from its own journal. */
  ran(name?: string): readonly Told[];
  /** Waits until something is true. */
  until(holds: () => boolean | Promise<boolean>): Promise<void>;
  reply(id: unknown, result: JsonObject): void;
  notes: string[];
  accept(): Promise<void>;
  close(): Promise<void>;
};

export type StageOptions = {
  names?: readonly string[];
  flags?: readonly string[];
  policy?: string;
  accepted?: boolean;
  over?: Partial<UpstreamSettings>;
  options?: Partial<GatewayOptions>;
  capabilities?: JsonObject;
  deps?: Deps;
  /** False: the test says hello itself, or not at all. */
  hello?: boolean;
};

export async function stage(how: StageOptions = {}): Promise<Stage> {
  const { names = ["one"], flags = [], accepted = true, capabilities = {} } = how;
  const folder = mkdtempSync(join(tmpdir(), "leeway-mcp-"));
  const journal = (name: string) => join(folder, `${name}.jsonl`);
  const deps = how.deps ?? (await gateDeps(how.policy));
  const upstreams = names.map((name) => upstreamAt(name, journal(name), flags, how.over));
  const heard: Told[] = [];
  const notes: string[] = [];
  const waiting = new Map<unknown, (answer: Told) => void>();
  const accept = async () => {
    for (const upstream of upstreams) await acceptAll(deps, upstream);
  };
  if (accepted) await accept();
  const gateway = openGateway(deps, {
    upstreams,
    isAlone: names.length === 1,
    cwd: folder,
    version: "0",
    holdMs: { withProgress: 20_000, without: 20_000 },
    linkTo: () => undefined,
    send: (line) => {
      const message = JSON.parse(line);
      const { jsonrpc: _, id, ...body } = message;
      const tell = message.method === undefined ? waiting.get(id) : undefined;
      waiting.delete(id);
      if (tell === undefined) heard.push(message);
      else tell(body);
    },
    note: (text) => void notes.push(text),
    ...how.options,
  });
  let ids = 0;
  const begin = (method: string, params: JsonObject = {}) => {
    const id = ++ids;
    const answer = new Promise<Told>((resolve) => waiting.set(id, resolve));
    gateway.hear(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return { id, answer };
  };
  const made: Stage = {
    deps,
    gateway,
    greeting: {},
    upstreams,
    begin,
    ask: (method, params) => begin(method, params).answer,
    call: (name, args = {}, more = {}) => begin("tools/call", { name, arguments: args, ...more }).answer,
    tell: (method, params = {}) => gateway.hear(JSON.stringify({ jsonrpc: "2.0", method, params })),
    raw: (line) => gateway.hear(line),
    reply: (id, result) => gateway.hear(JSON.stringify({ jsonrpc: "2.0", id: id as string, result })),
    heard,
    notes,
    ran: (name = names[0] ?? "") => linesOf(journal(name)),
    until,
    accept,
    close: async () => {
      await gateway.close();
      await deps.store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (how.hello === false) return made;
  made.greeting = await made.ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities,
    clientInfo: { name: "tester", version: "1" },
  });
  made.tell("notifications/initialized");
  return made;
}

export async function gateDeps(policy = POLICY): Promise<Deps> {
  const policies = { ...fixedPolicy(policyFrom(policy)), parse: parsePolicyText };
  const deps = { ...testDeps({ policies, store: memoryStore() }), clock: gateClock(systemClock) };
  await addReviewer(deps);
  return deps;
}

export function upstreamAt(
  name: string,
  journal: string,
  flags: readonly string[],
  over: Partial<UpstreamSettings> = {},
): UpstreamSettings {
  const env = { PATH: process.env["PATH"] ?? "" };
  return {
    name,
    connect: processLink({ command: process.execPath, args: [UPSTREAM, journal, ...flags], env }),
    starts: `node upstream.mjs ${name}`,
    isNamed: true,
    allowSampling: false,
    allowElicitation: false,
    trust: false,
    ...over,
  };
}

/** Ana accepts everything that the upstream offers now. */
export async function acceptAll(deps: Deps, upstream: UpstreamSettings): Promise<void> {
  for (const offer of await lookAt(deps, upstream, { version: "0", note: () => undefined, isAlone: true })) {
    const done = await acceptOffer(deps, offer, { by: "ana", assurance: "tty" });
    if (!done.ok) throw new Error(done.why);
  }
}

export function linesOf(file: string): readonly Told[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  } catch {
    // The upstream has not done anything yet.
    return [];
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it did not become true");
}

/** The words of an answer to a call. */
export function said({ result }: Told): string {
  const { content } = result as { content: { text: string }[] };
  return content.map(({ text }) => text).join("\n");
}

export async function questionsOf({ deps }: Pick<Stage, "deps">, state?: string): Promise<readonly Approval[]> {
  const where = state === undefined ? {} : { state };
  const { store, workspace } = deps;
  const rows = await store.read({ ask: "rows", workspace, table: "approvals", where, limit: 1000, order: "newest" });
  return rows.map(({ row }) => row);
}

/** The id of the newest open question. */
export async function openQuestion(s: Pick<Stage, "deps">): Promise<string> {
  await until(async () => (await questionsOf(s, "pending")).length > 0);
  return (await questionsOf(s, "pending"))[0]?.id ?? "";
}

/** The calls that reached the upstream. */
export function calledIn(ran: readonly Told[]): readonly Told[] {
  return ran.filter((one) => "called" in one || "read" in one);
}
