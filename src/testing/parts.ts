import type { PathFacts } from "../core/classify/knowledge.ts";
import { normalise, spellOut } from "../core/classify/path.ts";
import { plainSettings } from "../core/classify/settings.ts";
import type { IdKind, Mint } from "../core/ids.ts";
import { emptyPolicy, type Policy } from "../core/policy.ts";
import { sha256 } from "../core/values/hash.ts";
import { remembering } from "../gate/calls/own-calls.ts";
import type { Deps } from "../gate/deps.ts";
import { standingView } from "../gate/standing/standing.ts";
import { gateClock } from "../gate/time/clock.ts";
import type { Clock, PolicyFiles, Store } from "../ports.ts";
import { memoryStore } from "../store/memory.ts";
import { aesSealer } from "../system.ts";

// Parts of a gate that a test controls. Separate from the policy's parser, which takes long to load.

export type TestClock = Clock & { advance(ms: number): void };

export function testClock(startMs = Date.UTC(2026, 0, 1)): TestClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    // Sleeping makes the time pass, but lets all others run first: nobody misses an answer.
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

/** One policy, named explicitly. */
export function fixedPolicy(policy: Policy, project = "/project"): PolicyFiles {
  const loaded = { ok: true as const, policy };
  const found = { named: true, files: [{ path: policy.source, text: "", loaded }], places: [policy.source], project };
  return { current: () => found, parse: () => loaded };
}

export function testPolicy(over: Partial<Policy> = {}): Policy {
  return { ...emptyPolicy("test policy", sha256("test policy")), ...over };
}

/** What a test provides itself; the rest has defaults. */
export type TestParts = Partial<Omit<Deps, "clock">> & { policy?: Policy; clock?: Clock };

/** Verbs on a memory store, with everything provided that the real world would decide. */
export function testDeps(over: TestParts = {}): Deps {
  const { policy, clock = testClock(), ...rest } = over;
  const store: Store = rest.store ?? memoryStore();
  const workspace = rest.workspace ?? "default";
  const policies = rest.policies ?? fixedPolicy(policy ?? testPolicy());
  return {
    workspace,
    store,
    clock: gateClock(clock),
    mint: testMint(),
    sealer: aesSealer(new Uint8Array(32)),
    policies,
    paths: {
      about: plainPaths,
      settings: plainSettings,
      registries: () => ({ named: {}, forTools: [] }),
      taken: () => [],
      files: () => [],
    },
    runners: new Map(),
    declared: new Map(),
    channels: new Map(),
    owner: "test",
    standing: standingView(store, workspace, policies),
    remembered: remembering(),
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
  return { real, missing: [], home: "/home/ana", foldsCase: false };
}
