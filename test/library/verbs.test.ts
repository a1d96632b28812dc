import { expect, test } from "vitest";
import { tick } from "../../src/gate/time/tick.ts";
import { LeewayRefusal } from "../../src/index.ts";
import { StoreUnavailable } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { createTestGate, opened, refusalFrom } from "./gates.ts";

test("malformed input is refused with its path, and nothing is recorded", async () => {
  const { gate } = createTestGate();
  const wrong: [unknown, string][] = [
    [{ args: {} }, "tool: a call needs the name of a tool"],
    [{ tool: "" }, "tool: the text is empty"],
    [{ tool: "look", agent: 7 }, "agent: expected text, found number"],
    [{ tool: "look", says: "x".repeat(2001) }, "says: the text is 2001 characters long"],
    [{ tool: "look", agnet: "coder" }, "agnet: unknown key"],
    [{ tool: "look", args: "ls" }, "args: expected an object, found string"],
    [{ tool: "look", args: { a: [() => 1] } }, "args/a/0: function is not JSON"],
    [
      { tool: "look", claims: { big: 2 ** 53 } },
      "claims/big: 9007199254740992 is larger than a number can hold exactly; pass it as text",
    ],
    [{ tool: "look", definition: "v2" }, "definition: this is not a hash"],
    [{ tool: "look", runBy: "me" }, "runBy: me is not a valid value of runBy"],
    [["look"], "/: expected an object"],
    [undefined, "/: expected an object"],
  ];
  for (const [input, reason] of wrong) {
    const refusal = await refusalFrom(gate.submit(input as never));
    expect([refusal.code, refusal.reason]).toEqual(["LEEWAY_BAD_INPUT", reason]);
  }
  expect((await gate.ledger.head()).index).toBe(0);
});

test("a batch with one malformed call submits none of them", async () => {
  const { gate } = createTestGate();
  const batch = [{ tool: "look" }, { tool: "look", args: { when: new Date(0) } }];
  expect((await refusalFrom(gate.submitAll(batch))).reason).toBe("inputs/1/args/when: Date is not plain JSON");
  expect((await gate.ledger.head()).index).toBe(0);
});

test("a batch gives one row and one outcome for each call, and a denial does not affect the others", async () => {
  const { gate } = createTestGate();
  const receipts = await gate.submitAll([{ tool: "look" }, { tool: "nuke" }, { tool: "pay" }, { tool: "tell" }]);
  expect(receipts.map((receipt) => receipt.outcome)).toEqual(["run", "denied", "pending", "run"]);
  expect(new Set(receipts.map((receipt) => receipt.id)).size).toBe(4);
});

test("check and classify say what would happen and record nothing", async () => {
  const { gate } = createTestGate();
  const checked = await gate.check({ agent: "shop", tool: "pay", args: { amount: 5 } });
  const receipt = await gate.submit({ agent: "shop", tool: "pay", args: { amount: 5 } });
  expect([checked.decision, checked.digest]).toEqual([receipt.decision, receipt.digest]);
  expect((await gate.classify({ tool: "pay" })).parts.map((part) => part.class)).toEqual(["db.write"]);
  const fresh = createTestGate();
  await fresh.gate.check({ tool: "pay" });
  await fresh.gate.classify({ tool: "pay" });
  expect((await fresh.gate.ledger.head()).index).toBe(0);
});

test("a scoped layer makes decisions inside it stricter, is checked like a file, and ends with its function", async () => {
  const { gate } = createTestGate();
  const tierOf = async () => (await gate.check({ tool: "look" })).decision.tier;
  const tiers = await gate.withPolicy({ tiers: { look: "ask" } }, () =>
    gate.withPolicy({ tiers: { look: "auto" } }, async () => [await tierOf()]),
  );
  expect([...tiers, await tierOf()]).toEqual(["ask", "auto"]);
  const layersNow = async () => (await gate.policy.inForce()).layers.map(({ from }) => from);
  const outside = await layersNow();
  expect(await gate.withPolicy({ tier: "ask" }, layersNow)).toEqual([...outside, "scope"]);
  // @ts-expect-error: no tier
  const wrong = () => gate.withPolicy({ tiers: { look: "maybe" } }, () => "never");
  expect(wrong).toThrow(LeewayRefusal);
  expect(wrong).toThrow(/withPolicy:4:13/);
});

test("a program can wait, claim, renew and settle by itself", async () => {
  const { gate, clock } = await opened();
  const receipt = await gate.submit({ agent: "shop", tool: "pay", args: { amount: 5 } });
  const approvalId = receipt.approvalId ?? "";
  expect((await gate.wait(approvalId, { timeoutMs: 0 })).outcome).toBe("pending");
  await gate.review(approvalId, { by: "ana", verdict: "approve", digest: receipt.digest });
  const answered = await gate.wait(approvalId);
  const held = await gate.claim(answered.executionId ?? "");
  expect([held.tool, held.args]).toEqual(["pay", { amount: 5 }]);
  clock.advance(10_000);
  const renewed = await gate.renew(held.executionId, { attempt: held.attempt });
  expect(renewed.state === "claimed" && renewed.leaseUntilMs - held.leaseUntilMs).toBe(10_000);
  const settled = await gate.settle(held.executionId, { attempt: held.attempt, ok: true, result: { paid: 5 } });
  expect(settled.state).toBe("succeeded");
  expect((await gate.wait(approvalId)).result).toEqual({ paid: 5 });
});

test("a refusal of a verb is thrown with its code", async () => {
  const { gate } = await opened();
  const { approvalId = "", digest } = await gate.submit({ tool: "pay" });
  const by = { by: "ana", verdict: "approve" as const, digest };
  const codes = [
    refusalFrom(gate.review("apr_none", by)),
    refusalFrom(gate.review(approvalId, { ...by, by: "mallory" })),
    refusalFrom(gate.review(approvalId, { ...by, digest: "sha256:0" })),
    refusalFrom(gate.review(approvalId, { ...by, verdict: "approved" as never })),
    refusalFrom(gate.review(approvalId, { ...by, remember: { until: "tomorrow" } })),
    refusalFrom(gate.review(approvalId, { ...by, verdict: "deny", edits: {} })),
    refusalFrom(gate.wait("apr_none")),
    refusalFrom(gate.claim("exe_none")),
    refusalFrom(gate.settle("exe_none", { attempt: "att_none", ok: true })),
    refusalFrom(gate.cancel("apr_none", { by: "ana" })),
    refusalFrom(gate.reconcile("exe_none", { by: "ana", ok: true, note: "looked" })),
    refusalFrom(gate.approvals.get("apr_none")),
    refusalFrom(gate.agents.get("nobody")),
    refusalFrom(gate.people.remove("ana", { by: "ana" })),
    refusalFrom(gate.resume("pau_none", { by: "ana" })),
  ];
  expect((await Promise.all(codes)).map((refusal) => refusal.code)).toEqual([
    "LEEWAY_NOT_FOUND",
    "LEEWAY_NOT_A_REVIEWER",
    "LEEWAY_DIGEST_MISMATCH",
    "LEEWAY_BAD_INPUT",
    "LEEWAY_BAD_INPUT",
    "LEEWAY_BAD_INPUT",
    "LEEWAY_NOT_FOUND",
    "LEEWAY_NOT_FOUND",
    "LEEWAY_NOT_FOUND",
    "LEEWAY_NOT_FOUND",
    "LEEWAY_NOT_FOUND",
    "LEEWAY_NOT_FOUND",
    "LEEWAY_NOT_FOUND",
    "LEEWAY_FORBIDDEN",
    "LEEWAY_NOT_FOUND",
  ]);
});

test("a person who asked for the work cannot answer the question about it", async () => {
  const { gate } = await opened();
  const call = { agent: "shop", tool: "pay", requestedBy: "ana" };
  expect((await gate.submit(call)).code).toBe("LEEWAY_NO_REVIEWER");
  await gate.people.add({ name: "ben", admin: true, by: "ana" });
  const { approvalId = "", digest } = await gate.submit(call);
  const answer = { by: "ana", verdict: "approve" as const, digest };
  expect((await refusalFrom(gate.review(approvalId, answer))).code).toBe("LEEWAY_SELF_REVIEW");
});

test("a failure of the store is also a refusal, for every verb", async () => {
  const store = memoryStore();
  const down = () => Promise.reject(new StoreUnavailable("the disk is gone"));
  const { gate } = createTestGate({}, {}, { store: { ...store, read: down, commit: down } });
  const refusals = [
    refusalFrom(gate.check({ tool: "look" })),
    refusalFrom(gate.wait("apr_1")),
    refusalFrom(gate.review("apr_1", { by: "ana", verdict: "approve", digest: "sha256:0" })),
    refusalFrom(gate.claim("exe_1")),
    refusalFrom(gate.approvals.list()),
    refusalFrom(gate.grants.list()),
    refusalFrom(gate.people.add({ name: "ana" })),
    refusalFrom(gate.ledger.verify()),
    refusalFrom(gate.guard("look", () => "never")({})),
  ];
  expect(new Set((await Promise.all(refusals)).map(({ code }) => code))).toEqual(new Set(["LEEWAY_AUDIT_UNAVAILABLE"]));
});

test("callers that wait for a withdrawn question are told, and an expired question is listed as expired", async () => {
  const { gate, clock, deps } = await opened();
  const one = await gate.submit({ tool: "pay", args: { n: 1 } });
  clock.advance(1);
  await gate.submit({ tool: "pay", args: { n: 2 } });
  await gate.cancel(one.approvalId ?? "", { by: "ana" });
  expect((await gate.wait(one.approvalId ?? "")).code).toBe("LEEWAY_CANCELLED");
  clock.advance(25 * 60 * 60 * 1000);
  const states = (await gate.approvals.list()).map((approval) => approval.state);
  expect([states, await gate.approvals.list({ state: "pending" })]).toEqual([["expired", "cancelled"], []]);
  const expired = async () => (await gate.approvals.list({ state: "expired" })).length;
  expect([await expired(), (await tick(deps)) && (await expired())]).toEqual([1, 1]);
});

test("questions are listed newest first and page by page", async () => {
  const { gate, clock } = await opened();
  for (let n = 0; n < 5; n++) {
    await gate.submit({ agent: n % 2 === 0 ? "even" : "odd", tool: "pay", args: { n } });
    clock.advance(1);
  }
  const all = await gate.approvals.list();
  const first = await gate.approvals.list({ limit: 2 });
  const last = first.at(-1);
  const rest = last === undefined ? [] : await gate.approvals.list({ after: last });
  expect([...first, ...rest]).toEqual(all);
  expect((await gate.approvals.list({ agent: "even" })).map(({ openedMs }) => openedMs - clock.nowMs())).toEqual([
    -1, -3, -5,
  ]);
});

test("approving with remember lets the same call run for the stated number of times", async () => {
  const { gate } = await opened();
  const call = { agent: "shop", tool: "pay", args: { amount: 5 } };
  const { approvalId = "", digest } = await gate.submit(call);
  await gate.review(approvalId, { by: "ana", verdict: "approve", digest, remember: { uses: 1, until: "24h" } });
  const outcomes = [];
  for (let n = 0; n < 3; n++) outcomes.push((await gate.submit({ ...call, callId: `c${n}` })).outcome);
  expect(outcomes).toEqual(["run", "run", "pending"]);
  const [held] = await gate.grants.list();
  expect([held?.grant.usesMax, held?.used, held?.grant.fromApproval]).toEqual([1, 1, approvalId]);
});

test("grants, agents, people and pauses can be read and changed by people with the right to do so", async () => {
  const { gate } = await opened();
  await gate.people.add({ name: "ben", by: "ana", passphrase: "correct horse" });
  await gate.submit({ agent: "shop", tool: "look" });
  const grant = await gate.grants.add({
    subject: { agent: "shop" },
    covers: { tool: { name: "pay" }, targets: [], level: "write" },
    because: "the till is open",
    by: "ana",
  });
  expect((await gate.submit({ agent: "shop", tool: "pay" })).outcome).toBe("run");
  await gate.grants.revoke(grant.id, { by: "ana" });
  const pause = await gate.pause({ of: "agent", name: "shop" }, { by: "ana", because: "lunch" });
  expect((await gate.submit({ agent: "shop", tool: "look" })).code).toBe("LEEWAY_PAUSED");
  expect((await gate.pauses()).map((held) => held.id)).toEqual([pause.id]);
  await gate.resume(pause.id, { by: "ana" });
  await gate.agents.demote({ agent: "shop", tier: "suggest", because: "too eager", by: "ana" });
  expect((await gate.submit({ agent: "shop", tool: "look" })).outcome).toBe("not_executed");
  expect((await gate.people.list()).map((person) => [person.name, "passphrase" in person])).toEqual([
    ["ana", false],
    ["ben", false],
  ]);
  expect([(await gate.agents.list()).map((agent) => agent.name), (await gate.agents.get("shop")).owner]).toEqual([
    ["shop"],
    "ana",
  ]);
  expect((await refusalFrom(gate.people.add({ name: "eve", by: "ben" }))).code).toBe("LEEWAY_FORBIDDEN");
});

test("the ledger verifies, and the trust record and its export are about the same calls", async () => {
  const { gate } = createTestGate();
  const look = gate.guard("look", () => "found");
  for (let n = 0; n < 3; n++) await gate.as({ agent: "shop" }, () => look({ n }));
  const verified = await gate.ledger.verify();
  expect(verified.ok && verified.entries).toBe((await gate.ledger.head()).index);
  const lines = [];
  for await (const line of gate.ledger.export()) lines.push(line);
  expect(lines.length).toBe((await gate.ledger.head()).index);
  expect(JSON.stringify(await gate.trust.of("shop"))).toContain("db.read");
  expect(JSON.stringify(await gate.trust.export({ agent: "shop" }))).toContain("shop");
});

test("ending a session revokes its grants and withdraws its questions, only for that agent", async () => {
  const { gate } = await opened();
  const covers = { tool: { name: "pay" }, targets: [], level: "write" } as const;
  for (const agent of ["shop", "till"]) {
    await gate.grants.add({ subject: { agent, session: "s1" }, covers, because: "today", by: "ana" });
  }
  await gate.as({ agent: "shop", session: "s1" }, async () => {
    await gate.submit({ tool: "propose" });
    expect(await gate.endSession("s1")).toEqual({ grants: 1, approvals: 1, executions: 0 });
    expect((await gate.submit({ tool: "pay" })).outcome).toBe("pending");
  });
  expect((await gate.submit({ agent: "till", session: "s1", tool: "pay" })).outcome).toBe("run");
  expect(await gate.endSession("s1", { by: "ana" })).toEqual({ grants: 1, approvals: 1, executions: 0 });
});

test("outside `as`, the program ends the named session for all its agents, or is told that it does not exist", async () => {
  const { gate } = await opened();
  for (const agent of ["shop", "till"]) await gate.submit({ agent, session: "s1", tool: "propose" });
  expect(await gate.endSession("s1")).toEqual({ grants: 0, approvals: 2, executions: 0 });
  // It existed, and has nothing left to end.
  expect(await gate.endSession("s1")).toEqual({ grants: 0, approvals: 0, executions: 0 });
  const none = await refusalFrom(gate.endSession("s2"));
  expect([none.code, none.reason]).toEqual(["LEEWAY_NOT_FOUND", "there is no session s2"]);
  const notIts = await refusalFrom(gate.as({ agent: "stranger" }, () => gate.endSession("s1")));
  expect(notIts.reason).toBe("stranger has no session s1");
});

test("an agent may send an empty text to the reviewer", async () => {
  const { gate } = await opened();
  const { approvalId = "" } = await gate.submit({ tool: "pay", says: "" });
  expect((await gate.approvals.get(approvalId)).says).toBeUndefined();
});

test("a list of open questions skips those that have expired, so that only the last page is short", async () => {
  const rules = [
    { name: "soon", match: { tool: "propose" }, tier: "suggest", because: "it is", expires: "10m", examples: {} },
  ] as const;
  const { gate, clock } = await opened({ rules: rules as never });
  const pay = await gate.submit({ tool: "pay", args: { amount: 1 } });
  for (const n of [1, 2, 3]) await gate.submit({ tool: "propose", args: { n } });
  clock.advance(20 * 60_000);
  expect((await gate.approvals.list({ state: "pending", limit: 2 })).map(({ id }) => id)).toEqual([pay.approvalId]);
  expect(await gate.approvals.list({ state: "expired", limit: 2 })).toHaveLength(2);
});

test("check, classify and a callback get the notes about a call as English text", async () => {
  const command = "tar --brush -cf a.tar src";
  const said = ["tar has an unknown option: --brush"];
  const heard: string[] = [];
  const { gate } = createTestGate(
    {},
    {
      callback: {
        name: "hears",
        supportsInteraction: true,
        decide: ({ effect }) => {
          heard.push(...effect.notes);
          return undefined;
        },
      },
    },
  );
  const call = { tool: "shell", args: { command } };
  const checked = await gate.check(call);
  const classified = await gate.classify(call);
  expect([checked.effect.notes, classified.notes, heard]).toEqual([said, said, said]);
});
