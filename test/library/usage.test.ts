import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gatedCalls } from "../../src/adapters/gated-tool.ts";
import { type Gate, openGate } from "../../src/index.ts";

// Budgets: what a host reports about its model counts for limits, whatever is decided about the call.

const policy = {
  tiers: { "metadata.write": "auto" },
  tools: { note: { class: "metadata.write" } },
  limits: [
    {
      name: "tokens-a-day",
      match: { tool: "note" },
      sum: "tokens",
      max: 1_000,
      per: "1d",
      by: "agent",
      // biome-ignore lint/suspicious/noThenProperty: the word of the policy file
      then: "deny",
    },
    {
      name: "dollars-a-day",
      match: { tool: "note" },
      sum: "costUsd",
      max: 0.5,
      per: "1d",
      by: "workspace",
      // biome-ignore lint/suspicious/noThenProperty: the word of the policy file
      then: "deny",
    },
  ],
} as const;

let folder: string;
let gate: Gate;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leeway-usage-"));
  const env = { HOME: folder, PATH: "/usr/bin:/bin" };
  gate = await openGate({ db: join(folder, "a.db"), cwd: folder, policy, env });
});
afterAll(async () => {
  await gate.close();
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;
async function noted(agent: string, usage: unknown): Promise<string> {
  made += 1;
  const claims = usage === undefined ? {} : { usage };
  const receipt = await gate.submit({ agent, tool: "note", args: { made }, callId: `c${made}`, claims });
  return receipt.code ?? receipt.decision.code ?? receipt.outcome;
}

test("the call that reports more than is left is refused, and so is every later one, because what is spent stays spent", async () => {
  const said = [];
  for (const tokens of [400, 600, 1, 0]) said.push(await noted("spender", { tokens }));
  expect(said).toEqual(["run", "run", "LEEWAY_LIMIT", "LEEWAY_LIMIT"]);
  expect(await noted("another", { tokens: 1_000 })).toBe("run");
});

test("a host that reports nothing uses nothing; a report that is no amount is refused", async () => {
  expect([await noted("quiet", undefined), await noted("quiet", {})]).toEqual(["run", "run"]);
  for (const tokens of [-1, "many", null]) expect(await noted("liar", { tokens })).toBe("LEEWAY_LIMIT");
});

test("a call that is sent again is counted once", async () => {
  const call = { agent: "twice", tool: "note", args: {}, callId: "same", claims: { usage: { tokens: 600 } } };
  await gate.submit(call);
  await gate.submit(call);
  expect(await noted("twice", { tokens: 400 })).toBe("run");
});

test("an adapter reports with each call what its SDK has used since the last one", async () => {
  const reports = [{ tokens: 900 }, { tokens: 101 }];
  const calls = gatedCalls(gate, { agent: "adapted", usage: () => reports.shift() ?? {} });
  expect(await calls.run({ tool: "note", args: {}, callId: "a1" }, () => "ran")).toBe("ran");
  await expect(calls.run({ tool: "note", args: {}, callId: "a2" }, () => "ran")).rejects.toThrow("tokens-a-day");
});

test("64 agents at once never run a call after the budget of the workspace is spent", async () => {
  const calls = Array.from({ length: 320 }, (_, i) => noted(`agent-${i % 64}`, { costUsd: 0.0125 }));
  const said = await Promise.all(calls);
  expect([said.filter((one) => one === "run").length, said.filter((one) => one === "LEEWAY_LIMIT").length]).toEqual([
    40, 280,
  ]);
});
