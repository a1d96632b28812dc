import { inlinePolicyFiles } from "../../src/config/policy/policy-files.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { createGate, type GateOptions } from "../../src/library/create-gate.ts";
import type { Gate } from "../../src/library/gate.ts";
import type { PolicyLayer } from "../../src/library/layer.ts";
import { LeewayRefusal } from "../../src/service/refusal.ts";
import { type TestClock, type TestParts, testClock, testDeps } from "../../src/testing.ts";

/** A policy for testing the library: every tier has a tool, and a program may act for its people. */
export const POLICY: PolicyLayer = {
  version: 1,
  tools: {
    look: { class: "db.read" },
    tell: { class: "store.write" },
    pay: { class: "db.write" },
    propose: { class: "schedule.write" },
    dream: { class: "metadata.write" },
    nuke: { class: "deploy.write" },
    grantme: { class: "permissions.change" },
  },
  tiers: {
    look: "auto",
    tell: "notify",
    pay: "ask",
    propose: "suggest",
    dream: "shadow",
    nuke: "deny",
    write_file: "auto",
    grantme: "auto",
  },
  human: { tools: ["grantme"] },
  approvals: { assurance: "any" },
};

/** For `vi.waitFor`, whose default of one second is too short on a busy machine. */
export const PATIENT = { timeout: 30_000 };

export type TestGate = { gate: Gate; deps: Deps; clock: TestClock };

export function createTestGate(policy: PolicyLayer = {}, options: GateOptions = {}, over: TestParts = {}): TestGate {
  const clock = testClock();
  const policies = inlinePolicyFiles({ ...POLICY, ...policy }, { cwd: "/project", home: "/home/ana" });
  const deps = testDeps({ policies, clock, ...over });
  return { gate: createGate(deps, options), deps, clock };
}

/** The same, with ana as an admin who answers. */
export async function opened(...given: Parameters<typeof createTestGate>): Promise<TestGate> {
  const made = createTestGate(...given);
  await made.gate.people.add({ name: "ana", admin: true });
  return made;
}

export async function entriesOf(deps: Deps): Promise<readonly string[]> {
  const query = { ask: "entries", workspace: deps.workspace, where: {}, limit: 100, order: "oldest" } as const;
  return (await deps.store.read(query)).map((entry) => entry.kind);
}

export async function refusalFrom(refused: Promise<unknown>): Promise<LeewayRefusal> {
  try {
    const value = await refused;
    throw new Error(`it was not refused: ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof LeewayRefusal) return error;
    throw error;
  }
}
