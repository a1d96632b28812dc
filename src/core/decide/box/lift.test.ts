import { expect, test } from "vitest";
import type { ToolCall } from "../../call.ts";
import type { Effect } from "../../effect.ts";
import { emptyPolicy, type Policy } from "../../policy.ts";
import { sha256 } from "../../values/hash.ts";
import { compilePolicy } from "../compile.ts";
import { decide } from "../decide.ts";
import type { Standing } from "../standing.ts";

const at = { file: "leeway.yaml", line: 1, column: 1 };

const call: ToolCall = {
  workspace: "default",
  agent: "coder",
  tool: "exec",
  args: { command: "LD_PRELOAD=./a.so touch a" },
  callId: "c",
  traceId: "t",
  chain: [],
  claims: {},
};

const partly: Effect = {
  parts: [
    {
      class: "fs.write",
      capability: "workspace.write_text",
      level: "write",
      targets: [],
      reversible: true,
      reach: "project",
    },
  ],
  understood: "partly",
  notes: [],
};

function policy(source: string, over: Partial<Policy>): Policy {
  return { ...emptyPolicy(source, sha256(source)), ...over };
}

const AUTONOMOUS = policy("project", { preset: { name: "autonomous", at } });

function decided(files: readonly Policy[], over: Partial<Standing> = {}) {
  const standing: Standing = {
    layers: files.map((file) => compilePolicy(file)),
    scopes: [],
    policyVersion: sha256("v"),
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    box: { project: "/p", rehearses: true },
    used: () => 0,
    canAsk: true,
    quarantined: false,
    ...over,
  };
  return decide(call, partly, standing, 1_000);
}

test("a file further in does not add a box to what an outer file says about every call", () => {
  expect(decided([AUTONOMOUS])).toMatchObject({ tier: "auto", box: { because: "enough" } });
  expect(decided([policy("user", { reviewers: ["ana"] }), AUTONOMOUS])).toMatchObject({ tier: "auto" });
  const outer = policy("user", { tier: { tier: "notify", at } });
  expect(decided([outer, AUTONOMOUS])).toMatchObject({ tier: "ask", causes: [{ by: "understanding" }] });
});

test("a program that allows a call that is not understood does not take its box away", () => {
  const callback = { name: "program", answer: "allow" } as const;
  expect(decided([AUTONOMOUS], { callback })).toEqual(decided([AUTONOMOUS]));
});
