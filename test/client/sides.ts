import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Gate, openGate, type PolicyLayer, type ReviewInput } from "../../src/index.ts";
import { type Served, served } from "../http/served.ts";
import { POLICY } from "../library/gates.ts";

/** A gate for the agent coder, and ana, who answers. */
export type Side = {
  gate: Gate;
  ana: Gate;
  answer(id: string, answer: Omit<ReviewInput, "by" | "digest">): Promise<void>;
};

/** The same policy twice: for a gate in this program, and for a real server with the same verbs. */
export type Sides = {
  server: Served;
  tokens: { coder: string; ana: string };
  /** Each run has its own gates, so that the tools it guards can be guarded again in the next run. */
  here(): Promise<Side>;
  there(): Promise<Side>;
  remove(): Promise<void>;
};

export async function sides(policy: PolicyLayer = POLICY): Promise<Sides> {
  const state = mkdtempSync(join(tmpdir(), "leeway-alike-"));
  const server = await served({ policy: JSON.stringify(policy) });
  const cwd = server.project;
  // The same home, because a call may depend on it, but another database.
  const env = {
    HOME: dirname(cwd),
    XDG_CONFIG_HOME: join(dirname(cwd), "config"),
    XDG_STATE_HOME: state,
    PATH: "/usr/bin:/bin",
  };
  const embedded = () => openGate({ env, cwd, policy: join(cwd, "leeway.yaml"), agent: "coder" });
  const tokens = {
    coder: await server.token({ agent: "coder" }),
    ana: await server.token({ person: "ana", can: "approve" }),
  };
  const remote = (token: string) =>
    openGate({ server: server.url, env: { ...env, LEEWAY_TOKEN: token }, cwd, agent: "coder" });
  const first = await embedded();
  for (const person of [{ name: "ana", admin: true }, { name: "ben" }])
    await first.people.add({ ...person, by: "ana" });
  await first.close();
  return {
    server,
    tokens,
    here: async () => {
      const gate = await embedded();
      return sideOf(gate, gate);
    },
    there: async () => sideOf(await remote(tokens.coder), await remote(tokens.ana)),
    remove: async () => {
      await server.remove();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

function sideOf(gate: Gate, ana: Gate): Side {
  const answer: Side["answer"] = async (id, given) => {
    const { digest } = await ana.approvals.get(id);
    await ana.review(id, { ...given, by: "ana", digest });
  };
  return { gate, ana, answer };
}

/** The open question, once somebody is asked. */
export async function question({ ana }: Side): Promise<string> {
  for (let tries = 0; tries < 400; tries++) {
    const [open] = await ana.approvals.list({ state: "pending" });
    if (open !== undefined) return open.id;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("nobody was asked");
}

const TIMES = new Set(["leaseUntilMs", "ledgerIndex"]);

/** Without what differs between runs: ids, times, indexes in the ledger. */
export function bare<T>(value: T): T {
  const text = JSON.stringify(value, (key, inner) => (TIMES.has(key) ? `(${key})` : inner)) ?? "null";
  return JSON.parse(text.replaceAll(/\b(call|apr|exe|att|trace|grt|ses)_[0-9a-f-]{8,}/g, "$1_(id)"));
}
