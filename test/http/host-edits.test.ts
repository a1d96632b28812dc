import { expect, onTestFinished, test } from "vitest";
import { answerHook, type HookGate } from "../../src/hooks/answer.ts";
import type { Host } from "../../src/hooks/host.ts";
import { claudeCode } from "../../src/hooks/hosts/claude-code.ts";
import { gemini } from "../../src/hooks/hosts/gemini.ts";
import { localHookGate } from "../../src/hooks/local.ts";
import { approvalOf, until } from "../channels/suite.ts";
import { type Served, served } from "./served.ts";

const POLICY = `version: 1
preset: standard
tools:
  publish: { class: metadata.write }
tiers: { publish: ask }
approvals: { selfReview: true }
`;

async function gated(): Promise<{ on: Served; gate: HookGate }> {
  const on = await served({ policy: POLICY });
  onTestFinished(() => on.remove());
  return {
    on,
    gate: localHookGate(on.deps, {
      holds: true,
      hasTerminal: false,
      boxes: async () => undefined,
      noBoxes: async () => undefined,
      stillness: { hold: async () => undefined, end: async () => undefined },
      isHeard: async () => true,
    }),
  };
}

function answered(gate: HookGate, host: Host) {
  const args = { page: 1, force: true };
  const call = { agent: host.name, chain: [], tool: "publish", args, callId: "c1", session: "s1", cwd: "/tmp" };
  return answerHook(gate, host, { on: "before", call });
}

/** A reviewer approves the open question, with or without taking `force` away. */
async function review(on: Served, how: { edits?: object }): Promise<number> {
  const cookie = await on.signIn();
  const open = async () => (await on.ask("GET", "/v1/approvals", { cookie })).body.approvals;
  const [{ id }] = await until(open, (approvals) => approvals.length > 0);
  const { digest } = await approvalOf(on, id);
  const body = { verdict: "approve", digest, ...how };
  return (await on.ask("POST", `/v1/approvals/${id}/reviews`, { cookie, body })).status;
}

test("a host that runs changed arguments gets what the reviewer changed them to", async () => {
  const { on, gate } = await gated();
  const waiting = answered(gate, claudeCode);
  expect(await review(on, { edits: { page: 1 } })).toBe(200);
  expect(await waiting).toEqual({ is: "run", args: { page: 1 } });
});

test("a call of Gemini CLI cannot be approved with changed arguments, only as it is", async () => {
  const { on, gate } = await gated();
  const waiting = answered(gate, gemini);
  expect(await review(on, { edits: { page: 1 } })).toBe(400);
  expect(await review(on, {})).toBe(200);
  expect(await waiting).toEqual({ is: "run" });
});

test("Gemini CLI does not run a call whose arguments were changed for another program", async () => {
  const { on, gate } = await gated();
  const first: HookGate = { ...gate, submit: (call, how) => gate.submit(call, { ...how, edits: true }) };
  const waiting = answered(first, gemini);
  expect(await review(on, { edits: { page: 1 } })).toBe(200);
  expect(await waiting).toEqual({
    is: "deny",
    why: expect.stringContaining("cannot run a call with changed arguments"),
  });
});
