import { expect, test } from "vitest";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import { covers } from "../../src/core/decide/grants.ts";
import { EFFECT_CLASSES, type Effect } from "../../src/core/effect.ts";
import { LEASE_MS } from "../../src/core/execution.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import type { Notice } from "../../src/core/notice.ts";
import type { Grant, GrantCover } from "../../src/core/standing/grant.ts";
import { paragraphsOf } from "../../src/core/tables/facts.ts";
import { TOOL_TABLES, toolFrom } from "../../src/core/tables/tools.ts";
import { parseTier } from "../../src/core/tier.ts";
import { review, reviewAll } from "../../src/gate/approvals/review.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { reconcile } from "../../src/gate/calls/reconcile.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { setOwner } from "../../src/gate/standing/agents.ts";
import { addGrant, revokeGrant } from "../../src/gate/standing/grants.ts";
import { standingView } from "../../src/gate/standing/standing.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { functionRunner } from "../../src/runners/function.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Office, office, officeOf, POLICY } from "../verbs/kit.ts";

const TOOL_ROWS = TOOL_TABLES.flatMap(paragraphsOf).map(toolFrom);

// The list of what all three source systems lacked. Each test has the number of its row.

const ANY: GrantCover = { tool: { name: "refund" }, targets: [], level: "admin" };

async function approvedExecution(o: Office, args = {}, over = {}): Promise<string> {
  const { approvalId } = await o.submit("refund", args, over);
  const done = await o.approve(approvalId);
  if (!done.ok || done.value.state !== "approved") throw new Error("it was not approved");
  return done.value.executionId;
}

/** Another process on the same store. */
function restarted(o: Office): Office {
  const deps: Deps = { ...o.deps, owner: "later", standing: standingView(o.deps.store, "default", o.deps.policies) };
  return officeOf(deps, o.clock);
}

test("5.1 the executed bytes are the requested bytes, and neither notices nor the ledger contain the secret", async () => {
  const o = await office();
  const secret = "sk-live-0123456789abcdef0123456789abcdef";
  const args = { text: `${"long ".repeat(1000)}é\u202e`, api_key: secret, nested: { password: "hunter2-hunter2" } };
  let got: unknown;
  o.deps.runners.set(
    "refund",
    functionRunner("refund", (given) => {
      got = given;
      return "ok";
    }),
  );
  const { approvalId } = await o.submit("refund", args, {}, { runBy: "leeway" });
  await o.approve(approvalId);
  await tick(o.deps);
  expect(got).toEqual(args);
  const entries = await listEntries(o.deps, {});
  for (const kept of [entries, await o.rows("notices"), await o.rows("calls"), await o.rows("approvals")]) {
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(JSON.stringify(kept)).not.toContain("hunter2-hunter2");
  }
});

test("5.2 if two approvals, an approval and a denial, or an approval and an expiry happen at once, one wins and the other is told the result", async () => {
  const o = await office();
  const both = await o.submit("refund", { n: 1 });
  const two = await Promise.all([o.approve(both.approvalId), o.approve(both.approvalId)]);
  expect(two.map((one) => (one.ok ? "won" : one.code)).sort()).toEqual(["LEEWAY_ALREADY_RESOLVED", "won"]);
  const split = await o.submit("refund", { n: 2 });
  const mixed = await Promise.all([o.deny(split.approvalId), o.approve(split.approvalId)]);
  expect(mixed.filter((one) => one.ok)).toHaveLength(1);
  const late = await o.submit("refund", { n: 3 });
  o.clock.advance(HOUR_MS);
  const [, answered] = await Promise.all([tick(o.deps), o.approve(late.approvalId)]);
  expect(answered).toMatchObject({ ok: false, code: "LEEWAY_ALREADY_RESOLVED" });
  expect(inEnglish(answered.ok ? "" : answered.reason)).toContain("expired");
  expect(await o.rows("executions")).toHaveLength(1);
});

test("5.3 a crash before, during or after the effect leaves 0 or 1 effects, never 2, and an unknown outcome is reconciled", async () => {
  for (const crash of ["before claim", "after claim", "after effect"] as const) {
    const o = await office();
    let effects = 0;
    const executionId = await approvedExecution(o, { n: 1 }, { callId: "c1" });
    if (crash !== "before claim") await claim(o.deps, executionId, "caller");
    if (crash === "after effect") effects += 1;
    const next = restarted(o);
    o.clock.advance(LEASE_MS);
    await tick(next.deps);
    const again = await next.submit("refund", { n: 1 }, { callId: "c1" });
    if (again.outcome === "run") effects += 1;
    expect([again.outcome, effects]).toEqual(
      crash === "before claim" ? ["run", 1] : ["denied", crash === "after effect" ? 1 : 0],
    );
    if (crash === "before claim") continue;
    expect(again.code).toBe("LEEWAY_OUTCOME_UNKNOWN");
    const said = {
      by: "ana",
      assurance: "tty" as const,
      ok: crash === "after effect",
      note: "looked at the books",
    };
    expect((await reconcile(next.deps, executionId, said)).ok).toBe(true);
  }
});

test("5.4 a retry while pending gives the same approval without a new notice, and after the run it gives the stored result", async () => {
  const o = await office();
  o.deps.runners.set(
    "refund",
    functionRunner("refund", () => ({ paid: true })),
  );
  const first = await o.submit("refund", { n: 1 }, { callId: "c1" }, { runBy: "leeway" });
  for (let n = 0; n < 5; n++) {
    const again = await o.submit("refund", { n: 1 }, { callId: `c${n}` }, { runBy: "leeway" });
    expect(again.approvalId).toBe(first.approvalId);
  }
  expect((await o.notices("pending")).map(({ to }) => to).sort()).toEqual(["ana", "ben", "cleo", "dan"]);
  await o.approve(first.approvalId);
  await tick(o.deps);
  expect(await o.submit("refund", { n: 1 }, { callId: "c1" })).toMatchObject({
    outcome: "run",
    result: { paid: true },
  });
});

test("5.5 the same call id with changed arguments gives a new approval, and the old one is superseded", async () => {
  const o = await office();
  const first = await o.submit("refund", { n: 1 }, { callId: "c1" });
  const second = await o.submit("refund", { n: 2 }, { callId: "c1" });
  expect(second.approvalId).not.toBe(first.approvalId);
  expect(await o.approval(first.approvalId)).toMatchObject({ state: "superseded", to: second.approvalId });
  expect(await o.approve(first.approvalId)).toMatchObject({ code: "LEEWAY_ALREADY_RESOLVED" });
});

test("5.6 after a restart, pending approvals can still be answered, and the run continues", async () => {
  const o = await office();
  const { approvalId = "" } = await o.submit("refund", { n: 1 }, { callId: "c1" });
  const next = restarted(o);
  const waiting = wait(next.deps, approvalId, { timeoutMs: HOUR_MS / 2 });
  expect((await next.approve(approvalId)).ok).toBe(true);
  expect((await waiting).outcome).toBe("run");
  expect((await restarted(o).submit("refund", { n: 1 }, { callId: "c1" })).outcome).toBe("run");
});

test("5.7 if a channel is down, no approval is lost, no call is delayed, and the delivery is tried again", async () => {
  let up = false;
  const sent: Notice[] = [];
  const deliver = async (notice: Notice) => {
    if (!up) throw new Error("down");
    sent.push(notice);
  };
  const o = await office(POLICY, { channels: new Map([["chat", { name: "chat", deliver }]]) });
  const { approvalId, outcome } = await o.submit("refund");
  expect(outcome).toBe("pending");
  expect((await o.submit("save")).outcome).toBe("run");
  await tick(o.deps);
  expect((await o.approve(approvalId)).ok).toBe(true);
  up = true;
  o.clock.advance(MINUTE_MS);
  await tick(o.deps);
  const asked = sent.filter((notice) => notice.ref === approvalId && notice.kind === "pending");
  expect(asked.map(({ to }) => to).sort()).toEqual(["ana", "ben", "cleo", "dan"]);
});

test("5.8 every known tool goes through the same gate with its own class, and an unknown tool asks", async () => {
  const o = await office("version: 1\npreset: autonomous\n");
  const unclassified: string[] = [];
  for (const { tools, example } of TOOL_ROWS) {
    for (const name of tools.split(" ")) {
      const tool = name.replace(/\*$/, "x");
      const receipt = await o.submit(tool, example, { agent: `agent-${tool}`, cwd: "/project" });
      const { effect, decision } = await o.callRow(receipt.id);
      if (effect.parts.some((part) => part.class === "unknown" || !EFFECT_CLASSES.includes(part.class))) {
        unclassified.push(tool);
      }
      expect(decision.causes.length).toBeGreaterThan(0);
    }
  }
  expect(unclassified).toEqual([]);
  expect((await o.submit("frobnicate")).outcome).toBe("pending");
});

test("5.9 a policy with an unknown key or level is refused with the valid ones, and a receipt says which rule decided", async () => {
  const level = parsePolicyText("version: 1\ntiers: { fs.write: L9 }\n", "leeway.yaml");
  expect(level.ok ? "" : JSON.stringify(level.faults)).toMatch(/L9/);
  expect(level.ok ? "" : JSON.stringify(level.faults)).toMatch(/auto/);
  const key = parsePolicyText("version: 1\ntears: { fs.write: ask }\n", "leeway.yaml");
  expect(key.ok ? "" : JSON.stringify(key.faults)).toMatch(/tiers/);
  const o = await office();
  expect((await o.submit("ship")).decision.because.join()).toContain("leeway.yaml:4");
});

test("5.10 `git *` covers git and nothing that only begins with it, and paths and domains are compared after they are resolved", async () => {
  const git: GrantCover = { targets: [{ kind: "command", words: ["git", "*"], cwd: "/project" }], level: "execute" };
  const o = await office("version: 1\ntier: ask\n");
  const given = { subject: { agent: "coder" }, because: "", by: "ana", assurance: "tty" } as const;
  const granted = await addGrant(o.deps, { ...given, covers: git });
  if (!granted.ok) throw new Error(granted.reason.say);
  const commands = ["git status && rm -rf x", "git $(rm x)", "git status; rm x", "git status | sh", "X=1 git status"];
  for (const command of commands) {
    expect((await o.submit("shell", { command }, { cwd: "/project" })).outcome).toBe("pending");
  }
  const call = o.call("exec", {}, { cwd: "/project" });
  const simple = (words: string[], over: { cwd?: string; env?: string[] } = {}): Effect => ({
    parts: [
      {
        class: "process.exec",
        capability: "process.exec",
        level: "execute",
        targets: [{ kind: "command", words, cwd: "/project", env: [], level: "execute", ...over }],
        reversible: true,
        reach: "host",
      },
    ],
    understood: "fully",
    notes: [],
  });
  const nowMs = o.clock.nowMs();
  expect(covers(granted.value, call, simple(["git", "status"]), nowMs)).toBe(true);
  expect(covers(granted.value, call, simple(["git", "status"], { cwd: "/etc" }), nowMs)).toBe(false);
  expect(covers(granted.value, call, simple(["git", "status"], { env: ["GIT_SSH_COMMAND"] }), nowMs)).toBe(false);
  expect(covers(granted.value, call, simple(["gitx", "status"]), nowMs)).toBe(false);
  const src: GrantCover = { targets: [{ kind: "path", path: "/project/src", recursive: true }], level: "write" };
  await addGrant(o.deps, { ...given, covers: src });
  const write = async (path: string) =>
    (await o.submit("write_file", { path, text: "x" }, { cwd: "/project" })).outcome;
  expect(await write("src/a.ts")).toBe("run");
  expect(await write("./src/./b.ts")).toBe("run");
  for (const path of ["src/../secrets.txt", "src-backup/a.ts", "/etc/passwd", "../src/a.ts"]) {
    expect(await write(path)).toBe("pending");
  }
});

test("5.11 of five calls one is denied and four run, and an approval for one call leaves no grant behind", async () => {
  const o = await office();
  const asked = await Promise.all([1, 2, 3, 4, 5].map((n) => o.submit("refund", { n }, { callId: `c${n}` })));
  for (const [at, { approvalId }] of asked.entries())
    await (at === 2 ? o.deny(approvalId, "ana", "not this") : o.approve(approvalId));
  const again = await Promise.all([1, 2, 3, 4, 5].map((n) => o.submit("refund", { n }, { callId: `c${n}` })));
  expect(again.map((one) => one.outcome)).toEqual(["run", "run", "denied", "run", "run"]);
  expect(again[2]?.reason).toContain("not this");
  expect(await o.rows("grants")).toEqual([]);
  expect((await o.submit("refund", { n: 1 }, { callId: "c9" })).outcome).toBe("pending");
});

test("5.12 a grant never replaces the review of a needs-human call, its expiry survives a restart, and revoking applies from the next call", async () => {
  const o = await office(POLICY.replace("tools: [wire]", "tools: [keep]"));
  const given = { subject: { agent: "coder" }, because: "", by: "ana", assurance: "tty" } as const;
  await addGrant(o.deps, { ...given, covers: { class: "db.write", targets: [], level: "admin" } });
  expect((await o.submit("keep")).code).toBe("LEEWAY_NEEDS_HUMAN");
  const { value: hour } = (await addGrant(o.deps, { ...given, covers: ANY, untilMs: o.clock.nowMs() + HOUR_MS })) as {
    value: Grant;
  };
  expect((await o.submit("refund", { n: 1 })).outcome).toBe("run");
  const next = restarted(o);
  o.clock.advance(DAY_MS);
  expect((await next.submit("refund", { n: 2 })).outcome).toBe("pending");
  const fresh = (await addGrant(next.deps, { ...given, covers: ANY })) as { value: Grant };
  expect((await o.submit("refund", { n: 3 })).outcome).toBe("run");
  await revokeGrant(next.deps, fresh.value.id, { by: "ana" });
  expect((await o.submit("refund", { n: 4 })).outcome).toBe("pending");
  expect(hour.untilMs).toBeLessThan(o.clock.nowMs());
});

test("5.13 free text never approves, and a wrong person, a stale question or another digest is refused", async () => {
  const o = await office();
  const { approvalId = "", digest } = await o.submit("refund", { n: 1 }, { callId: "c1" });
  const yes = { by: "ana", note: "", assurance: "channel" as const, bulk: false, digest };
  for (const word of ["yes", "ok", "APPROVE", ""]) {
    expect(await review(o.deps, approvalId, { ...yes, verdict: word as "approve" })).toMatchObject({
      code: "LEEWAY_BAD_INPUT",
    });
  }
  expect(await review(o.deps, approvalId, { ...yes, verdict: "approve", by: "audrey" })).toMatchObject({ ok: false });
  expect(await review(o.deps, approvalId, { ...yes, verdict: "approve", digest: "sha256:x" })).toMatchObject({
    ok: false,
  });
  await o.submit("refund", { n: 2 }, { callId: "c1" });
  expect(await review(o.deps, approvalId, { ...yes, verdict: "approve" })).toMatchObject({
    code: "LEEWAY_ALREADY_RESOLVED",
  });
  expect(await o.rows("executions")).toEqual([]);
});

test("5.14 a run without a person gets the configured answer immediately: it never hangs and is never approved silently", async () => {
  for (const [headless, outcome] of [
    ["deny", "denied"],
    ["suggest", "not_executed"],
  ] as const) {
    const o = await office(`${POLICY}headless: ${headless}\n`);
    const receipt = await o.submit("refund", {}, {}, { waits: false });
    expect([receipt.outcome, receipt.code]).toEqual([outcome, "LEEWAY_HEADLESS"]);
    expect(await o.rows("executions")).toEqual([]);
  }
});

test("5.15 words of other systems are converted to ours, and any other word is an error", () => {
  const words = {
    L1: "auto",
    L2: "notify",
    L3: "ask",
    silent: "auto",
    log: "auto",
    confirm: "ask",
    ask_user: "ask",
    act_auto: "auto",
    act_with_approval: "ask",
    suggest: "suggest",
    shadow: "shadow",
  };
  expect(Object.fromEntries(Object.keys(words).map((word) => [word, parseTier(word)]))).toEqual(words);
  for (const word of ["L4", "l1", "auto_", "yes", "", "toString"]) {
    expect(parseTier(word)).toBeUndefined();
    expect(parsePolicyText(`version: 1\ntier: "${word}"\n`, "leeway.yaml").ok).toBe(false);
  }
});

test("5.16 the record is chained, can be filtered by everything that matters, and is separate for each workspace", async () => {
  const store = memoryStore();
  const o = await office(POLICY, { store });
  const other = await office(POLICY, { store, workspace: "other" });
  const executionId = await approvedExecution(o, { n: 1 }, { run: "run-1" });
  const claimed = await claim(o.deps, executionId, "caller");
  const attempt = claimed.ok && "attempt" in claimed.value.execution ? claimed.value.execution.attempt : "att_";
  await settle(o.deps, executionId, { attempt, by: "caller", ending: { ok: true, result: 1 } });
  await o.submit("ship");
  await other.submit("lookup");
  expect(await verifyLedger(o.deps)).toMatchObject({ ok: true });
  const kinds = async (where: object) => (await listEntries(o.deps, where)).map((entry) => entry.kind);
  expect(await kinds({ subject: { tool: "ship" } })).toEqual(["call.decided"]);
  expect(await kinds({ subject: { outcome: "denied" } })).toEqual(["call.decided"]);
  expect(await kinds({ subject: { run: "run-1" } })).toContain("approval.approved");
  expect((await kinds({ subject: { execution: executionId } })).sort()).toEqual([
    "execution.claimed",
    "execution.succeeded",
  ]);
  expect(await kinds({ actor: "person:ana", kinds: ["approval.approved"] })).toHaveLength(1);
  const [ended] = await listEntries(o.deps, { kinds: ["execution.succeeded"] });
  expect(ended?.body?.json).toMatchObject({ enforcement: "approval_granted", approvers: ["ana"] });
  expect((await listEntries(other.deps, {})).every((entry) => entry.workspace === "other")).toBe(true);
  expect(await other.rows("approvals")).toEqual([]);
});

test("5.17 a hundred calls a minute under notify cause one message", async () => {
  const sent: Notice[] = [];
  const deliver = async (notice: Notice) => void sent.push(notice);
  const o = await office(POLICY, { channels: new Map([["chat", { name: "chat", deliver }]]) });
  for (let n = 0; n < 100; n++) {
    await o.submit("save", { n });
    o.clock.advance(600);
  }
  o.clock.advance(10 * MINUTE_MS);
  for (let n = 0; n < 5; n++) await tick(o.deps);
  const digests = sent.filter((notice) => notice.kind === "ran");
  expect(digests.map((notice) => notice.title)).toEqual(["100 calls ran under notify"]);
});

test("5.18 a person who may not answer is told so, delegates may answer, and a new owner is told about open questions", async () => {
  const o = await office(`${POLICY}reviewers: [ana, "group:leads"]\n`);
  const { approvalId = "", digest } = await o.submit("refund");
  const no = await o.approve(approvalId, "dan");
  expect(no).toMatchObject({ ok: false, code: "LEEWAY_NOT_A_REVIEWER" });
  expect(inEnglish(no.ok ? "" : no.hint)).toContain("group:leads");
  await setOwner(o.deps, { agent: "coder", owner: "dan", by: "ana", assurance: "tty" });
  expect((await o.notices("pending")).some((notice) => notice.to === "dan" && notice.ref === approvalId)).toBe(true);
  const answer = { by: "cleo", verdict: "approve" as const, note: "", assurance: "tty" as const };
  expect(await reviewAll(o.deps, [{ id: approvalId, digest }], answer)).toMatchObject([{ ok: true }]);
});
