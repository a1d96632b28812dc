import { expect, test } from "vitest";
import type { Refused } from "../../src/core/codes.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import { reviewAll } from "../../src/gate/approvals/review.ts";
import { claim } from "../../src/gate/calls/claim.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import { addPerson, changePerson, removePerson } from "../../src/gate/people/people.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { setOwner } from "../../src/gate/standing/agents.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import { standingView } from "../../src/gate/standing/standing.ts";
import { tick } from "../../src/gate/time/tick.ts";
import type { PolicyFiles, Runner } from "../../src/ports.ts";
import { fixedPolicy, policyFrom } from "../../src/testing.ts";
import { MINUTE_MS, type Office, office, officeOf, POLICY } from "./kit.ts";

// After the approval and before the start, the policy or the people change. A call that now needs more is asked about again.

const ANA = { by: "ana", assurance: "tty" } as const;

type Lawful = Office & { decree(text: string): void };

/** An office whose policy can be changed, as by an edit of the file. */
async function lawful(text = POLICY, runners: readonly string[] = []): Promise<Lawful & { ran: string[] }> {
  const ran: string[] = [];
  const first = await office(text);
  let policies = fixedPolicy(policyFrom(text));
  const files: PolicyFiles = { current: () => policies.current(), parse: (...given) => policies.parse(...given) };
  const runner = (name: string): Runner => ({
    name: "function",
    idempotent: false,
    run: async () => {
      ran.push(name);
      return { ok: true, result: null };
    },
  });
  const deps = {
    ...first.deps,
    policies: files,
    standing: standingView(first.deps.store, first.deps.workspace, files),
    runners: new Map(runners.map((name) => [name, runner(name)])),
  };
  const decree = (next: string) => {
    policies = fixedPolicy(policyFrom(next));
  };
  return { ...officeOf(deps, first.clock), decree, ran };
}

async function approved(o: Office, by: readonly string[] = ["ana"], args = { amount: 5 }) {
  const receipt = await o.submit("refund", args);
  for (const name of by) must(await o.approve(receipt.approvalId, name));
  const row = await o.approval(receipt.approvalId);
  if (row.state !== "approved") throw new Error(`it is ${row.state}`);
  return { receipt, approvalId: row.id, executionId: row.executionId };
}

const approvals = (more: string) => POLICY.replace("approvals: {", `approvals: { ${more},`);

/** Each policy requires more than the one under which ana alone approved. */
const STRICTER: readonly [what: string, policy: string, lacks: string, then: readonly string[]][] = [
  [
    "a larger quorum",
    `${approvals("quorum: 2")}reviewers: [ana, ben]\n`,
    "only 1 of the 2 approvals that it needs still count",
    ["ben"],
  ],
  ["other reviewers", `${POLICY}reviewers: [ben]\n`, "only 0 of the 1 approvals that it needs still count", ["ben"]],
  [
    "a rule that names a group",
    `${POLICY}rules:\n  - { name: leads, match: { tool: refund }, tier: ask, because: "leads look", reviewers: ["group:leads"] }\n`,
    "only 0 of the 1 approvals that it needs still count",
    ["cleo"],
  ],
  [
    "a needs-human mark",
    POLICY.replace("human: { tools: [wire] }", "human: { tools: [refund] }"),
    "only 0 of the 1 approvals that it needs still count",
    ["ana"],
  ],
];

test.each(STRICTER)(
  "%s makes an approved call ask again, when it is claimed and when it is sent again",
  async (_, policy, lacks, then) => {
    for (const by of ["claim", "submit"] as const) {
      const o = await lawful();
      const { receipt, approvalId, executionId } = await approved(o);
      o.decree(policy);
      const why = `the policy or the reviewers have changed since the approval: ${lacks}`;
      const over = { callId: receipt.callId };
      if (by === "claim") {
        const hint = "the question was opened again: wait for the answer";
        expect(inEnglish(await claim(o.deps, executionId, "caller"))).toEqual({
          ok: false,
          code: "LEEWAY_VOID",
          reason: why,
          hint,
        });
      } else {
        expect(await o.submit("refund", { amount: 5 }, over)).toMatchObject({ approvalId, outcome: "pending" });
      }
      expect(inEnglish(await o.execution(executionId))).toMatchObject({ state: "void", why });
      expect(await o.approval(approvalId)).toMatchObject({ state: "pending", reviews: [{ by: "ana" }] });
      o.clock.advance(MINUTE_MS);
      for (const name of then) must(await o.approve(approvalId, name));
      const again = await o.submit("refund", { amount: 5 }, over);
      expect(again).toMatchObject({ outcome: "run" });
      expect(again.executionId).not.toBe(executionId);
      expect(await verifyLedger(o.deps)).toMatchObject({ ok: true });
    }
  },
);

test("a policy that requires a person does not count what a program said in a person's name", async () => {
  const o = await lawful();
  const { approvalId } = await o.submit("refund");
  must(await o.approve(approvalId, "ana", { assurance: "process" }));
  const row = await o.approval(approvalId);
  o.decree(POLICY.replace("assurance: any", "assurance: person"));
  const id = row.state === "approved" ? row.executionId : "";
  expect(await claim(o.deps, id, "caller")).toMatchObject({ code: "LEEWAY_VOID" });
  expect(await o.approve(approvalId, "ana", { assurance: "process" })).toMatchObject({ code: "LEEWAY_ASSURANCE" });
  expect(await o.approve(approvalId, "ana")).toMatchObject({ ok: true, value: { state: "approved" } });
});

test("a policy that forbids self-review does not count the requester's earlier approval", async () => {
  const o = await lawful(approvals("selfReview: true"));
  const { approvalId } = await o.submit("refund", {}, { requestedBy: "ana" });
  must(await o.approve(approvalId, "ana"));
  const row = await o.approval(approvalId);
  o.decree(`${approvals("selfReview: false")}reviewers: [ana, ben]\n`);
  const id = row.state === "approved" ? row.executionId : "";
  expect(await claim(o.deps, id, "caller")).toMatchObject({ code: "LEEWAY_VOID" });
  expect(await o.approve(approvalId, "ben")).toMatchObject({ ok: true, value: { state: "approved" } });
});

test("if a tool's declaration changed since, the approval is void, because reviewers saw another effect", async () => {
  const o = await lawful();
  const { receipt, executionId } = await approved(o);
  o.decree(POLICY.replace("refund: { class: db.write }", "refund: { class: browser.act }"));
  const why = "it counts as another class of effect than when it was approved";
  expect(inEnglish(await claim(o.deps, executionId, "caller"))).toMatchObject({ code: "LEEWAY_VOID", reason: why });
  const again = await o.submit("refund", { amount: 5 }, { callId: receipt.callId });
  expect(await o.approval(again.approvalId)).toMatchObject({ state: "pending", class: "browser.act", reviews: [] });
});

test("a policy that requires less, or the same, does not affect approvals", async () => {
  for (const policy of [POLICY, POLICY.replace("db.read: auto,", "db.read: auto, db.write: auto,")]) {
    const o = await lawful(`${approvals("quorum: 2")}reviewers: [ana, ben]\n`);
    const { executionId } = await approved(o, ["ana", "ben"]);
    o.decree(policy);
    expect((await claim(o.deps, executionId, "caller")).ok).toBe(true);
  }
});

test("an approved call that Leeway would run is asked about again, and runs once enough people have answered", async () => {
  const o = await lawful(POLICY, ["mail"]);
  const { approvalId } = await o.submit("mail");
  must(await o.approve(approvalId));
  o.decree(`${approvals("quorum: 2")}reviewers: [ana, ben]\n`);
  await tick(o.deps);
  expect(o.ran).toEqual([]);
  expect(await o.approval(approvalId)).toMatchObject({ state: "pending", quorum: 2 });
  must(await o.approve(approvalId, "ben"));
  await tick(o.deps);
  expect(o.ran).toEqual(["mail"]);
});

test("the caller keeps waiting; possible reviewers are told, and a person whose approval still counts is not asked twice", async () => {
  const o = await lawful(`${POLICY}reviewers: [ana, ben]\n`);
  const { receipt, executionId } = await approved(o);
  const before = (await o.notices("pending")).length;
  o.decree(`${approvals("quorum: 2")}reviewers: [ana, ben]\n`);
  await claim(o.deps, executionId, "caller");
  expect((await o.notices("pending")).slice(before).map(({ to }) => to)).toEqual(["ben"]);
  expect(await wait(o.deps, receipt.id, { timeoutMs: 0 })).toMatchObject({ code: "LEEWAY_PENDING" });
  expect((await o.kinds()).slice(-2)).toEqual(["execution.void", "approval.reopened"]);
});

test("if nobody can answer any more, the approval becomes void, and this is recorded", async () => {
  const o = await lawful();
  const { approvalId, executionId } = await approved(o);
  o.decree(`${approvals("quorum: 2")}reviewers: ["group:nobody"]\n`);
  expect(inEnglish(await claim(o.deps, executionId, "caller"))).toMatchObject({
    code: "LEEWAY_VOID",
    hint: "send the call again",
  });
  expect(await o.approval(approvalId)).toMatchObject({ state: "approved" });
  expect(await o.execution(executionId)).toMatchObject({ state: "void" });
});

const TWO = `${approvals("quorum: 2")}reviewers: [ana, ben, cleo, dan]\n`;

/** Ways to take away a person's right to review. */
const TAKEN: readonly [how: string, (o: Office) => Promise<unknown>, policy: string][] = [
  ["is removed", (o) => removePerson(o.deps, "ben", ANA), TWO],
  ["becomes an auditor", (o) => changePerson(o.deps, "ben", { auditor: true, ...ANA }), TWO],
  [
    "leaves the group",
    (o) => changePerson(o.deps, "ben", { groups: [], ...ANA }),
    TWO.replace("[ana, ben, cleo, dan]", '[ana, "group:leads"]'),
  ],
];

test.each(TAKEN)(
  "after an approver %s, calls that need their approval and have not started are asked about again",
  async (_, take, policy) => {
    const o = await lawful(policy);
    const { approvalId, executionId } = await approved(o, ["ana", "ben"]);
    const other = await approved(o, ["ana", "cleo"], { amount: 6 });
    must((await take(o)) as { ok: true; value: unknown });
    expect(await o.execution(executionId)).toMatchObject({ state: "void" });
    expect(await o.approval(approvalId)).toMatchObject({ state: "pending" });
    expect(await o.execution(other.executionId)).toMatchObject({ state: "ready" });
    expect(await o.approve(approvalId, "cleo")).toMatchObject({ ok: true, value: { state: "approved" } });
    expect(await verifyLedger(o.deps)).toMatchObject({ ok: true });
  },
);

test("a call that has started continues, whoever is removed", async () => {
  const o = await lawful(TWO);
  const { executionId } = await approved(o, ["ana", "ben"]);
  must(await claim(o.deps, executionId, "caller"));
  must(await removePerson(o.deps, "ben", ANA));
  expect(await o.execution(executionId)).toMatchObject({ state: "claimed" });
});

test("the approval of a paused reviewer or of somebody who is an auditor now is not enough to start a call", async () => {
  const o = await lawful();
  await o.submit("lookup");
  must(await setOwner(o.deps, { agent: "coder", owner: "ben", ...ANA }));
  const first = await approved(o, ["ben"], { amount: 1 });
  must(await setPause(o.deps, { scope: { of: "reviewer", name: "ben" }, because: "look first", by: "ana" }));
  expect(await claim(o.deps, first.executionId, "caller")).toMatchObject({ code: "LEEWAY_VOID" });
  must(await addPerson(o.deps, { name: "eve", ...ANA }));
  const second = await approved(o, ["eve"], { amount: 2 });
  must(await changePerson(o.deps, "eve", { auditor: true, ...ANA }));
  expect(await claim(o.deps, second.executionId, "caller")).toMatchObject({ code: "LEEWAY_VOID" });
});

test("a call that was approved together with others is asked about again if it now needs its own review", async () => {
  const o = await lawful();
  const asked = [await o.submit("refund", { n: 1 }), await o.submit("refund", { n: 2 })];
  const items = asked.map(({ approvalId = "", digest }) => ({ id: approvalId, digest }));
  await reviewAll(o.deps, items, { by: "ana", verdict: "approve", note: "", assurance: "tty" });
  const done = await o.approval(items[0]?.id);
  o.decree(POLICY.replace("human: { tools: [wire] }", "human: { tools: [refund] }"));
  const id = done.state === "approved" ? done.executionId : "";
  expect(await claim(o.deps, id, "caller")).toMatchObject({ ok: false, code: "LEEWAY_VOID" });
  expect(await o.approval(items[0]?.id)).toMatchObject({ state: "pending", action: "db.write#needs-human" });
});

function must<T>(done: { ok: true; value: T } | Refused): T {
  if (!done.ok) throw new Error(done.reason.say);
  return done.value;
}
