import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { changeOf } from "../../src/core/change.ts";
import { NO_MARKS } from "../../src/core/policy.ts";
import { draft } from "../../src/core/steps/draft.ts";
import { type GraphRecord, recordHashOf } from "../../src/core/trust/opentrustgraph.ts";
import type { JsonObject } from "../../src/core/values/json.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { trustExport, trustImport, trustOf } from "../../src/gate/record/trust.ts";
import { demote, promote } from "../../src/gate/standing/agents.ts";
import type { Store } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { testDeps, testMint } from "../../src/testing.ts";
import { sealer } from "../fixtures/rows.ts";
import { answer, at, carryOut, everything, policyOf, send, type World, worldOf } from "../ledger/world.ts";
import { root } from "../tidy/sources.ts";

// The rows of harn's table about records, trust, the chain, queries and budgets. Where our design differs on purpose (a
// proposal is not a failure, `auto` leaves a record, an approver is a person), our own behaviour is checked.

const folder = mkdtempSync(join(tmpdir(), "leeway-harn-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (deps: Deps, over: Parameters<typeof send>[3] = {}) =>
  send(deps, "write_file", { path: "src/a.ts", text: "x" }, over);
const recordsOf = async (deps: Deps) => (await trustExport(deps)).records;
const brief = (records: readonly GraphRecord[]) =>
  records.map((one) => [one.action, one.autonomy_tier, one.outcome, one.metadata["autonomy.enforcement"]]);
const pending = (deps: Deps) =>
  deps.store.read({ ask: "count", workspace: "default", table: "approvals", where: { state: "pending" } });

test("at tier shadow, a trigger that writes a file succeeds, the file is absent, and there is one record fs.write/shadow/denied", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "shadow" }));
  const receipt = await write(deps);
  expect([receipt.outcome, receipt.attempt]).toEqual(["not_executed", undefined]);
  expect(brief(await recordsOf(deps))).toEqual([["fs.write", "shadow", "denied", "shadow_noop"]]);
  expect(trustImport(JSON.stringify(await trustExport(deps)))).toMatchObject({
    ok: true,
    records: [{ outcome: "proposed" }],
  });
});

test("at tier suggest, a trigger that writes succeeds, the file is absent, and there are one pending approval and one record", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "suggest" }));
  const receipt = await write(deps);
  expect([receipt.outcome, receipt.attempt, await pending(deps)]).toEqual(["not_executed", undefined, 1]);
  const records = await recordsOf(deps);
  expect(brief(records)).toEqual([["fs.write", "suggest", "denied", "suggest_approval_request"]]);
  expect(records[0]?.metadata["approval_request_id"]).toBe(receipt.approvalId);
});

test("at act_with_approval, after a reviewer approves, the file is present and there is one record of success", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "ask" }));
  const receipt = await write(deps);
  await answer(deps, receipt, "approve");
  // The record is written with the outcome, not before it, and names who approved.
  expect(await recordsOf(deps)).toEqual([]);
  await carryOut(deps, receipt);
  const records = await recordsOf(deps);
  expect(brief(records)).toEqual([["fs.write", "act_with_approval", "success", "approval_granted"]]);
  expect(records[0]).toMatchObject({
    approver: "ana",
    metadata: { approval: { required: true, signatures: [{ reviewer: "ana" }] } },
  });
});

test("at act_auto, the file is present, and one fs.write record says what happened once the call is settled", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "auto" }));
  const receipt = await write(deps);
  expect([receipt.outcome, await recordsOf(deps)]).toEqual(["run", []]);
  await carryOut(deps, receipt, { ok: false });
  expect(brief(await recordsOf(deps))).toEqual([["fs.write", "act_auto", "failure", "auto"]]);
});

test("with policy act_auto and action_tiers fs.write=shadow, the file is absent and there is one denied record", async () => {
  const policy = policyOf({ "fs.write": "shadow" }, { tier: { tier: "auto", at } });
  const { deps } = await worldOf(policy);
  expect((await write(deps)).outcome).toBe("not_executed");
  expect((await recordsOf(deps)).map((record) => record.outcome)).toEqual(["denied"]);
});

test("with act_auto and requires_human_actions[fs.write], one denied record and one pending request have the same tags", async () => {
  const human = { ...NO_MARKS, classes: ["fs.write" as const], at };
  const { deps } = await worldOf(policyOf({ "fs.write": "auto" }, { human }));
  const receipt = await write(deps);
  expect([receipt.outcome, receipt.code]).toEqual(["denied", "LEEWAY_NEEDS_HUMAN"]);
  expect(await recordsOf(deps)).toMatchObject([
    {
      action: "fs.write",
      outcome: "denied",
      metadata: {
        "autonomy.enforcement": "needs_human_denied",
        autonomy_class: "needs-human",
        requires_human: true,
        deny_code: "LEEWAY_NEEDS_HUMAN",
        approval_request_id: receipt.approvalId,
      },
    },
  ]);
  const asked = await deps.store.read({
    ask: "row",
    workspace: "default",
    table: "approvals",
    id: receipt.approvalId ?? "",
  });
  expect(asked?.row).toMatchObject({ state: "pending", needsHuman: true, action: "fs.write#needs-human" });
});

test("after the approval, the record of a needs-human call still says so, in the words of the seed", async () => {
  const human = { ...NO_MARKS, classes: ["fs.write" as const], at };
  const { deps } = await worldOf(policyOf({ "fs.write": "auto", "fs.delete": "ask" }, { human }));
  const receipt = await write(deps, { replayOf: "evt_7" });
  await answer(deps, receipt, "approve");
  await carryOut(deps, receipt);
  const denied = await write(deps, { callId: "c2", cwd: "/elsewhere" });
  await answer(deps, denied, "deny");
  const plain = await send(deps, "delete_file", { path: "src/a.ts" }, { callId: "c3" });
  await answer(deps, plain, "approve");
  await carryOut(deps, plain);
  const said = (await recordsOf(deps)).map(({ metadata }) => [
    metadata["autonomy.enforcement"],
    metadata["autonomy_class"],
    metadata["requires_human"],
    metadata["builtin"],
    metadata["replay_of_event_id"],
  ]);
  expect(said).toEqual([
    ["needs_human_denied", "needs-human", true, "write_file", "evt_7"],
    ["approval_granted", "needs-human", true, "write_file", "evt_7"],
    ["needs_human_denied", "needs-human", true, "write_file", undefined],
    ["approval_denied", "needs-human", true, "write_file", undefined],
    ["approval_granted", "act_with_approval", false, "delete_file", undefined],
  ]);
});

test("the call that a call repeats is named in its row, its entry and its explanation", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "auto" }));
  const { id } = await write(deps, { replayOf: "evt_7" });
  const row = await deps.store.read({ ask: "row", workspace: "default", table: "calls", id });
  const [entry] = await listEntries(deps, { kinds: ["call.decided"] });
  expect([row?.row.replayOf, entry?.body?.json["replayOf"]]).toEqual(["evt_7", "evt_7"]);
  expect(await verifyLedger(deps)).toMatchObject({ ok: true });
});

test("with requires_human:true and with requires_human_agents:[agent], the call is denied and recorded", async () => {
  for (const human of [
    { ...NO_MARKS, all: true, at },
    { ...NO_MARKS, agents: ["coder"], at },
  ]) {
    const { deps } = await worldOf(policyOf({ "fs.write": "auto" }, { human }));
    expect((await write(deps)).code).toBe("LEEWAY_NEEDS_HUMAN");
    expect((await recordsOf(deps)).map((record) => record.outcome)).toEqual(["denied"]);
  }
});

const limit = {
  name: "writes",
  match: { class: ["fs.write" as const] },
  by: "agent" as const,
  // biome-ignore lint/suspicious/noThenProperty: a limit's own word
  then: "ask" as const,
  at,
};
const HOUR = 60 * 60 * 1000;

test("with a budget of 1 per day, the second event waits for an approval, and no tier changes", async () => {
  const limits = [{ ...limit, max: 1, perMs: 24 * HOUR }];
  const { deps } = await worldOf(policyOf({ "fs.write": "auto" }, { limits }));
  const [first, second] = [await write(deps), await write(deps)];
  expect([first.outcome, second.outcome, await pending(deps)]).toEqual(["run", "pending", 1]);
  expect(second.decision.because.join()).toContain("writes");
  // The original wrote a transition with an approver who had approved nothing; here no approver is invented.
  expect((await everything(deps)).filter((entry) => entry.kind.startsWith("trust."))).toEqual([]);
});

test("with a budget of 2 per hour, the third call exceeds it, agents have separate budgets, and without caps there is no budget", async () => {
  const limits = [{ ...limit, max: 2, perMs: HOUR }];
  const capped = await worldOf(policyOf({ "fs.write": "auto" }, { limits }));
  const outcomes = async ({ deps }: World, agent: string, times: number) => {
    const found: string[] = [];
    for (let i = 0; i < times; i++) found.push((await write(deps, { agent })).outcome);
    return found;
  };
  expect(await outcomes(capped, "coder", 3)).toEqual(["run", "run", "pending"]);
  expect(await outcomes(capped, "builder", 2)).toEqual(["run", "run"]);
  capped.clock.advance(2 * HOUR);
  expect(await outcomes(capped, "coder", 2)).toEqual(["run", "run"]);
  expect(await outcomes(await worldOf(policyOf({ "fs.write": "auto" })), "coder", 5)).toEqual(Array(5).fill("run"));
});

test("after a shadow agent is promoted to act_auto, the next trigger has tier act_auto and its effect happens", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "shadow" }));
  await write(deps);
  await promote(deps, { agent: "coder", tier: "auto", because: "earned", by: "ana", assurance: "tty" });
  const receipt = await write(deps);
  await carryOut(deps, receipt);
  expect([receipt.decision.tier, receipt.outcome]).toEqual(["auto", "run"]);
  expect((await recordsOf(deps)).map(({ action, approver, autonomy_tier: tier }) => [action, approver, tier])).toEqual([
    ["fs.write", null, "shadow"],
    ["trust.promote", "ana", "act_auto"],
    ["fs.write", null, "act_auto"],
  ]);
});

test("after a promotion and a demotion, the newer one applies", async () => {
  const { deps, clock } = await worldOf(policyOf({ "fs.write": "ask" }));
  await write(deps);
  const move = { agent: "coder", because: "because", by: "ana" };
  await promote(deps, { ...move, tier: "auto", assurance: "tty" });
  expect((await write(deps)).decision.tier).toBe("auto");
  clock.advance(1);
  await demote(deps, { ...move, tier: "shadow" });
  expect((await write(deps)).decision.tier).toBe("shadow");
});

test("the first record has index 1, no previous hash and a sha256 prefix, and keeps its cost", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "shadow" }));
  await write(deps);
  const [record] = await recordsOf(deps);
  expect(record).toMatchObject({
    chain_index: 1,
    previous_hash: null,
    entry_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  });
  const costly = { ...record, cost_usd: 0.25 };
  const text = JSON.stringify([{ ...costly, entry_hash: recordHashOf(costly) }]);
  expect(trustImport(text)).toMatchObject({ ok: true, records: [{ cost_usd: 0.25 }] });
});

test("a chain with a changed record is not verified, and the mismatch of previous_hash is named", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "shadow" }));
  await write(deps);
  await write(deps);
  const chain = await trustExport(deps);
  const [first, second] = chain.records;
  const forged = { ...second, previous_hash: `sha256:${"0".repeat(64)}` };
  const records = [first, { ...forged, entry_hash: recordHashOf(forged) }];
  expect(trustImport(JSON.stringify({ ...chain, records }))).toEqual({
    ok: false,
    at: 2,
    why: "previous_hash mismatch: it does not follow the record before",
  });
});

test("the hash does not depend on the order of nested keys", () => {
  const one = { agent: "coder", metadata: { b: { y: 1, x: [{ q: 1, p: 2 }] }, a: 1 } };
  const other = { metadata: { a: 1, b: { x: [{ p: 2, q: 1 }], y: 1 } }, agent: "coder" };
  expect(recordHashOf(one)).toBe(recordHashOf(other));
});

test("an export has the fields of an envelope, and an empty export is verified with total 0 and root null", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "shadow" }));
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const empty = {
    topic: "trust_graph",
    total: 0,
    root_hash: null,
    verified: true,
    generated_at: "2026-01-01T00:00:00.000Z",
    producer: { name: "leeway", version },
  };
  expect(await trustExport(deps)).toEqual({ schema: "opentrustgraph-chain/v0", chain: empty, records: [] });
  await write(deps);
  const { chain, records } = await trustExport(deps);
  expect(chain).toEqual({ ...empty, total: 1, root_hash: records[0]?.entry_hash });
  expect(trustImport(JSON.stringify({ schema: "opentrustgraph-chain/v0", chain, records })).ok).toBe(true);
});

test("a limit of 2 gives the newest two of three records, and groups by trace are in the order of their first record", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "shadow" }));
  for (const callId of ["one", "two", "three"]) await write(deps, { callId });
  const where = { kinds: ["call.decided" as const] };
  const newest = await listEntries(deps, where, { limit: 2, order: "newest" });
  expect(newest.map((entry) => entry.subject.trace)).toEqual(["trace_three", "trace_two"]);
  const ofOne = await listEntries(deps, { subject: { trace: "trace_one" } }, { limit: 9, order: "oldest" });
  expect(ofOne.map((entry) => entry.kind)).toEqual(["call.decided"]);
  const traces = (await recordsOf(deps)).map((record) => record.trace_id);
  expect([...new Set(traces)]).toEqual(["trace_one", "trace_two", "trace_three"]);
});

test("filters by agent, outcome and tier give exactly the matching records", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "shadow", "db.read": "auto" }));
  await write(deps);
  await write(deps, { agent: "builder" });
  await send(deps, "lookup", { id: 1 });
  const found = async (subject: { agent?: string; outcome?: string; tier?: string }) =>
    (await listEntries(deps, { kinds: ["call.decided"], subject }, { limit: 9, order: "oldest" })).map(
      (entry) => [entry.subject.agent, entry.subject.tier] as const,
    );
  expect(await found({ agent: "builder" })).toEqual([["builder", "shadow"]]);
  expect(await found({ outcome: "run" })).toEqual([["coder", "auto"]]);
  expect(await found({ tier: "shadow", agent: "coder" })).toEqual([["coder", "shadow"]]);
  const { records } = await trustExport(deps, { agent: "builder" });
  expect(records.map((record) => [record.agent, record.chain_index])).toEqual([["builder", 1]]);
});

/** Records in the format's own terms, chained by its hash rule. */
function chained(schema: string, records: readonly JsonObject[]): JsonObject[] {
  const chain: JsonObject[] = [];
  for (const record of records) {
    const previous = chain.at(-1);
    const placed = {
      schema,
      cost_usd: null,
      approver: null,
      ...record,
      chain_index: chain.length + 1,
      previous_hash: previous?.["entry_hash"] ?? null,
    };
    chain.push({ ...placed, entry_hash: recordHashOf(placed) });
  }
  return chain;
}

test("valid fixture chains are accepted, and invalid ones are rejected with the reason: mismatch, approval required, parentage", () => {
  const bot = { agent: "github-triage-bot", outcome: "success" };
  const valid = chained("opentrustgraph/v0", [
    {
      ...bot,
      record_id: "01966f4c-0f31-7b5d-b44b-f7f8e7e1d384",
      action: "github.issue.opened",
      trace_id: "trace_valid_01",
      autonomy_tier: "suggest",
      timestamp: "2026-04-19T18:42:11Z",
      metadata: { provider: "github" },
    },
    {
      ...bot,
      record_id: "01966f4c-0f32-7d37-b443-d72dd96f0f4f",
      action: "trust.promote",
      approver: "maintainer-1",
      trace_id: "trace_valid_02",
      autonomy_tier: "act_auto",
      timestamp: "2026-04-19T18:43:02Z",
      metadata: { control: true, from_tier: "suggest", to_tier: "act_auto" },
    },
  ]);
  expect(valid.map((record) => record["entry_hash"])).toEqual([
    "sha256:84facae7d56fd304e040ea18d80bd019e274ad86ddd5a4d732f3ac3d984c48ec",
    "sha256:6bb2b155ba07c67443c881f2d9dd954083bb44542df81520db1490fcbfdd5bf9",
  ]);
  expect(trustImport(JSON.stringify(valid)).ok).toBe(true);
  const base = {
    ...bot,
    record_id: "r1",
    action: "deploy",
    trace_id: "t1",
    autonomy_tier: "act_with_approval",
    timestamp: "2026-04-19T18:42:11Z",
  };
  const signature = { reviewer: "ana", signed_at: "2026-04-19T18:42:11Z", signature: "sha256:00" };
  const whyOf = (metadata: JsonObject, over: JsonObject = {}) => {
    const done = trustImport(JSON.stringify(chained("opentrustgraph/v0", [{ ...base, metadata, ...over }])));
    return done.ok ? "ok" : done.why.split(":")[0];
  };
  expect(whyOf({ approval: { required: true, signatures: [] } })).toBe("approval required");
  expect(whyOf({ approval: { required: true, signatures: [signature] } })).toBe("approval required");
  expect(whyOf({ approval: { required: true, signatures: [signature] } }, { approver: "ana" })).toBe("ok");
});

test("a chain in which each of three agents has a part of its parent's effects verifies, and one that exceeds its parent is rejected", () => {
  const effect = (kind: string, scope: string, resource: string) => ({ kind: { kind }, scope, resource });
  const [net, src, tmp] = [
    effect("net", "write", "https://api.example"),
    effect("fs", "read", "/workspace/src"),
    effect("fs", "write", "/workspace/tmp"),
  ];
  const ids = [1, 2, 3].map((n) => `01966f4c-300${n - 1}-700${n}-a000-00000000000${n}`);
  const common = { outcome: "success", autonomy_tier: "act_auto" };
  const spawning = (used: JsonObject[], actors: (JsonObject | undefined)[]) => {
    const chainOf = (i: number) => (actors[i] === undefined ? {} : { actor_chain: actors[i] });
    return chained("opentrustgraph/v0.1", [
      {
        ...common,
        record_id: ids[0] ?? "",
        agent: "parent-orchestrator",
        action: "agent.spawn",
        timestamp: "2026-04-19T20:30:00Z",
        trace_id: "trace_effect_root",
        metadata: { effects_grant: [net, src, tmp], ...chainOf(0) },
      },
      {
        ...common,
        record_id: ids[1] ?? "",
        agent: "child-spawner",
        action: "agent.spawn",
        timestamp: "2026-04-19T20:31:00Z",
        trace_id: "trace_effect_child",
        metadata: { effects_grant: [net, src], parent_record_id: ids[0] ?? "", ...chainOf(1) },
      },
      {
        ...common,
        record_id: ids[2] ?? "",
        agent: "grandchild-worker",
        action: "fs.read",
        cost_usd: 0.001,
        timestamp: "2026-04-19T20:32:00Z",
        trace_id: "trace_effect_grandchild",
        metadata: { effects_used: used, parent_record_id: ids[1] ?? "", ...chainOf(2) },
      },
    ]);
  };
  const whole = spawning([src], []);
  expect(whole.at(-1)?.["entry_hash"]).toBe("sha256:783dd6eb93fc13f2d42773f11693543a7f7cb2c28cef980b409c9f69830e5272");
  expect(trustImport(JSON.stringify(whole)).ok).toBe(true);
  expect(trustImport(JSON.stringify(spawning([tmp], [])))).toMatchObject({
    ok: false,
    at: 3,
    why: expect.stringContaining("effects mismatch"),
  });
  const acting = (...names: string[]): JsonObject => {
    const [sub = "", ...rest] = names;
    return rest.length === 0 ? { sub } : { sub, act: acting(...rest) };
  };
  const own = [
    acting("user:operator", "agent:parent-orchestrator"),
    acting("user:operator", "agent:child-spawner", "agent:parent-orchestrator"),
    acting("user:operator", "agent:grandchild-worker", "agent:child-spawner", "agent:parent-orchestrator"),
  ];
  expect(trustImport(JSON.stringify(spawning([src], own))).ok).toBe(true);
  const escaped = own.with(1, acting("user:operator", "agent:child-spawner", "agent:other-parent"));
  expect(trustImport(JSON.stringify(spawning([src], escaped)))).toMatchObject({
    ok: false,
    at: 2,
    why: expect.stringContaining("parentage"),
  });
});

test("after 10 successes at act_with_approval the record says so, and no decision becomes looser", async () => {
  const { deps } = await worldOf(policyOf({ "fs.write": "ask" }));
  for (let i = 0; i < 10; i++) {
    const receipt = await send(deps, "write_file", { path: "src/a.ts", text: `${i}` });
    await answer(deps, receipt, "approve");
    await carryOut(deps, receipt);
  }
  const trust = await trustOf(deps, "coder");
  expect(trust.total).toMatchObject({ calls: 10, approvals: 10, outcomes: { success: 10, failure: 0 } });
  expect(trust.suggestions).toEqual([]);
  expect((await write(deps)).outcome).toBe("pending");
});

const stores: readonly [string, (name: string) => Store][] = [
  ["memory", () => memoryStore()],
  ["SQLite", (name) => sqliteStore(join(folder, `${name}.db`), { sealer })],
];

describe.each(stores)("on %s", (_, open) => {
  const note = (mint = testMint(), salt = "") =>
    draft(mint, { kind: "session.ended", actor: "leeway", subject: { session: `s${salt}` }, body: { salt } });

  test("10,000 appended entries have the ids 1 to 10000", async () => {
    const deps = testDeps({ store: open("appends") });
    const done = await Promise.all(
      Array.from({ length: 100 }, () => {
        const entries = Array.from({ length: 100 }, () => note(deps.mint));
        return deps.store.commit(changeOf(deps.mint, { workspace: "default", nowMs: 1 }, [{ entries }]));
      }),
    );
    expect(done.every((one) => one.ok)).toBe(true);
    const links = await deps.store.read({ ask: "links", workspace: "default", afterIndex: 0, limit: 20_000 });
    expect(links.map((link) => link.index)).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1));
    expect(await verifyLedger(deps)).toMatchObject({ ok: true, entries: 10_000 });
    await deps.store.close();
  });

  test("a Change that is sent twice returns the original answer and does not change the content", async () => {
    const deps = testDeps({ store: open("once") });
    const change = changeOf(deps.mint, { workspace: "default", nowMs: 1 }, [{ entries: [note(deps.mint, "first")] }]);
    const first = await deps.store.commit(change);
    const again = await deps.store.commit({ ...change, entries: [note(deps.mint, "second")] });
    expect([again, (await everything(deps)).map((entry) => entry.body?.json)]).toEqual([first, [{ salt: "first" }]]);
    await deps.store.close();
  });
});

test("after reopening a file with a torn end, the data is there and the torn end is ignored", async () => {
  const path = join(folder, "torn.db");
  const deps = testDeps({ store: sqliteStore(path, { sealer }) });
  const add = () => {
    const entry = draft(deps.mint, { kind: "session.ended", actor: "leeway", subject: { session: "s" } });
    return deps.store.commit(changeOf(deps.mint, { workspace: "default", nowMs: 1 }, [{ entries: [entry] }]));
  };
  for (let i = 0; i < 20; i++) await add();
  // As a crash in the middle of a write would leave it: the files unchanged, the last write incomplete.
  const torn = join(folder, "after-the-crash.db");
  copyFileSync(path, torn);
  if (existsSync(`${path}-wal`)) {
    const wal = readFileSync(`${path}-wal`);
    copyFileSync(`${path}-wal`, `${torn}-wal`);
    truncateSync(`${torn}-wal`, wal.length - 10);
  }
  await deps.store.close();
  const reopened = testDeps({ store: sqliteStore(path, { sealer }) });
  expect(await verifyLedger(reopened)).toMatchObject({ ok: true, entries: 20 });
  await reopened.store.close();
  const after = testDeps({ store: sqliteStore(torn, { sealer }) });
  const verified = await verifyLedger(after);
  expect(verified).toMatchObject({ ok: true, entries: expect.any(Number) });
  expect(verified.ok && verified.entries < 20 && verified.entries > 0).toBe(true);
  await after.store.close();
});
