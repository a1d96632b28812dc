import { expect, test } from "vitest";
import { LEASE_MS } from "../../src/core/execution.ts";
import type { Versioned } from "../../src/core/rows/rows.ts";
import { Secret, secretOf } from "../../src/core/secret.ts";
import { claim, release, renew, settle } from "../../src/gate/calls/claim.ts";
import { reconcile } from "../../src/gate/calls/reconcile.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { liftPause, setPause } from "../../src/gate/standing/pause.ts";
import { standingView } from "../../src/gate/standing/standing.ts";
import { tick } from "../../src/gate/time/tick.ts";
import type { PathFactsSource, Store } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { fixedPolicy, policyFrom } from "../../src/testing.ts";
import { MINUTE_MS, type Office, office, POLICY } from "./kit.ts";

async function approved(o: Office, tool = "refund", args = { amount: 5 }, over = {}) {
  const receipt = await o.submit(tool, args, over);
  const done = await o.approve(receipt.approvalId);
  if (!done.ok || done.value.state !== "approved") throw new Error("it was not approved");
  return { receipt, executionId: done.value.executionId };
}

/** The same office under another policy, as after an edit of the file. */
function under(o: Office, text: string): Office["deps"] {
  const policies = fixedPolicy(policyFrom(text));
  return { ...o.deps, policies, standing: standingView(o.deps.store, o.deps.workspace, policies) };
}

test("a claim returns exactly the approved bytes, and there is only one start", async () => {
  const o = await office();
  const { executionId } = await approved(o, "refund", { amount: 5 });
  const [first, second] = await Promise.all([
    claim(o.deps, executionId, "caller"),
    claim(o.deps, executionId, "caller"),
  ]);
  expect(first).toMatchObject({
    ok: true,
    value: { args: { amount: 5 }, execution: { state: "claimed", attempts: 1 } },
  });
  expect(second).toMatchObject({ ok: false, code: "LEEWAY_ALREADY_CLAIMED" });
});

test("only the side that was fixed when the call was submitted may claim", async () => {
  const o = await office();
  const { executionId } = await approved(o);
  expect(await claim(o.deps, executionId, "leeway")).toMatchObject({ ok: false, code: "LEEWAY_NOT_YOURS" });
});

test("a pause refuses the claim, and the execution stays ready", async () => {
  const o = await office();
  const { executionId } = await approved(o);
  const paused = await setPause(o.deps, { scope: { of: "agent", name: "coder" }, because: "look first", by: "ana" });
  expect(await claim(o.deps, executionId, "caller")).toMatchObject({ ok: false, code: "LEEWAY_PAUSED" });
  expect((await o.execution(executionId)).state).toBe("ready");
  if (paused.ok) await liftPause(o.deps, paused.value.id, { by: "ana", assurance: "tty" });
  expect((await claim(o.deps, executionId, "caller")).ok).toBe(true);
});

test("a policy that now denies or only records voids an approved call", async () => {
  for (const tier of ["deny", "shadow"]) {
    const o = await office();
    const { executionId } = await approved(o);
    const deps = under(o, POLICY.replace("db.read: auto,", `db.read: auto, db.write: ${tier},`));
    expect(await claim(deps, executionId, "caller")).toMatchObject({ ok: false, code: "LEEWAY_VOID" });
    expect(await o.execution(executionId)).toMatchObject({ state: "void" });
    expect((await o.notices("void")).map((notice) => notice.to)).toEqual(["ana"]);
  }
});

test("a permit cannot be used after its expiry", async () => {
  const o = await office();
  const { executionId } = await approved(o);
  o.clock.advance(30 * MINUTE_MS);
  expect(await claim(o.deps, executionId, "caller")).toMatchObject({ ok: false, code: "LEEWAY_EXPIRED" });
});

test("a link that changed voids an approved call, when it is claimed and when it is sent again", async () => {
  let leads = "/project/src/a.txt";
  const paths: PathFactsSource = {
    about: (names) => ({
      real: Object.fromEntries(names.map((name) => [`/project/${name}`, leads])),
      foldsCase: false,
    }),
    settings: () => ({}),
    registries: () => ({ named: {}, forTools: [] }),
    taken: () => [],
    files: () => [],
  };
  for (const way of ["claim", "submit"]) {
    leads = "/project/src/a.txt";
    const o = await office("version: 1\ntier: ask\napprovals: { assurance: any }\n", { paths });
    const { executionId, receipt } = await approved(o, "write_file", { path: "a.txt" } as never, {
      cwd: "/project",
      callId: "c1",
    });
    leads = "/etc/passwd";
    if (way === "claim") {
      expect(await claim(o.deps, executionId, "caller")).toMatchObject({ ok: false, code: "LEEWAY_VOID" });
    } else {
      const again = await o.submit("write_file", { path: "a.txt" }, { cwd: "/project", callId: "c1" });
      expect([again.outcome, again.approvalId === receipt.approvalId]).not.toEqual(["run", true]);
      expect(again.outcome).toBe("pending");
    }
    expect((await o.execution(executionId)).state).toBe("void");
  }
});

/** A store in which somebody has put other arguments into every call. */
function forging(deps: Deps, args: Secret): Deps {
  const read: Store["read"] = async (query) => {
    const found = await deps.store.read(query);
    if (query.ask !== "row" || query.table !== "calls" || found === undefined) return found;
    const { row, version } = found as Versioned<"calls">;
    return { row: { ...row, args }, version } as unknown as typeof found;
  };
  return { ...deps, store: { ...deps.store, read } };
}

test("bytes that do not match the digest are never executed", async () => {
  const store = memoryStore();
  const o = await office(undefined, { store });
  const { executionId, receipt } = await approved(o);
  const row = await o.callRow(receipt.id);
  const forged = secretOf('{"amount":5000}');
  expect(await claim(forging(o.deps, forged), executionId, "caller")).toMatchObject({ ok: false, code: "LEEWAY_VOID" });
  const moved = new Secret(() => o.deps.sealer.open(o.deps.sealer.seal('{"amount":5}', "sha256:other"), row.digest));
  const o2 = await approved(o, "refund", { amount: 6 });
  expect(await claim(forging(o.deps, moved), o2.executionId, "caller")).toMatchObject({
    ok: false,
    code: "LEEWAY_VOID",
  });
});

test("a limit that refuses is reserved at the claim, and a limit that asks is satisfied by the review", async () => {
  const text = `
version: 1
tier: ask
tools: { refund: { class: db.write }, pay: { class: db.write } }
approvals: { assurance: any }
limits:
  - { name: one, match: { tool: refund }, max: 1, per: 1h, by: agent, then: deny }
  - { name: two, match: { tool: pay }, max: 1, per: 1h, by: agent, then: ask }
`;
  const o = await office(text);
  const first = await approved(o, "refund", { amount: 1 });
  const second = await approved(o, "refund", { amount: 2 });
  expect((await claim(o.deps, first.executionId, "caller")).ok).toBe(true);
  expect(await claim(o.deps, second.executionId, "caller")).toMatchObject({ ok: false, code: "LEEWAY_VOID" });
  const asks = [await approved(o, "pay", { amount: 1 }), await approved(o, "pay", { amount: 2 })];
  for (const one of asks) expect((await claim(o.deps, one.executionId, "caller")).ok).toBe(true);
});

test("a call that certainly did not start gives back its permission and its reservations", async () => {
  const text = `
version: 1
tier: auto
tools: { refund: { class: db.write } }
limits: [{ name: one, match: { tool: refund }, max: 1, per: 1h, by: agent, then: deny }]
`;
  const o = await office(text);
  const { executionId = "", attempt = "att_" } = await o.submit("refund", { n: 1 }, { callId: "c1" });
  expect((await o.submit("refund", { n: 2 })).code).toBe("LEEWAY_LIMIT");
  expect(await release(o.deps, executionId, { attempt, why: "no network" })).toMatchObject({
    value: { state: "ready" },
  });
  expect((await o.submit("refund", { n: 3 })).outcome).toBe("run");
});

test("a result is settled once; reporting it twice changes nothing", async () => {
  const o = await office();
  const { executionId } = await approved(o);
  const claimed = await claim(o.deps, executionId, "caller");
  const attempt = claimed.ok && "attempt" in claimed.value.execution ? claimed.value.execution.attempt : "att_";
  const ending = { ok: true as const, result: { paid: 5 } };
  expect((await settle(o.deps, executionId, { attempt, by: "caller", ending })).ok).toBe(true);
  expect((await settle(o.deps, executionId, { attempt, by: "caller", ending })).ok).toBe(true);
  expect(
    await settle(o.deps, executionId, { attempt, by: "caller", ending: { ok: false, error: "no" } }),
  ).toMatchObject({
    code: "LEEWAY_LEASE_LOST",
  });
  expect((await o.kinds()).filter((kind) => kind === "execution.succeeded")).toHaveLength(1);
});

test("if a lease expires during the run, the outcome is unknown, people are told, and only the same attempt may settle it later", async () => {
  const o = await office();
  const { executionId } = await approved(o);
  const claimed = await claim(o.deps, executionId, "caller");
  const attempt = claimed.ok && "attempt" in claimed.value.execution ? claimed.value.execution.attempt : "att_";
  o.clock.advance(LEASE_MS - 1);
  expect((await renew(o.deps, executionId, attempt)).ok).toBe(true);
  o.clock.advance(LEASE_MS);
  expect(await renew(o.deps, executionId, attempt)).toMatchObject({ code: "LEEWAY_LEASE_LOST" });
  expect((await tick(o.deps)).lapsed).toBe(1);
  expect((await o.execution(executionId)).state).toBe("unknown");
  expect((await o.notices("unknown")).map((notice) => notice.to)).toEqual(["ana"]);
  const again = await o.submit("refund", { amount: 5 }, { callId: "other" });
  expect(again.outcome).toBe("pending");
  const ending = { ok: true as const, result: 1 };
  expect(await settle(o.deps, executionId, { attempt: "att_other", by: "caller", ending })).toMatchObject({
    ok: false,
  });
  expect((await settle(o.deps, executionId, { attempt, by: "caller", ending })).ok).toBe(true);
});

test("an unknown outcome is reconciled once, with a note, by a person who may do so", async () => {
  const o = await office();
  const { executionId, receipt } = await approved(o, "refund", { amount: 5 }, { callId: "c1" });
  await claim(o.deps, executionId, "caller");
  o.clock.advance(LEASE_MS);
  await tick(o.deps);
  expect((await o.submit("refund", { amount: 5 }, { callId: "c1" })).code).toBe("LEEWAY_OUTCOME_UNKNOWN");
  expect(await reconcile(o.deps, executionId, { by: "dan", ok: true, note: "saw it", assurance: "tty" })).toMatchObject(
    {
      code: "LEEWAY_FORBIDDEN",
    },
  );
  expect(await reconcile(o.deps, executionId, { by: "ana", ok: true, note: "", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_BAD_INPUT",
  });
  expect(
    (await reconcile(o.deps, executionId, { by: "ana", ok: true, note: "it is in the books", assurance: "tty" })).ok,
  ).toBe(true);
  expect((await reconcile(o.deps, executionId, { by: "ana", ok: true, note: "again", assurance: "tty" })).ok).toBe(
    true,
  );
  expect(await reconcile(o.deps, executionId, { by: "ana", ok: false, note: "no", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_ALREADY_RESOLVED",
  });
  const after = await o.submit("refund", { amount: 5 }, { callId: "c1" });
  expect([after.outcome, after.result, after.id]).toEqual(["run", null, receipt.id]);
});

test("an idempotent tool whose lease expired may be tried again under the same key, a limited number of times", async () => {
  const o = await office();
  const { executionId } = await approved(o, "keep", { amount: 1 });
  const starts = [];
  for (let n = 1; n <= 6; n++) {
    const claimed = await claim(o.deps, executionId, "caller");
    if (!claimed.ok) break;
    starts.push(claimed.value.execution.id);
    o.clock.advance(LEASE_MS);
    await tick(o.deps);
  }
  expect(starts).toEqual(Array(5).fill(executionId));
  expect((await o.execution(executionId)).state).toBe("unknown");
});

test("Leeway runs calls for which it has a runner, and the same call sent again gets that result", async () => {
  const o = await office();
  const ran: unknown[] = [];
  o.deps.runners.set("mail", {
    name: "mail",
    idempotent: false,
    run: async ({ args, idempotencyKey }) => {
      ran.push([args, idempotencyKey]);
      return { ok: true, result: { sent: true } };
    },
  });
  const suggested = await o.submit("mail", { to: "zoe" }, { callId: "c1", requestedBy: "dan" });
  expect(suggested.outcome).toBe("not_executed");
  const done = await o.approve(suggested.approvalId);
  const executionId = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  expect((await o.execution(executionId)).runBy).toBe("leeway");
  expect(await claim(o.deps, executionId, "caller")).toMatchObject({ code: "LEEWAY_NOT_YOURS" });
  expect((await tick(o.deps)).succeeded).toBe(1);
  expect(ran).toEqual([[{ to: "zoe" }, executionId]]);
  expect(await o.execution(executionId)).toMatchObject({ state: "succeeded", settledBy: "runner" });
  const told = (await o.notices("ran")).filter((notice) => notice.ref === executionId);
  expect(told.map((notice) => notice.to).sort()).toEqual(["ana", "dan"]);
  const collected = await o.submit("mail", { to: "zoe" }, { callId: "c2" });
  expect(collected).toMatchObject({ outcome: "run", result: { sent: true }, executionId });
  expect((await o.submit("mail", { to: "zoe" }, { callId: "c3" })).outcome).toBe("not_executed");
  expect(await o.submit("mail", { to: "zoe" }, { callId: "c1" })).toMatchObject({ result: { sent: true } });
  expect(ran).toHaveLength(1);
});

test("a runner that did not start gives the execution back, and one that throws counts as started", async () => {
  const o = await office();
  let tries = 0;
  o.deps.runners.set("mail", {
    name: "mail",
    idempotent: false,
    run: async () => {
      tries += 1;
      if (tries === 1) return { ok: false, error: "no network", started: false };
      throw new Error("half way");
    },
  });
  const { approvalId } = await o.submit("mail");
  const done = await o.approve(approvalId);
  const executionId = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  expect((await tick(o.deps)).released).toBe(1);
  expect((await tick(o.deps)).failed).toBeUndefined();
  o.clock.advance(MINUTE_MS);
  expect((await tick(o.deps)).failed).toBe(1);
  expect(await o.execution(executionId)).toMatchObject({ state: "failed", error: "half way" });
  o.clock.advance(MINUTE_MS);
  await tick(o.deps);
  expect(tries).toBe(2);
});

test("an approved call that nobody runs becomes void when it expires, and reviewer and owner are told", async () => {
  const o = await office();
  const { executionId } = await approved(o);
  o.clock.advance(30 * MINUTE_MS);
  expect((await tick(o.deps)).voided).toBe(1);
  expect((await o.execution(executionId)).state).toBe("void");
  expect((await o.notices("void")).map((notice) => notice.to)).toEqual(["ana"]);
});

test("a call that Leeway should run but could not becomes void when it expires", async () => {
  const o = await office();
  o.deps.runners.set("mail", { name: "mail", idempotent: false, run: async () => ({ ok: true, result: 1 }) });
  const { approvalId } = await o.submit("mail");
  const done = await o.approve(approvalId);
  o.deps.runners.delete("mail");
  o.clock.advance(31 * MINUTE_MS);
  await tick(o.deps);
  const executionId = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  expect((await o.execution(executionId)).state).toBe("void");
});

test("whoever holds an execution can settle it, whatever this process knows about an earlier attempt", async () => {
  const o = await office("version: 1\ntier: auto\ntools: { keep: { class: db.write, idempotent: true } }\n");
  await o.submit("keep", { a: 1 }, { callId: "c1" });
  o.clock.advance(LEASE_MS + 1);
  await tick(o.deps);
  o.clock.advance(5_000);
  const again = await o.submit("keep", { a: 1 }, { callId: "c1" });
  const { id, attempt } = (await o.execution(again.executionId)) as { id: string; attempt: `att_${string}` };
  const ending = { ok: true as const, result: "done" };
  expect(await settle(o.deps, id, { attempt, by: "caller", ending })).toMatchObject({ ok: true });
  expect((await o.submit("keep", { a: 1 }, { callId: "c1" })).result).toBe("done");
});
