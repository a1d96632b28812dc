import type { ToolCall } from "../../src/core/call.ts";
import type { IdKind, Mint } from "../../src/core/ids.ts";
import type { Person } from "../../src/core/people.ts";
import { emptyPolicy, type Policy } from "../../src/core/policy.ts";
import { sha256 } from "../../src/core/values/hash.ts";
import { remembering } from "../../src/gate/calls/own-calls.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { gateClock } from "../../src/gate/time/clock.ts";
import { type PolicyFiles, type Runner, type Store, StoreUnavailable } from "../../src/ports.ts";
import { aesSealer } from "../../src/system.ts";
import type { Product } from "./product.ts";
import { type Dice, dice, type Scheduler, scheduler } from "./scheduler.ts";

export const WORKSPACE = "default";
export const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

/** One effect that really happened outside the gate. It cannot be undone. */
export type Happening = {
  execution: string;
  digest: string;
  tool: string;
  process: string;
  atMs: number;
  /** The state of the execution in the store at that moment. */
  heldAs: string;
};
/** An answer that the gate confirmed. */
export type Taken = { approval: string; by: string; verdict: "approve" | "deny" };

export type World = {
  product: Product;
  random: Dice;
  turns: Scheduler;
  /** The store without faults, to read the real state. */
  truth: Store;
  clock: { nowMs: number };
  happened: Happening[];
  taken: Taken[];
  /** Pauses of everything: the length of the ledger when the person was told that it applies, and when they ended it. */
  paused: { fromIndex: number; toIndex: number }[];
  process(name: string): Deps;
  policy: { current: Policy };
};

const at = { file: "leeway.yaml", line: 1, column: 1 };
const tool = (name: string, cls: Policy["tools"][number]["class"], more: Partial<Policy["tools"][number]> = {}) => ({
  name,
  class: cls,
  at,
  ...more,
});

/** One tool for every tier. */
export const POLICY: Policy = {
  ...emptyPolicy("leeway.yaml", sha256("simulated policy")),
  tier: { tier: "ask", at },
  tiers: [
    { for: "tool", name: "look", tier: "auto", at },
    { for: "tool", name: "note", tier: "notify", at },
    { for: "tool", name: "write", tier: "ask", at },
    { for: "tool", name: "pay", tier: "ask", at },
    { for: "tool", name: "again", tier: "ask", at },
    { for: "tool", name: "propose", tier: "suggest", at },
    { for: "tool", name: "dream", tier: "shadow", at },
    { for: "tool", name: "never", tier: "deny", at },
    { for: "tool", name: "vault", tier: "auto", at },
  ],
  tools: [
    tool("look", "db.read"),
    tool("note", "store.write"),
    tool("write", "db.write"),
    tool("pay", "message.send"),
    tool("again", "db.write", { idempotent: true }),
    tool("propose", "deploy.write"),
    tool("dream", "browser.act"),
    tool("never", "db.write"),
    tool("vault", "db.write"),
  ],
  human: { all: false, tools: ["vault"], classes: [], agents: [], not: [] },
  rules: [
    {
      name: "two-for-money",
      match: { tool: ["pay"] },
      tier: "ask",
      because: "money takes two",
      examples: { match: [], miss: [] },
      human: false,
      firm: false,
      reviewers: [],
      quorum: 2,
      at,
    },
  ],
  approvals: { expiresMs: 30 * MINUTE_MS, permitMs: 10 * MINUTE_MS, assurance: "any" },
};

export const TOOLS = POLICY.tools.map((declared) => declared.name);

const person = (name: string, over: Partial<Person> = {}): Person =>
  ({
    name,
    workspace: WORKSPACE,
    admin: true,
    auditor: false,
    groups: [],
    addedMs: START_MS,
    state: "active",
    ...over,
  }) as Person;

/** Two who may answer, one who may not. */
export const PEOPLE: readonly Person[] = [person("ana"), person("ben"), person("carl", { admin: false })];

export async function newWorld(product: Product, seed: number): Promise<World> {
  const random = dice(seed);
  const turns = scheduler(random);
  const truth = product.memoryStore();
  const mint = seededMint(seed);
  await truth.commit({
    id: mint.next("chg"),
    workspace: WORKSPACE,
    atMs: START_MS,
    needs: [],
    writes: [...PEOPLE.map((row) => ({ do: "put" as const, table: "people" as const, row })), { do: "turn" }],
    entries: [],
  });
  const world: World = {
    product,
    random,
    turns,
    truth,
    clock: { nowMs: START_MS },
    happened: [],
    taken: [],
    paused: [],
    policy: { current: POLICY },
    process: (name) => processOf(world, mint, name),
  };
  return world;
}

/** One process: its own view of a shared store that sometimes fails, its own runners, and one virtual clock for all. */
function processOf(world: World, mint: Mint, name: string): Deps {
  const store = faulty(world, name);
  const policies = policyFiles(world);
  const deps: Deps = {
    workspace: WORKSPACE,
    store,
    clock: gateClock({ nowMs: () => world.clock.nowMs, sleep: () => world.turns.turn(name) }),
    mint,
    sealer: aesSealer(new Uint8Array(32)),
    policies,
    paths: {
      about: () => ({ real: {}, foldsCase: false }),
      files: () => [],
      settings: () => ({}),
      registries: () => ({ named: {}, forTools: [] }),
      taken: () => [],
    },
    runners: new Map(["propose", "vault", "again"].map((toolName) => [toolName, runnerOf(world, name, toolName)])),
    declared: new Map(),
    channels: new Map([["inbox", { name: "inbox", deliver: async () => {} }]]),
    owner: name,
    standing: world.product.standingView(store, WORKSPACE, policies),
    remembered: remembering(),
  };
  return deps;
}

function policyFiles(world: World): PolicyFiles {
  let made: { policy: Policy; found: ReturnType<PolicyFiles["current"]> } | undefined;
  return {
    current: () => {
      const policy = world.policy.current;
      if (made?.policy !== policy) {
        const loaded = { ok: true as const, policy };
        made = {
          policy,
          found: {
            named: true,
            files: [{ path: policy.source, text: "", loaded }],
            places: [policy.source],
            project: "/project",
          },
        };
      }
      return made.found;
    },
    parse: () => ({ ok: true, policy: world.policy.current }),
  };
}

/** Every access is a turn; some commits fail before they are applied, some after: the caller cannot tell which. */
function faulty(world: World, name: string): Store {
  const { truth, turns, random } = world;
  return {
    ...truth,
    read: async (query) => {
      await turns.turn(name);
      return truth.read(query);
    },
    commit: async (change) => {
      await turns.turn(name);
      if (random.chance(0.02)) throw new StoreUnavailable("disk full (simulated)");
      const committed = await truth.commit(change);
      if (random.chance(0.02)) throw new StoreUnavailable("connection lost after commit (simulated)");
      await turns.turn(name);
      return committed;
    },
    take: async (queue, t) => {
      await turns.turn(name);
      return truth.take(queue, t);
    },
  };
}

function runnerOf(world: World, process: string, toolName: string): Runner {
  return {
    name: "function",
    idempotent: toolName === "again",
    run: async ({ call, args, idempotencyKey }) => {
      await world.turns.turn(process);
      await happen(world, process, { execution: idempotencyKey, call: { ...callOf(call), args } });
      await world.turns.turn(process);
      return { ok: true, result: "done" };
    },
  };
}

/** The effect itself. From here on nothing can be undone. */
export async function happen(
  world: World,
  process: string,
  done: { execution: string; call: ToolCall },
): Promise<void> {
  const held = await world.truth.read({ ask: "row", workspace: WORKSPACE, table: "executions", id: done.execution });
  world.happened.push({
    heldAs: held?.row.state ?? "nothing",
    execution: done.execution,
    digest: world.product.digestOf(done.call),
    tool: done.call.tool,
    process,
    atMs: world.clock.nowMs,
  });
}

export function callOf(row: { agent: string; tool: string; callId: string; session?: string }): ToolCall {
  return {
    workspace: WORKSPACE,
    agent: row.agent,
    tool: row.tool,
    args: {},
    callId: row.callId,
    ...(row.session === undefined ? {} : { session: row.session }),
    traceId: "trace",
    chain: [],
    claims: {},
  };
}

function seededMint(seed: number): Mint {
  let count = 0;
  const next = () => `${seed.toString(16)}x${(++count).toString(16).padStart(8, "0")}`;
  return {
    next: <K extends IdKind>(kind: K) => `${kind}_${next()}` as const,
    salt: () => (++count).toString(16).padStart(32, "0"),
  };
}
