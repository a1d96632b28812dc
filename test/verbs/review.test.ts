import { expect, test } from "vitest";
import { inEnglish } from "../../src/core/messages/text.ts";
import { cancel } from "../../src/gate/approvals/cancel.ts";
import { edit } from "../../src/gate/approvals/edit.ts";
import { reveal } from "../../src/gate/approvals/reveal.ts";
import { review, reviewAll } from "../../src/gate/approvals/review.ts";
import { claim } from "../../src/gate/calls/claim.ts";
import { addPerson, changePerson, removePerson } from "../../src/gate/people/people.ts";
import { listEntries } from "../../src/gate/record/ledger.ts";
import { setOwner } from "../../src/gate/standing/agents.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { functionRunner } from "../../src/runners/function.ts";
import { HOUR_MS, MINUTE_MS, office, POLICY } from "./kit.ts";

const asking = (approvals: string, more = "") =>
  `version: 1\ntier: ask\ntools: { refund: { class: db.write } }\napprovals: { expires: 1h, permit: 30m, ${approvals} }\n${more}`;

test("the deciding review creates a ready execution in the same Change", async () => {
  const { submit, approve, execution, kinds } = await office();
  const { approvalId } = await submit("refund", { amount: 5 });
  const approved = await approve(approvalId);
  if (!approved.ok || approved.value.state !== "approved") throw new Error("not approved");
  expect(await execution(approved.value.executionId)).toMatchObject({
    state: "ready",
    approvers: ["ana"],
    approval: approvalId,
  });
  expect((await kinds()).slice(-2)).toEqual(["approval.reviewed", "approval.approved"]);
});

test("one denial by a person who may review closes the question, whatever the quorum", async () => {
  const { submit, approve, deny, approval } = await office(asking("quorum: 2", 'reviewers: ["group:leads"]\n'));
  const { approvalId } = await submit("refund");
  await approve(approvalId, "ben");
  await deny(approvalId, "cleo", "no");
  expect(await approval(approvalId)).toMatchObject({ state: "denied", by: "cleo", note: "no" });
});

test("a quorum counts different people who may review at the time of the deciding review", async () => {
  const { submit, approve, approval, deps } = await office(asking("quorum: 2", 'reviewers: ["group:leads"]\n'));
  await addPerson(deps, { name: "eve", groups: ["leads"], by: "ana", assurance: "tty" });
  const { approvalId } = await submit("refund");
  await approve(approvalId, "ben");
  expect(await approve(approvalId, "ben")).toMatchObject({ ok: false, code: "LEEWAY_ALREADY_REVIEWED" });
  await removePerson(deps, "ben", { by: "ana", assurance: "tty" });
  await approve(approvalId, "cleo");
  expect(await approval(approvalId)).toMatchObject({ state: "pending" });
  await approve(approvalId, "eve");
  expect(await approval(approvalId)).toMatchObject({ state: "approved" });
});

test("an answer of a person who may not review changes nothing", async () => {
  const { submit, approve, deny, approval } = await office(asking("quorum: 1", "reviewers: [ben]\n"));
  const { approvalId } = await submit("refund");
  for (const by of ["ana", "dan", "audrey", "nobody", "", "coder"]) {
    expect(await approve(approvalId, by)).toMatchObject({ ok: false, code: "LEEWAY_NOT_A_REVIEWER" });
    expect(await deny(approvalId, by)).toMatchObject({ ok: false, code: "LEEWAY_NOT_A_REVIEWER" });
  }
  expect(await approval(approvalId)).toMatchObject({ state: "pending", reviews: [] });
});

test("a person with the same name as the agent cannot answer for it", async () => {
  const { submit, approve, deps } = await office();
  await addPerson(deps, { name: "coder", admin: true, by: "ana", assurance: "tty" });
  const { approvalId } = await submit("refund");
  expect(await approve(approvalId, "coder")).toMatchObject({ ok: false, code: "LEEWAY_NOT_A_REVIEWER" });
});

test("without a list of reviewers, everybody may answer except auditors, and everybody who may is told", async () => {
  const { submit, approve, notices } = await office();
  const { approvalId } = await submit("refund");
  expect((await notices("pending")).map(({ to }) => to).sort()).toEqual(["ana", "ben", "cleo", "dan"]);
  expect(await approve(approvalId, "audrey")).toMatchObject({ ok: false, code: "LEEWAY_NOT_A_REVIEWER" });
  expect((await approve(approvalId, "ben")).ok).toBe(true);
});

test("a question that names its reviewers is for them alone, whatever role others have", async () => {
  const { submit, approve, notices } = await office(asking("quorum: 1", 'reviewers: ["group:leads"]\n'));
  const { approvalId } = await submit("refund");
  expect((await notices("pending")).map(({ to }) => to).sort()).toEqual(["ben", "cleo"]);
  for (const name of ["ana", "dan"])
    expect(await approve(approvalId, name)).toMatchObject({ ok: false, code: "LEEWAY_NOT_A_REVIEWER" });
  expect((await approve(approvalId, "cleo")).ok).toBe(true);
});

test("the requester may not answer unless self-review is on", async () => {
  const off = await office(asking("assurance: any", "reviewers: [ana]\n"));
  const asked = await off.submit("refund", {}, { requestedBy: "ana" });
  expect(asked.code).toBe("LEEWAY_NO_REVIEWER");
  const open = await office(asking("assurance: any", "reviewers: [ana, ben]\n"));
  const { approvalId } = await open.submit("refund", {}, { requestedBy: "ana" });
  expect(await open.approve(approvalId, "ana")).toMatchObject({ ok: false, code: "LEEWAY_SELF_REVIEW" });
  const on = await office(asking("selfReview: true"));
  const mine = await on.submit("refund", {}, { requestedBy: "ana" });
  expect((await on.approve(mine.approvalId, "ana")).ok).toBe(true);
});

test("with assurance `person`, an answer that a program gave in somebody's name is refused", async () => {
  const { submit, approve } = await office(asking("assurance: person"));
  const { approvalId } = await submit("refund");
  expect(await approve(approvalId, "ana", { assurance: "process" })).toMatchObject({ code: "LEEWAY_ASSURANCE" });
  expect((await approve(approvalId, "ana", { assurance: "tty" })).ok).toBe(true);
});

test("a review with another digest is refused, and so is a mistyped verdict", async () => {
  const { submit, approve, approval } = await office();
  const { approvalId } = await submit("refund", { amount: 5 });
  const other = await submit("refund", { amount: 6 });
  expect(await approve(approvalId, "ana", { digest: other.digest })).toMatchObject({ code: "LEEWAY_DIGEST_MISMATCH" });
  const typo = { verdict: "approved" as "approve" };
  expect(await approve(approvalId, "ana", typo)).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  expect(await approval(approvalId)).toMatchObject({ state: "pending" });
});

test("an answer after the deadline changes nothing, even if the expiry is not recorded yet", async () => {
  const { submit, approve, clock } = await office();
  const { approvalId } = await submit("refund");
  clock.advance(HOUR_MS);
  expect(await approve(approvalId)).toMatchObject({ ok: false, code: "LEEWAY_ALREADY_RESOLVED" });
});

test("the loser of a race is told the result", async () => {
  const { submit, approve, deny } = await office();
  const { approvalId } = await submit("refund");
  const [first, second] = await Promise.all([approve(approvalId), deny(approvalId)]);
  expect([first.ok, second.ok]).toEqual([true, false]);
  expect(second).toMatchObject({ code: "LEEWAY_ALREADY_RESOLVED" });
  expect(inEnglish(second.ok ? "" : second.reason)).toContain("is already approved");
});

test("a rule's own list and the layer's list each need a review", async () => {
  const text = `
version: 1
tier: ask
tools: { refund: { class: db.write } }
approvals: { quorum: 1, assurance: any }
rules:
  - { name: money, match: { tool: refund }, tier: ask, because: money, reviewers: [ben], examples: { match: [{ tool: refund, args: {} }], miss: [{ tool: other, args: {} }] } }
  - { name: late, match: { class: db.write }, tier: ask, because: late, reviewers: [dan], examples: { match: [{ tool: refund, args: {} }], miss: [{ tool: other, args: {} }] } }
`;
  const { submit, approve, approval } = await office(text);
  const { approvalId } = await submit("refund");
  await approve(approvalId, "ben");
  expect(await approval(approvalId)).toMatchObject({ state: "pending" });
  await approve(approvalId, "dan");
  expect(await approval(approvalId)).toMatchObject({ state: "approved" });
});

test("a paused reviewer does not count", async () => {
  const { submit, approve, deps } = await office(asking("assurance: any", "reviewers: [ben, cleo]\n"));
  await setPause(deps, { scope: { of: "reviewer", name: "ben" }, because: "away", by: "ana" });
  const { approvalId } = await submit("refund");
  expect(await approve(approvalId, "ben")).toMatchObject({ code: "LEEWAY_NOT_A_REVIEWER" });
  expect((await approve(approvalId, "cleo")).ok).toBe(true);
});

test("owner and requester are told the result once each, unless they caused it", async () => {
  const { submit, approve, notices, deps } = await office(asking("assurance: any", "reviewers: [ana, ben]\n"));
  await submit("lookup", {}, { callId: "x" });
  await setOwner(deps, { agent: "coder", owner: "dan", by: "ana", assurance: "tty" });
  const { approvalId } = await submit("refund", {}, { requestedBy: "cleo" });
  await approve(approvalId, "ben");
  const told = (await notices("resolved")).filter((notice) => notice.ref === approvalId);
  expect(told.map((notice) => notice.to).sort()).toEqual(["cleo", "dan"]);
});

test("a bulk approval answers the listed questions and needs the quorum of the strictest one", async () => {
  const text = `${asking("quorum: 1", 'reviewers: ["group:leads"]\n')}rules:
  - { name: big, match: { args: { /amount: { min: 100 } } }, tier: ask, because: big, quorum: 2, examples: { match: [{ tool: refund, args: { amount: 100 } }], miss: [{ tool: refund, args: { amount: 1 } }] } }
`;
  const { submit, approval, deps } = await office(text);
  const small = await submit("refund", { amount: 1 });
  const big = await submit("refund", { amount: 100 });
  const left = await submit("refund", { amount: 2 });
  const items = [small, big].map(({ approvalId = "", digest }) => ({ id: approvalId, digest }));
  await reviewAll(deps, items, { by: "ben", verdict: "approve", note: "", assurance: "tty" });
  expect((await approval(small.approvalId)).state).toBe("pending");
  const done = await reviewAll(deps, items, { by: "cleo", verdict: "approve", note: "", assurance: "tty" });
  expect(done.map((one) => one.ok)).toEqual([true, true]);
  expect((await approval(small.approvalId)).state).toBe("approved");
  expect((await approval(big.approvalId)).state).toBe("approved");
  expect((await approval(left.approvalId)).state).toBe("pending");
});

test("a bulk approval never answers a needs-human question", async () => {
  const { submit, approval, deps } = await office(`${POLICY}`.replace("tools: [wire]", "tools: [refund]"));
  const human = await submit("refund");
  expect(human).toMatchObject({ outcome: "denied", code: "LEEWAY_NEEDS_HUMAN" });
  const plain = await submit("keep");
  const items = [human, plain].map(({ approvalId = "", digest }) => ({ id: approvalId, digest }));
  const done = await reviewAll(deps, items, { by: "ana", verdict: "approve", note: "", assurance: "tty" });
  expect(done.map((one) => (one.ok ? "ok" : one.code))).toEqual(["LEEWAY_NEEDS_HUMAN", "ok"]);
  expect((await approval(human.approvalId)).state).toBe("pending");
  expect((await approval(human.approvalId)).action).toBe("db.write#needs-human");
});

test("approving with remember creates the grant in the same Change and answers only the listed questions", async () => {
  const { submit, approve, approval, rows, deps } = await office();
  const covers = { tool: { name: "refund" }, targets: [], level: "admin" as const };
  const first = await submit("refund", { amount: 1 });
  const listed = await submit("refund", { amount: 2 });
  const unlisted = await submit("refund", { amount: 3 });
  const also = [{ id: listed.approvalId ?? ("apr_" as const), digest: listed.digest }];
  const done = await review(deps, first.approvalId ?? "", {
    by: "ana",
    verdict: "approve",
    digest: first.digest,
    note: "routine",
    assurance: "tty",
    bulk: false,
    remember: { covers, usesMax: 1, also },
  });
  const [grant] = await rows("grants");
  expect(done).toMatchObject({ ok: true, value: { state: "approved", grant: grant?.id } });
  expect(grant).toMatchObject({
    grantedBy: { person: "ana" },
    fromApproval: first.approvalId,
    usesMax: 1,
    state: "live",
  });
  expect((await approval(listed.approvalId)).state).toBe("approved");
  expect((await approval(unlisted.approvalId)).state).toBe("pending");
  expect(await submit("refund", { amount: 4 })).toMatchObject({ outcome: "run", decision: { grant: grant?.id } });
  expect((await submit("refund", { amount: 5 })).outcome).toBe("pending");
  expect((await approve(unlisted.approvalId)).ok).toBe(true);
});

test("an answer that does not decide yet, a denial and a needs-human approval cannot be remembered", async () => {
  const { submit, deps } = await office(asking("quorum: 2", 'reviewers: ["group:leads"]\n'));
  const { approvalId = "", digest } = await submit("refund");
  const covers = { tool: { name: "refund" }, targets: [], level: "admin" as const };
  const given = { by: "ben", digest, note: "", assurance: "tty" as const, bulk: false, remember: { covers } };
  expect(await review(deps, approvalId, { ...given, verdict: "approve" })).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  expect(await review(deps, approvalId, { ...given, verdict: "deny" })).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
});

test("an edit opens a new question that is decided again, with the editor's approval, and the old question refers to it", async () => {
  const { submit, approval, execution, deps } = await office();
  const first = await submit("refund", { amount: 500 }, { callId: "c1" });
  const answer = {
    by: "ana",
    verdict: "approve",
    digest: first.digest,
    note: "less",
    assurance: "tty",
    bulk: false,
  } as const;
  const edited = await edit(deps, first.approvalId ?? "", { ...answer, args: { amount: 50 } });
  if (!edited.ok || edited.value.state !== "approved") throw new Error("the edit was not approved");
  expect(edited.value).toMatchObject({ from: first.approvalId, reviews: [{ by: "ana" }] });
  expect(await approval(first.approvalId)).toMatchObject({ state: "superseded", to: edited.value.id });
  expect(await execution(edited.value.executionId)).toMatchObject({ state: "ready", editedFrom: first.digest });
  const again = await submit("refund", { amount: 500 }, { callId: "c1" });
  expect(again).toMatchObject({
    outcome: "pending",
    code: "LEEWAY_EDITED",
    executionId: edited.value.executionId,
    edited: { from: first.digest, to: edited.value.digest, args: { amount: 50 } },
  });
  expect(again.attempt).toBeUndefined();
  const claimed = await claim(deps, edited.value.executionId, "caller");
  expect(claimed).toMatchObject({ ok: true, value: { args: { amount: 50 } } });
});

test("an edited call that Leeway runs has the edited arguments, and the agent is told what changed", async () => {
  const { submit, deps } = await office();
  const ran: unknown[] = [];
  deps.runners.set(
    "mail",
    functionRunner("mail", (args) => ran.push(args)),
  );
  const first = await submit("mail", { to: "everybody" }, { callId: "c1" });
  const answer = {
    by: "ana",
    verdict: "approve",
    digest: first.digest,
    note: "",
    assurance: "tty",
    bulk: false,
  } as const;
  expect((await edit(deps, first.approvalId ?? "", { ...answer, args: { to: "zoe" } })).ok).toBe(true);
  await tick(deps);
  expect(ran).toEqual([{ to: "zoe" }]);
  expect(await submit("mail", { to: "everybody" }, { callId: "c1" })).toMatchObject({
    outcome: "run",
    result: 1,
    edited: { from: first.digest, args: { to: "zoe" } },
  });
});

test("earlier reviews do not count for an edited call, and its quorum is not smaller", async () => {
  const { submit, approve, approval, deps } = await office(asking("quorum: 2", 'reviewers: ["group:leads"]\n'));
  const first = await submit("refund", { amount: 500 });
  await approve(first.approvalId, "ben");
  const answer = {
    by: "cleo",
    verdict: "approve",
    digest: first.digest,
    note: "",
    assurance: "tty",
    bulk: false,
  } as const;
  const edited = await edit(deps, first.approvalId ?? "", { ...answer, args: { amount: 50 } });
  if (!edited.ok) throw new Error(edited.reason.say);
  expect(await approval(edited.value.id)).toMatchObject({ state: "pending", quorum: 2, reviews: [{ by: "cleo" }] });
  await approve(edited.value.id, "ben");
  expect((await approval(edited.value.id)).state).toBe("approved");
});

test("an edit whose decision would be stricter than ask is refused, and the question stays open", async () => {
  const text = `${asking("assurance: any")}rules:
  - { name: never, match: { args: { /amount: { min: 1000 } } }, tier: deny, because: too much, examples: { match: [{ tool: refund, args: { amount: 1000 } }], miss: [{ tool: refund, args: { amount: 1 } }] } }
`;
  const { submit, approval, deps } = await office(text);
  const first = await submit("refund", { amount: 1 });
  const answer = {
    by: "ana",
    verdict: "approve",
    digest: first.digest,
    note: "",
    assurance: "tty",
    bulk: false,
  } as const;
  expect(await edit(deps, first.approvalId ?? "", { ...answer, args: { amount: 1000 } })).toMatchObject({
    code: "LEEWAY_DENIED",
  });
  expect(await edit(deps, first.approvalId ?? "", { ...answer, args: { amount: 1 } })).toMatchObject({
    code: "LEEWAY_BAD_INPUT",
  });
  expect((await approval(first.approvalId)).state).toBe("pending");
});

test("an edit is refused if the door can only run its own arguments", async () => {
  const { submit, deps } = await office();
  const { approvalId = "", digest } = await submit("refund", { amount: 1 }, {}, { hands: true, edits: false });
  const answer = { by: "ana", verdict: "approve", digest, note: "", assurance: "tty", bulk: false } as const;
  expect(await edit(deps, approvalId, { ...answer, args: { amount: 2 } })).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
});

test("cancelling closes a pending question or a ready execution, never a claimed one", async () => {
  const { submit, approve, approval, execution, deps } = await office();
  const pending = await submit("refund", { n: 1 });
  expect(await cancel(deps, pending.approvalId ?? "", { by: "audrey", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
  expect((await cancel(deps, pending.approvalId ?? "", { agent: "coder" })).ok).toBe(true);
  expect(await approval(pending.approvalId)).toMatchObject({ state: "cancelled", by: "coder" });
  const ready = await submit("refund", { n: 2 });
  const approved = await approve(ready.approvalId);
  const executionId = approved.ok && approved.value.state === "approved" ? approved.value.executionId : "";
  expect((await cancel(deps, ready.approvalId ?? "", { by: "ana", assurance: "tty" })).ok).toBe(true);
  expect(inEnglish(await execution(executionId))).toMatchObject({ state: "void", why: "ana withdrew it" });
  const running = await submit("refund", { n: 3 });
  await approve(running.approvalId);
  await submit("refund", { n: 3 });
  expect(await cancel(deps, running.approvalId ?? "", { by: "ana", assurance: "tty" })).toMatchObject({
    code: "LEEWAY_ALREADY_CLAIMED",
  });
});

test("when an agent gets a new owner, the owner is told about its open questions", async () => {
  const { submit, notices, deps } = await office(asking("quorum: 1", "reviewers: [ben]\n"));
  const { approvalId } = await submit("refund");
  await setOwner(deps, { agent: "coder", owner: "dan", by: "ana", assurance: "tty" });
  const told = (await notices("pending")).filter((notice) => notice.to === "dan");
  expect(told.map((notice) => notice.ref)).toEqual([approvalId]);
});

test("the rules for a question are fixed when it is asked, but group members are looked up live", async () => {
  const { submit, approve, approval, deps, clock } = await office(asking("quorum: 1", 'reviewers: ["group:leads"]\n'));
  const { approvalId } = await submit("refund");
  const frozen = await approval(approvalId);
  expect([frozen.quorum, frozen.reviewers, frozen.answerByMs - frozen.openedMs]).toEqual([
    1,
    [["group:leads"]],
    HOUR_MS,
  ]);
  clock.advance(MINUTE_MS);
  await addPerson(deps, { name: "fay", groups: ["leads"], by: "ana", assurance: "tty" });
  expect((await approve(approvalId, "fay")).ok).toBe(true);
});

test("a withdrawal is recorded with the kind of its actor, even if a person now has the agent's name", async () => {
  const { deps, submit } = await office();
  const asked = [
    await submit("refund", { at: 1 }),
    await submit("refund", { at: 2 }),
    await submit("refund", { at: 3 }),
  ];
  const below = await submit("refund", { at: 4 }, { agent: "helper", chain: ["coder"] });
  const others = await submit("refund", { at: 5 }, { agent: "other" });
  await addPerson(deps, { name: "coder", admin: true, by: "ana", assurance: "tty" });
  const [own, person, vouched] = asked.map(({ approvalId = "" }) => approvalId);
  const done = [
    await cancel(deps, own ?? "", { agent: "coder" }),
    await cancel(deps, person ?? "", { by: "coder", assurance: "password" }),
    await cancel(deps, vouched ?? "", { by: "coder", assurance: "process" }),
    await cancel(deps, below.approvalId ?? "", { agent: "coder" }),
    await cancel(deps, others.approvalId ?? "", { agent: "coder" }),
  ];
  expect(done.map((one) => (one.ok ? one.value.state : one.code))).toEqual([
    "cancelled",
    "cancelled",
    "cancelled",
    "cancelled",
    "LEEWAY_FORBIDDEN",
  ]);
  const entries = await listEntries(deps, { kinds: ["approval.cancelled"] }, { limit: 10, order: "oldest" });
  expect(entries.map(({ actor, subject }) => [subject.approval, actor])).toEqual([
    [own, "agent:coder"],
    [person, "person:coder"],
    [vouched, "agent:coder"],
    [below.approvalId, "agent:coder"],
  ]);
});

test("a question that a bulk answer left open for lack of people is decided by answering it alone", async () => {
  const o = await office(`${POLICY}rules:
  - { name: two, match: { tool: save }, tier: ask, because: "two look", quorum: 2 }
reviewers: [ana, ben]
`);
  const asked = [await o.submit("refund"), await o.submit("save")];
  const items = asked.map(({ approvalId = "", digest }) => ({ id: approvalId, digest }));
  await reviewAll(o.deps, items, { by: "ana", verdict: "approve", note: "", assurance: "tty" });
  expect((await o.approval(items[0]?.id)).state).toBe("pending");
  const [again] = await reviewAll(o.deps, items, { by: "ana", verdict: "approve", note: "", assurance: "tty" });
  expect(again).toMatchObject({ code: "LEEWAY_ALREADY_REVIEWED" });
  const alone = await o.approve(items[0]?.id, "ana");
  expect(alone).toMatchObject({ ok: true, value: { state: "approved" } });
  const { executionId } = (await o.approval(items[0]?.id)) as { executionId: string };
  expect(await o.execution(executionId)).toMatchObject({ approvedInBulk: false, approvers: ["ana"] });
  expect(await o.approve(items[1]?.id, "ana")).toMatchObject({ code: "LEEWAY_ALREADY_REVIEWED" });
});

test("if the approvals are enough because an approver may review again, any approver can decide the question by approving again", async () => {
  const o = await office(`${POLICY.replace("approvals: {", "approvals: { quorum: 2,")}reviewers: ["group:leads"]\n`);
  const { approvalId } = await o.submit("refund");
  const ana = { by: "ana", assurance: "tty" } as const;
  await o.approve(approvalId, "ben");
  await changePerson(o.deps, "ben", { groups: [], ...ana });
  await o.approve(approvalId, "cleo");
  expect(await o.approve(approvalId, "cleo")).toMatchObject({ code: "LEEWAY_ALREADY_REVIEWED" });
  await changePerson(o.deps, "ben", { groups: ["leads"], ...ana });
  expect((await o.approval(approvalId)).state).toBe("pending");
  expect(await o.approve(approvalId, "cleo")).toMatchObject({ ok: true, value: { state: "approved" } });
});

test("masked values are shown to a person who may answer and has a fresh sign-in, and this is recorded before they are shown", async () => {
  const o = await office(`${POLICY}reviewers: [ana, ben]\n`);
  const { approvalId = "" } = await o.submit("refund", { password: "swordfish" });
  const ben = { by: "ben", assurance: "tty" } as const;
  expect(await reveal(o.deps, approvalId, ben)).toEqual({ ok: true, value: { password: "swordfish" } });
  expect((await o.kinds()).at(-1)).toBe("secret.revealed");
  expect(await reveal(o.deps, approvalId, { ...ben, stale: true })).toMatchObject({ code: "LEEWAY_STALE_SIGN_IN" });
  expect(await reveal(o.deps, approvalId, { ...ben, by: "dan" })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(await reveal(o.deps, "apr_none", ben)).toMatchObject({ code: "LEEWAY_NOT_FOUND" });
});

test("asking and withdrawing the same question again and again does not send a notice each time", async () => {
  const o = await office(asking("quorum: 1", "reviewers: [ana]\n"));
  const asked = async (n: number) => {
    const { approvalId = "" } = await o.submit("refund", { n });
    await cancel(o.deps, approvalId, { agent: "coder" });
  };
  for (let n = 0; n < 5; n++) await asked(0);
  expect([(await o.notices("pending")).length, (await o.notices("resolved")).length]).toEqual([2, 1]);
  for (let n = 1; n < 40; n++) await asked(n);
  expect((await o.notices("pending")).length).toBeLessThanOrEqual(21);
  expect((await o.notices("resolved")).length).toBe(1);
});
