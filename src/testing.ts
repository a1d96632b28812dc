import { parsePolicyText } from "./config/policy-text.ts";
import type { PathFacts } from "./core/classify/classify.ts";
import { normalise, spellOut } from "./core/classify/path.ts";
import type { IdKind, Mint } from "./core/ids.ts";
import { emptyPolicy, type Policy } from "./core/policy.ts";
import { sha256 } from "./core/values/hash.ts";
import type { Deps } from "./gate/deps.ts";
import { standingView } from "./gate/standing.ts";
import type { Clock, PolicyFiles, Store } from "./ports.ts";
import { memoryStore } from "./store/memory.ts";
import { aesSealer } from "./system.ts";

// What a program needs to test its own use of the gate: a clock it turns, ids it can predict, one policy in memory.

export type TestClock = Clock & { advance(ms: number): void };

export function testClock(startMs = Date.UTC(2026, 0, 1)): TestClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    // Sleeping makes the time pass, but lets everybody else go first: nobody sleeps through an answer.
    sleep: async (ms, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted !== true) nowMs += ms;
    },
  };
}

export function testMint(): Mint {
  let count = 0;
  const next = () => (++count).toString(16).padStart(12, "0");
  return { next: <K extends IdKind>(kind: K) => `${kind}_${next()}` as const, salt: () => next().padStart(32, "0") };
}

/** One policy, named outright. */
export function fixedPolicy(policy: Policy, project = "/project"): PolicyFiles {
  const loaded = { ok: true as const, policy };
  const found = { named: true, files: [{ path: policy.source, text: "", loaded }], places: [policy.source], project };
  return { current: () => found, parse: () => loaded };
}

export function testPolicy(over: Partial<Policy> = {}): Policy {
  return { ...emptyPolicy("test policy", sha256("test policy")), ...over };
}

/** A policy as one writes it. */
export function policyFrom(text: string, path = "leeway.yaml"): Policy {
  const loaded = parsePolicyText(text, path);
  if (!loaded.ok)
    throw new Error(loaded.faults.map((fault) => `${fault.line}:${fault.column} ${fault.message}`).join("; "));
  return loaded.policy;
}

/** Verbs on a memory store, with everything handed in that the real world would decide. */
export function testDeps(over: Partial<Deps> & { policy?: Policy } = {}): Deps {
  const { policy, ...rest } = over;
  const store: Store = rest.store ?? memoryStore();
  const workspace = rest.workspace ?? "default";
  const policies = rest.policies ?? fixedPolicy(policy ?? testPolicy());
  return {
    workspace,
    store,
    clock: testClock(),
    mint: testMint(),
    sealer: aesSealer(new Uint8Array(32)),
    policies,
    paths: { about: plainPaths },
    runners: new Map(),
    declared: new Map(),
    channels: new Map(),
    owner: "test",
    standing: standingView(store, workspace, policies),
    ...rest,
  };
}

/** A file system without links: every path leads where it says. */
export function plainPaths(paths: readonly string[], cwd: string): PathFacts {
  const real: Record<string, string> = {};
  for (const path of paths) {
    const spelled = spellOut(path, { base: cwd, home: "/home/ana" });
    if (spelled.ok) real[normalise(spelled.raw)] = normalise(spelled.raw);
  }
  return { real, home: "/home/ana", foldsCase: false };
}
