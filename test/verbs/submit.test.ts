import { expect, test } from "vitest";
import { settle } from "../../src/gate/calls/claim.ts";
import { StoreUnavailable } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { HOUR_MS, MINUTE_MS, office } from "./kit.ts";

const C1 = { callId: "c1", session: "s1" };

test("an automatic call is claimed immediately and may run, and its decision is recorded", async () => {
  const { submit, execution, kinds } = await office();
  const receipt = await submit("lookup", { id: 7 });
  expect([receipt.outcome, receipt.decision.tier]).toEqual(["run", "auto"]);
  expect(await execution(receipt.executionId)).toMatchObject({ state: "claimed", runBy: "caller", attempts: 1 });
  expect((await kinds()).slice(-3)).toEqual(["agent.registered", "policy.loaded", "call.decided"]);
});

test("each tier records exactly what it should", async () => {
  const { submit, rows } = await office();
  const tiers = ["lookup", "save", "refund", "mail", "spawn", "ship"];
  const receipts = await Promise.all(tiers.map((tool) => submit(tool)));
  expect(receipts.map(({ decision, outcome, code }) => [decision.tier, outcome, code])).toEqual([
    ["auto", "run", undefined],
    ["notify", "run", undefined],
    ["ask", "pending", undefined],
    ["suggest", "not_executed", "LEEWAY_SUGGESTED"],
    ["shadow", "not_executed", "LEEWAY_SHADOWED"],
    ["deny", "denied", "LEEWAY_DENIED"],
  ]);
  expect((await rows("approvals")).map((one) => one.tool).sort()).toEqual(["mail", "refund"]);
  expect((await rows("executions")).map((one) => one.tool).sort()).toEqual(["lookup", "save"]);
  expect(await rows("calls")).toHaveLength(6);
});

test("the same call while pending returns the same approval and sends no new notice", async () => {
  const { submit, notices } = await office();
  const first = await submit("refund", { amount: 5 }, C1);
  const again = await submit("refund", { amount: 5 }, C1);
  expect([again.outcome, again.approvalId, again.id]).toEqual(["pending", first.approvalId, first.id]);
  expect((await notices("pending")).map(({ to }) => to).sort()).toEqual(["ana", "ben", "cleo", "dan"]);
});

test("a call that joins an open question under another id has its own row and entry", async () => {
  const { submit, notices, callRow, kinds } = await office();
  const first = await submit("refund", { amount: 5 }, { callId: "c1" });
  const other = await submit("refund", { amount: 5 }, { callId: "c2" });
  expect([other.outcome, other.approvalId]).toEqual(["pending", first.approvalId]);
  expect(other.id).not.toBe(first.id);
  expect(await callRow(other.id)).toMatchObject({ callId: "c2", approvalId: first.approvalId });
  expect((await kinds()).filter((kind) => kind === "call.decided")).toHaveLength(2);
  expect((await notices("pending")).map(({ to }) => to).sort()).toEqual(["ana", "ben", "cleo", "dan"]);
});

test("changed arguments under the same call id supersede a pending question", async () => {
  const { submit, approval } = await office();
  const first = await submit("refund", { amount: 5 }, C1);
  const second = await submit("refund", { amount: 6 }, C1);
  expect(second.outcome).toBe("pending");
  expect(await approval(first.approvalId)).toMatchObject({ state: "superseded", to: second.approvalId });
});

test("changed arguments under the same call id void an approved call that is not claimed", async () => {
  const { submit, approve, execution } = await office();
  const first = await submit("refund", { amount: 5 }, C1);
  const approved = await approve(first.approvalId);
  const id = approved.ok && approved.value.state === "approved" ? approved.value.executionId : "";
  const second = await submit("refund", { amount: 6 }, C1);
  expect(second.outcome).toBe("pending");
  expect(await execution(id)).toMatchObject({ state: "void" });
});

test("changed arguments under the id of a running or ended call are refused", async () => {
  const { submit, deps } = await office();
  const first = await submit("lookup", { id: 1 }, C1);
  expect((await submit("lookup", { id: 2 }, C1)).code).toBe("LEEWAY_CALL_RUNNING");
  const { executionId = "", attempt = "att_" } = first;
  await settle(deps, executionId, { attempt, by: "caller", ending: { ok: true, result: 1 } });
  expect((await submit("lookup", { id: 2 }, C1)).code).toBe("LEEWAY_CALL_ID_REUSED");
});

test("a call sent again after it ran returns its result, however often", async () => {
  const { submit, deps } = await office();
  const { executionId = "", attempt = "att_" } = await submit("lookup", { id: 1 }, C1);
  await settle(deps, executionId, { attempt, by: "caller", ending: { ok: true, result: { total: 12 } } });
  for (const _ of [1, 2]) {
    expect(await submit("lookup", { id: 1 }, C1)).toMatchObject({ outcome: "run", result: { total: 12 }, executionId });
  }
});

test("an approved call sent again runs once, and the next one is asked about again", async () => {
  const { submit, approve } = await office();
  const { approvalId } = await submit("refund", { amount: 5 }, { callId: "c1" });
  await approve(approvalId);
  const used = await submit("refund", { amount: 5 }, { callId: "c2" });
  expect([used.outcome, used.attempt === undefined]).toEqual(["run", false]);
  const next = await submit("refund", { amount: 5 }, { callId: "c3" });
  expect([next.outcome, next.approvalId === approvalId]).toEqual(["pending", false]);
});

test("a denied call that is sent again gets the same denial, and the third time its tool is paused for the session", async () => {
  const { submit, deny, notices, rows, approval } = await office();
  const { approvalId } = await submit("refund", { amount: 5 }, { callId: "c1", session: "s1" });
  await deny(approvalId, "ana", "not today");
  for (const callId of ["c1", "c2", "c3"]) {
    const again = await submit("refund", { amount: 5 }, { callId, session: "s1" });
    expect([again.outcome, again.code, again.approvalId]).toEqual(["denied", "LEEWAY_REVIEW_DENIED", approvalId]);
    expect(again.reason).toContain("ana denied this call: not today");
  }
  expect(await approval(approvalId)).toMatchObject({ state: "denied", insisted: 3 });
  expect(await rows("pauses")).toMatchObject([
    { state: "set", by: "leeway", scope: { of: "tool", name: "refund", session: "s1" } },
  ]);
  expect(await notices("paused")).toHaveLength(1);
  expect((await submit("refund", { amount: 9 }, { session: "s1" })).code).toBe("LEEWAY_PAUSED");
  expect((await submit("refund", { amount: 9 }, { session: "s2" })).outcome).toBe("pending");
});

test("an agent without a session that repeats a denied call is paused for that tool, with its sub-agents, and nobody else is", async () => {
  const { submit, deny, rows } = await office();
  const { approvalId } = await submit("refund", { amount: 5 }, { callId: "c1" });
  await deny(approvalId, "ana");
  for (const callId of ["c1", "c2", "c3"]) await submit("refund", { amount: 5 }, { callId });
  expect(await rows("pauses")).toMatchObject([{ state: "set", scope: { of: "tool", name: "refund", agent: "coder" } }]);
  const tries = [
    await submit("refund", { amount: 9 }),
    await submit("refund", { amount: 9 }, { session: "s1" }),
    await submit("refund", { amount: 9 }, { agent: "helper", chain: ["coder"] }),
    await submit("refund", { amount: 9 }, { agent: "shop" }),
    await submit("mail"),
  ];
  expect(tries.map(({ code, outcome }) => code ?? outcome)).toEqual([
    "LEEWAY_PAUSED",
    "LEEWAY_PAUSED",
    "LEEWAY_PAUSED",
    "pending",
    "LEEWAY_SUGGESTED",
  ]);
});

test("after a question expired, the same call opens a new question", async () => {
  const { submit, approval, clock } = await office();
  const first = await submit("refund", { amount: 5 }, C1);
  clock.advance(HOUR_MS);
  const second = await submit("refund", { amount: 5 }, C1);
  expect(second.approvalId).not.toBe(first.approvalId);
  expect(await approval(second.approvalId)).toMatchObject({ state: "pending", round: 2 });
});

test("an agent with too many open questions is denied with a backpressure code, and other agents are not affected", async () => {
  const { submit } = await office();
  for (let n = 0; n < 20; n++) expect((await submit("refund", { n })).outcome).toBe("pending");
  expect(await submit("refund", { n: 20 })).toMatchObject({ outcome: "denied", code: "LEEWAY_BACKPRESSURE" });
  expect((await submit("refund", { n: 20 }, { agent: "tester" })).outcome).toBe("pending");
});

test("a quorum that nobody can reach is refused when the call is submitted", async () => {
  const quorum = "version: 1\ntier: ask\ntools: { refund: { class: db.write } }\napprovals: { quorum: 9 }\n";
  const { submit, rows } = await office(quorum);
  expect(await submit("refund")).toMatchObject({ outcome: "denied", code: "LEEWAY_NO_REVIEWER" });
  expect(await rows("approvals")).toEqual([]);
});

test("a question whose reviewers do not exist is refused when the call is submitted", async () => {
  const { submit } = await office("version: 1\ntier: ask\ntools: { refund: { class: db.write } }\nreviewers: [zoe]\n");
  expect(await submit("refund")).toMatchObject({ outcome: "denied", code: "LEEWAY_NO_REVIEWER" });
});

test("the next receipt of an agent that stopped waiting lists what was approved meanwhile", async () => {
  const { submit, approve } = await office();
  const { approvalId } = await submit("refund", { amount: 5 }, { callId: "c1" });
  await approve(approvalId);
  expect((await submit("lookup")).approvedMeanwhile).toEqual([approvalId]);
  expect((await submit("lookup", {}, { agent: "tester" })).approvedMeanwhile).toBeUndefined();
  expect((await submit("refund", { amount: 5 }, { callId: "c1" })).approvedMeanwhile).toBeUndefined();
  expect((await submit("lookup")).approvedMeanwhile).toBeUndefined();
});

test("what the call itself uses, or what can no longer be used, is not listed as approved meanwhile", async () => {
  const { submit, approve, clock } = await office();
  const first = await submit("refund", { amount: 5 }, { callId: "c1" });
  await approve(first.approvalId);
  const again = await submit("refund", { amount: 5 }, { callId: "c2" });
  expect([again.outcome, again.approvedMeanwhile]).toEqual(["run", undefined]);
  const second = await submit("refund", { amount: 6 });
  await approve(second.approvalId);
  clock.advance(30 * MINUTE_MS);
  expect((await submit("lookup")).approvedMeanwhile).toBeUndefined();
});

test("arguments that are too large are refused, and the refusal is recorded without them", async () => {
  const { submit, rows } = await office();
  const receipt = await submit("lookup", { text: "x".repeat(2_000_000) });
  expect([receipt.outcome, receipt.code]).toEqual(["denied", "LEEWAY_TOO_LARGE"]);
  expect(await rows("executions")).toEqual([]);
  expect((await rows("calls"))[0]?.args.open()).toBe("{}");
});

test("a call without agent, tool or id is refused", async () => {
  const { submit } = await office();
  expect((await submit("")).code).toBe("LEEWAY_BAD_CALL");
  expect((await submit("lookup", {}, { agent: "" })).code).toBe("LEEWAY_BAD_CALL");
  expect((await submit("lookup", {}, { callId: "" })).code).toBe("LEEWAY_BAD_CALL");
});

test("a commit whose answer was lost is sent again under the same id and is applied once", async () => {
  const store = memoryStore();
  let lose = false;
  const lossy = {
    ...store,
    commit: async (change: Parameters<typeof store.commit>[0]) => {
      const done = await store.commit(change);
      if (!lose) return done;
      lose = false;
      throw new StoreUnavailable("the answer was lost");
    },
  };
  const { submit, rows } = await office(undefined, { store: lossy });
  lose = true;
  expect((await submit("lookup")).outcome).toBe("run");
  expect(await rows("calls")).toHaveLength(1);
});

test("if the store cannot record, the call is denied, and the next call works when it can", async () => {
  const store = memoryStore();
  let broken = false;
  const failing = {
    ...store,
    commit: async (change: Parameters<typeof store.commit>[0]) => {
      if (broken) throw new StoreUnavailable("disk full");
      return store.commit(change);
    },
  };
  const { submit, rows } = await office(undefined, { store: failing });
  broken = true;
  expect(await submit("lookup")).toMatchObject({ outcome: "denied", code: "LEEWAY_AUDIT_UNAVAILABLE" });
  expect(await rows("calls")).toEqual([]);
  broken = false;
  expect((await submit("lookup")).outcome).toBe("run");
});

test("a check that throws an error leads to a denial", async () => {
  const callback = {
    name: "broken",
    supportsInteraction: true,
    decide: () => {
      throw new Error("no");
    },
  };
  const { submit, rows } = await office(undefined, { callback });
  expect(await submit("lookup")).toMatchObject({ outcome: "denied", code: "LEEWAY_INTERNAL" });
  expect(await rows("executions")).toEqual([]);
});

test("a callback is asked once, its approval lifts a plain ask, and its grant stays", async () => {
  let asked = 0;
  const callback = {
    name: "helper",
    supportsInteraction: true,
    decide: () => {
      asked += 1;
      const covers = { tool: { name: "refund" }, targets: [], level: "admin" as const };
      return asked === 1
        ? ({ answer: "allow", grant: { covers, because: "routine", uses: 1 } } as const)
        : ({ answer: "ask" } as const);
    },
  };
  const { submit, rows } = await office(undefined, { callback });
  expect((await submit("refund", { amount: 1 })).outcome).toBe("run");
  expect(await rows("grants")).toMatchObject([{ grantedBy: { callback: "helper" }, usesMax: 1, state: "live" }]);
  expect(asked).toBe(1);
});

test("a limit counts calls that ran, and a call above it is asked about or refused as the limit says", async () => {
  const text = `
version: 1
tier: auto
tools: { refund: { class: db.write }, pay: { class: db.write } }
approvals: { assurance: any }
limits:
  - { name: calls, match: { tool: refund }, max: 2, per: 1h, by: agent, then: ask }
  - { name: spend, match: { tool: pay }, sum: /amount, max: 10, per: 1h, by: workspace, then: deny }
`;
  const { submit, clock, notices, kinds } = await office(text);
  const outcomes = [];
  for (let n = 0; n < 3; n++) outcomes.push((await submit("refund", { n })).outcome);
  expect(outcomes).toEqual(["run", "run", "pending"]);
  expect((await submit("refund", { n: 0 }, { agent: "tester" })).outcome).toBe("run");
  expect((await submit("pay", { amount: 7 })).outcome).toBe("run");
  expect(await submit("pay", { amount: 4 })).toMatchObject({ outcome: "denied", code: "LEEWAY_LIMIT" });
  expect((await submit("pay", { amount: 3 })).outcome).toBe("run");
  clock.advance(2 * HOUR_MS);
  expect((await submit("pay", { amount: 10 })).outcome).toBe("run");
  expect((await kinds()).filter((kind) => kind === "limit.reached")).toHaveLength(2);
  expect(await notices("limit")).toHaveLength(2);
});

test("calls that ran under notify are combined in one notice per time window", async () => {
  const { submit, notices, clock } = await office();
  for (let n = 0; n < 100; n++) await submit("save", { n });
  expect(await notices("ran")).toHaveLength(1);
  clock.advance(10 * MINUTE_MS);
  await submit("save", { n: 100 });
  expect(await notices("ran")).toHaveLength(2);
});

test("a handed call that is sent again unsettled is not handed again, unless it only reads or is repeatable", async () => {
  const { submit } = await office(
    "version: 1\ntier: auto\ntools: { lookup: { class: db.read }, refund: { class: db.write }, keep: { class: db.write, idempotent: true } }\n",
  );
  const handed = { hands: true };
  for (const tool of ["lookup", "refund", "keep"]) {
    expect((await submit(tool, {}, { callId: tool }, handed)).outcome).toBe("run");
  }
  expect((await submit("lookup", {}, { callId: "lookup" }, handed)).outcome).toBe("run");
  expect((await submit("keep", {}, { callId: "keep" }, handed)).outcome).toBe("run");
  expect(await submit("refund", {}, { callId: "refund" }, handed)).toMatchObject({
    outcome: "denied",
    code: "LEEWAY_OUTCOME_UNKNOWN",
  });
});

test("if nobody can answer, ask becomes what the policy says", async () => {
  const { submit } = await office();
  const headless = await submit("refund", {}, {}, { waits: false });
  expect([headless.outcome, headless.code, headless.approvalId === undefined]).toEqual([
    "not_executed",
    "LEEWAY_HEADLESS",
    false,
  ]);
});

test("a submission reads nothing if nothing waits for its agent, and reads once if something may", async () => {
  const store = memoryStore();
  let reads = 0;
  const read: typeof store.read = (query) => {
    reads += 1;
    return store.read(query);
  };
  const counting = { ...store, read };
  const { submit } = await office(undefined, { store: counting });
  await submit("lookup", { n: 1 });
  await submit("lookup", { n: 2 });
  reads = 0;
  await submit("lookup", { n: 3 });
  expect(reads).toBe(0);
  await submit("lookup", { n: 3 });
  expect(reads).toBe(0);
  // The same call again is recognised when it is committed, and is read then.
  await submit("lookup", { n: 3 }, { callId: "again" });
  await submit("lookup", { n: 3 }, { callId: "again" });
  expect(reads).toBe(1);
});

test("a host that cannot hold a question open asks its own user, but never for named reviewers, a quorum or needs-human", async () => {
  const text = (more: string) => `version: 1\ntier: ask\ntools: { refund: { class: db.write } }\n${more}`;
  const plain = await office(text(""));
  const delegated = await plain.submit("refund", {}, {}, { delegates: true });
  expect([delegated.outcome, delegated.approvalId, delegated.executionId]).toEqual(["delegated", undefined, undefined]);
  expect((await plain.kinds()).slice(-2)).toEqual(["call.decided", "call.delegated"]);
  const refusals = [
    ["reviewers: [ana]\n", "LEEWAY_NO_REVIEWER"],
    ["approvals: { quorum: 2 }\n", "LEEWAY_NO_REVIEWER"],
    ["human: true\n", "LEEWAY_NEEDS_HUMAN"],
  ] as const;
  for (const [more, code] of refusals) {
    const strict = await office(text(more));
    expect(await strict.submit("refund", {}, {}, { delegates: true })).toMatchObject({ outcome: "denied", code });
  }
});

test("many agents that call for the first time at the same time are all registered, and their calls run", async () => {
  const { submit, rows } = await office();
  const calls = Array.from({ length: 200 }, (_, i) =>
    submit("lookup", { i }, { agent: `agent-${i % 40}`, callId: `c${i}` }),
  );
  const receipts = await Promise.all(calls);
  expect(new Set(receipts.map((receipt) => receipt.outcome))).toEqual(new Set(["run"]));
  expect(await rows("agents")).toHaveLength(40);
});
