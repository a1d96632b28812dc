import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import type { Receipt } from "../../src/core/receipt.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { listEntries } from "../../src/gate/record/ledger.ts";
import { demote, promote } from "../../src/gate/standing/agents.ts";
import { addGrant } from "../../src/gate/standing/grants.ts";
import { HOUR_MS, type Office, office } from "../verbs/kit.ts";

// What harn's tests fix about deciding, approving, budgets and the inbox, in Leeway's terms: act_auto is `auto`,
// act_with_approval is `ask`, a trust record is the entry of a decision or a settled run. Each test has the content of its
// row.

const folder = mkdtempSync(join(tmpdir(), "leeway-harn-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

const tiered = (tier: string, more = "") =>
  `version: 1\ntier: ${tier}\nreviewers: [ana, ben, cleo]\napprovals: { assurance: any }\n${more}`;

/** An agent whose tool writes a file, only if the gate allows it. */
async function fire(o: Office, over = {}) {
  const path = join(folder, `${files++}.txt`);
  const receipt = await o.submit("write_file", { path, text: "hello" }, { cwd: folder, ...over });
  await carryOut(o, receipt, path);
  return { path, receipt, written: () => existsSync(path) };
}

async function carryOut(o: Office, receipt: Receipt, path: string): Promise<void> {
  if (receipt.outcome !== "run" || receipt.attempt === undefined) return;
  writeFileSync(path, "hello");
  const { executionId = "", attempt } = receipt;
  await settle(o.deps, executionId, { attempt, by: "caller", ending: { ok: true, result: "written" } });
}

async function records(o: Office): Promise<Record<string, unknown>[]> {
  const entries = await listEntries(o.deps, { kinds: ["call.decided", "execution.succeeded", "execution.failed"] });
  return entries.flatMap((entry) =>
    entry.body?.json["enforcement"] === undefined ? [] : [{ ...entry.subject, ...entry.body.json }],
  );
}

test("at tier shadow, a trigger that writes a file succeeds, the file is absent, and there is one record fs.write/shadow", async () => {
  const o = await office(tiered("shadow"));
  const { receipt, written } = await fire(o);
  expect([receipt.outcome, receipt.code, written()]).toEqual(["not_executed", "LEEWAY_SHADOWED", false]);
  expect(await records(o)).toMatchObject([{ class: "fs.write", tier: "shadow", enforcement: "shadow_noop" }]);
});

test("at tier suggest, a trigger that writes succeeds, the file is absent, and there are one pending approval and one record", async () => {
  const o = await office(tiered("suggest"));
  const { receipt, written } = await fire(o);
  expect([receipt.outcome, written()]).toEqual(["not_executed", false]);
  expect(await o.rows("approvals")).toMatchObject([{ id: receipt.approvalId, state: "pending", tier: "suggest" }]);
  expect(await records(o)).toMatchObject([{ enforcement: "suggest_approval_request", approval: receipt.approvalId }]);
});

test("at act_with_approval, after a reviewer approves, the file is present and there is one record of success", async () => {
  const o = await office(tiered("act_with_approval"));
  const first = await fire(o, { callId: "c1" });
  expect(first.written()).toBe(false);
  await o.approve(first.receipt.approvalId, "ben");
  await carryOut(
    o,
    await o.submit("write_file", { path: first.path, text: "hello" }, { cwd: folder, callId: "c1" }),
    first.path,
  );
  expect(first.written()).toBe(true);
  expect(await records(o)).toMatchObject([{ enforcement: "approval_granted", approvers: ["ben"] }]);
});

test("at act_auto, the file is present, nothing is proposed, and nobody is asked", async () => {
  const o = await office(tiered("act_auto"));
  const { written } = await fire(o);
  expect(written()).toBe(true);
  expect((await records(o)).map((record) => record["enforcement"])).toEqual(["auto"]);
  expect([await o.rows("approvals"), await o.notices()]).toEqual([[], []]);
});

test("with policy act_auto and action_tiers fs.write=shadow, the file is absent and there is one denied record", async () => {
  const o = await office(tiered("act_auto", "tiers: { fs.write: shadow }\n"));
  const { written } = await fire(o);
  expect(written()).toBe(false);
  expect(await records(o)).toMatchObject([{ enforcement: "shadow_noop" }]);
});

test("with act_auto and requires_human_actions[fs.write], the call is refused with the code, and one record and one request have the same tags", async () => {
  const o = await office(tiered("act_auto", "human: { classes: [fs.write] }\n"));
  const { receipt, written } = await fire(o);
  expect([receipt.outcome, receipt.code, written()]).toEqual(["denied", "LEEWAY_NEEDS_HUMAN", false]);
  expect(await records(o)).toMatchObject([
    {
      enforcement: "needs_human_denied",
      autonomyClass: "needs-human",
      requiresHuman: true,
      denyCode: "LEEWAY_NEEDS_HUMAN",
      approval: receipt.approvalId,
    },
  ]);
  const [opened] = await listEntries(o.deps, { kinds: ["approval.opened"] });
  expect(opened?.body?.json).toMatchObject({
    requiresHuman: true,
    denyCode: "LEEWAY_NEEDS_HUMAN",
    action: "fs.write#needs-human",
  });
  expect(await o.approval(receipt.approvalId)).toMatchObject({ state: "pending", needsHuman: true });
});

test("with requires_human:true and with requires_human_agents:[agent], the call is denied and recorded", async () => {
  for (const human of ["human: true", "human: { agents: [coder] }"]) {
    const o = await office(tiered("act_auto", `${human}\n`));
    const { receipt, written } = await fire(o);
    expect([receipt.code, written()]).toEqual(["LEEWAY_NEEDS_HUMAN", false]);
    expect(await records(o)).toMatchObject([{ enforcement: "needs_human_denied" }]);
  }
});

test("with a budget of 1 per day, the second event waits for an approval, and the reviewers get one request", async () => {
  const o = await office(
    tiered(
      "act_auto",
      "limits: [{ name: daily, match: { class: fs.write }, max: 1, per: 1d, by: agent, then: ask }]\n",
    ),
  );
  expect((await fire(o)).written()).toBe(true);
  const second = await fire(o);
  expect([second.receipt.outcome, second.written()]).toEqual(["pending", false]);
  expect(second.receipt.decision.because.join()).toContain("limit daily is reached");
  expect(await o.rows("approvals")).toHaveLength(1);
  expect((await o.kinds()).filter((kind) => kind === "limit.reached")).toHaveLength(1);
  await o.approve(second.receipt.approvalId);
  expect(
    (await claim(o.deps, (await o.rows("executions")).find((one) => one.approval !== undefined)?.id ?? "", "caller"))
      .ok,
  ).toBe(true);
});

test("with a budget of 2 per hour, the third call exceeds it, agents have separate budgets, and 0 or an empty key is rejected", async () => {
  const budget = (max: string, name = "hourly") =>
    tiered(
      "act_auto",
      `limits: [{ name: "${name}", match: { class: fs.write }, max: ${max}, per: 1h, by: agent, then: ask }]\n`,
    );
  const o = await office(budget("2"));
  const outcomes = [];
  for (let n = 0; n < 3; n++) outcomes.push((await fire(o)).receipt.outcome);
  expect(outcomes).toEqual(["run", "run", "pending"]);
  expect((await fire(o, { agent: "other" })).receipt.outcome).toBe("run");
  o.clock.advance(2 * HOUR_MS);
  expect((await fire(o)).receipt.outcome).toBe("run");
  const free = await office(tiered("act_auto"));
  for (let n = 0; n < 5; n++) expect((await fire(free)).receipt.outcome).toBe("run");
  expect(parsePolicyText(budget("-1"), "leeway.yaml").ok).toBe(false);
  expect(parsePolicyText(budget("2", ""), "leeway.yaml").ok).toBe(false);
});

test("after a shadow agent is promoted to act_auto, the next trigger has tier act_auto and its effect happens", async () => {
  const o = await office(tiered("shadow"));
  expect((await fire(o)).written()).toBe(false);
  const move = { agent: "coder", tier: "auto", because: "well behaved", assurance: "tty" } as const;
  expect(await promote(o.deps, { ...move, by: "coder" })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect((await promote(o.deps, { ...move, by: "ana" })).ok).toBe(true);
  expect((await fire(o)).written()).toBe(true);
});

test("after a promotion and a demotion, the newer one applies", async () => {
  const o = await office(tiered("shadow"));
  await fire(o);
  await promote(o.deps, { agent: "coder", tier: "auto", because: "good", by: "ana", assurance: "tty" });
  o.clock.advance(1);
  await demote(o.deps, { agent: "coder", tier: "suggest", because: "less good", by: "ana" });
  expect((await fire(o)).receipt.outcome).toBe("not_executed");
  o.clock.advance(1);
  await promote(o.deps, { agent: "coder", tier: "auto", because: "good again", by: "ana", assurance: "tty" });
  expect((await fire(o)).written()).toBe(true);
});

test("with a quorum of 2 of 3, two approvals give the events opened, reviewed, reviewed, approved and two reviewers", async () => {
  const o = await office(tiered("ask").replace("assurance: any", "assurance: any, quorum: 2"));
  const { receipt } = await fire(o);
  await o.approve(receipt.approvalId, "ben");
  await o.approve(receipt.approvalId, "cleo");
  const kinds = (await o.kinds()).filter((kind) => kind.startsWith("approval."));
  expect(kinds).toEqual(["approval.opened", "approval.reviewed", "approval.reviewed", "approval.approved"]);
  expect((await o.approval(receipt.approvalId)).reviews.map((given) => [given.by, given.digest])).toEqual([
    ["ben", receipt.digest],
    ["cleo", receipt.digest],
  ]);
});

test("a denial gives a typed refusal with its reason, and the events opened, reviewed, denied", async () => {
  const o = await office(tiered("ask"));
  const { receipt, path } = await fire(o, { callId: "c1" });
  await o.deny(receipt.approvalId, "ben", "wrong file");
  const again = await o.submit("write_file", { path, text: "hello" }, { cwd: folder, callId: "c1" });
  expect([again.code, again.reason?.includes("wrong file")]).toEqual(["LEEWAY_REVIEW_DENIED", true]);
  const kinds = (await o.kinds()).filter((kind) => kind.startsWith("approval."));
  expect(kinds).toEqual(["approval.opened", "approval.reviewed", "approval.denied"]);
});

test("with dual control of 2 of 3, the call runs once after the quorum is reached", async () => {
  const o = await office(tiered("ask").replace("assurance: any", "assurance: any, quorum: 2"));
  const { receipt } = await fire(o);
  const votes = await Promise.all(["ana", "ben", "cleo"].map((by) => o.approve(receipt.approvalId, by)));
  expect(votes.filter((vote) => vote.ok)).toHaveLength(2);
  const [execution] = await o.rows("executions");
  const starts = await Promise.all([1, 2, 3].map(() => claim(o.deps, execution?.id ?? "", "caller")));
  expect(starts.filter((start) => start.ok)).toHaveLength(1);
  expect(await o.rows("executions")).toHaveLength(1);
});

test("the question contains capabilities, evidence, when it was asked and until when it can be answered", async () => {
  const o = await office(tiered("ask"));
  const { receipt } = await fire(o, { run: "run-1", says: "I need this file" });
  const asked = await o.approval(receipt.approvalId);
  expect(asked).toMatchObject({
    capabilities: ["workspace.write_text"],
    evidence: [],
    openedMs: o.clock.nowMs(),
    answerByMs: o.clock.nowMs() + 24 * HOUR_MS,
    quorum: 1,
    run: "run-1",
    says: "I need this file",
  });
  const claimed = await o
    .approve(receipt.approvalId)
    .then(async () => claim(o.deps, (await o.rows("executions"))[0]?.id ?? "", "caller"));
  expect(claimed).toMatchObject({ value: { args: { text: "hello" } } });
});

test("each wait has exactly one requested and one resolved event, with the same id", async () => {
  const o = await office(tiered("ask"));
  const { receipt } = await fire(o, { callId: "c1" });
  await fire(o, { callId: "c2" });
  await o.approve(receipt.approvalId);
  const about = await listEntries(o.deps, { subject: { approval: receipt.approvalId ?? "" } });
  const pair = about.filter((entry) => ["approval.opened", "approval.approved"].includes(entry.kind));
  expect(pair.map((entry) => entry.kind).sort()).toEqual(["approval.approved", "approval.opened"]);
});

test("a replay after recorded answers without a live host gives the same verdict, reviewer and time", async () => {
  const o = await office(tiered("ask"));
  const { receipt, path } = await fire(o, { callId: "c1" });
  await o.approve(receipt.approvalId, "ben");
  const before = await o.approval(receipt.approvalId);
  o.clock.advance(1000);
  const replayed = await o.submit("write_file", { path, text: "hello" }, { cwd: folder, callId: "c1" });
  expect(replayed.outcome).toBe("run");
  expect(await o.approval(receipt.approvalId)).toEqual(before);
  expect(await o.rows("approvals")).toHaveLength(1);
});

test("with 6 requests of which 1 is answered, the inbox has 5 rows, newest first, can be filtered, and can be empty", async () => {
  const o = await office(tiered("ask"));
  const pending = (limit: number, agent?: string) =>
    o.deps.store.read({
      ask: "rows",
      workspace: "default",
      table: "approvals",
      where: { state: "pending", ...(agent === undefined ? {} : { agent }) },
      limit,
      order: "newest",
    });
  expect(await pending(10)).toEqual([]);
  const asked: (string | undefined)[] = [];
  for (let n = 0; n < 6; n++) {
    asked.push((await fire(o, { agent: n < 2 ? "first" : "second" })).receipt.approvalId);
    o.clock.advance(1000);
  }
  await o.deny(asked[3], "ana");
  expect((await pending(10)).map(({ row }) => row.id)).toEqual([5, 4, 2, 1, 0].map((n) => asked[n]));
  expect((await pending(2)).map(({ row }) => row.id)).toEqual([asked[5], asked[4]]);
  expect((await pending(10, "first")).map(({ row }) => row.id)).toEqual([asked[1], asked[0]]);
});

const rule = (name: string, tier: string, path: string, extra = "") =>
  `  - { name: ${name}, match: { class: fs.write, path: "${path}" }, tier: ${tier}, because: ${name}${extra}, examples: { match: [{ tool: write_file, args: { path: "${path.replace("**", "x")}" } }], miss: [{ tool: write_file, args: { path: "/other" } }] } }\n`;

test("permission rules apply in the order deny, ask, allow, and a remembered approval never overrides a deny or a firm ask", async () => {
  const dir = folder;
  const rules = [
    rule("free", "auto", `${dir}/**`),
    rule("asked", "ask", `${dir}/*.txt`),
    `  - { name: never, match: { tool: write_file, args: { /text: hello } }, tier: deny, because: never, examples: { match: [{ tool: write_file, args: { text: hello } }], miss: [{ tool: write_file, args: { text: bye } }] } }\n`,
  ];
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
  ]) {
    const o = await office(tiered("ask", `rules:\n${order.map((n) => rules[n]).join("")}`));
    expect((await fire(o)).receipt.outcome).toBe("denied");
  }
  const o = await office(tiered("auto", `rules:\n${rule("firmly", "ask", `${dir}/**`, ", firm: true")}`));
  const covers = { class: "fs.write", targets: [], level: "admin" } as const;
  await addGrant(o.deps, { subject: { agent: "coder" }, covers, because: "", by: "ana", assurance: "tty" });
  expect((await fire(o)).receipt.outcome).toBe("pending");
});

test("a malformed policy or request is an error and never allows: mistyped field, wrong type, missing name", async () => {
  for (const text of [
    "version: 1\nteir: auto\n",
    "version: 1\ntier: [auto]\n",
    "tier: 7\n",
    "version: 1\nrules: [{ tier: auto }]\n",
  ]) {
    expect(parsePolicyText(text, "leeway.yaml").ok).toBe(false);
  }
  const o = await office(tiered("auto"));
  for (const over of [{ agent: "" }, { callId: "" }]) {
    expect((await fire(o, over)).receipt).toMatchObject({ outcome: "denied", code: "LEEWAY_BAD_CALL" });
  }
});

test("a remembered decision asks again after any argument or the workspace changed, and the stored grant has no argument text", async () => {
  const o = await office(tiered("ask"));
  const path = join(folder, "kept.txt");
  const text = "a very private letter";
  const asked = await o.submit("write_file", { path, text }, { cwd: folder });
  const answer = {
    by: "ana",
    verdict: "approve",
    digest: asked.digest,
    note: "",
    assurance: "tty",
    bulk: false,
  } as const;
  expect((await review(o.deps, asked.approvalId ?? "", { ...answer, remember: {} })).ok).toBe(true);
  expect(JSON.stringify(await o.rows("grants"))).not.toContain(text);
  expect((await o.submit("write_file", { path, text }, { cwd: folder, callId: "x1" })).outcome).toBe("run");
  expect((await o.submit("write_file", { path, text }, { cwd: folder, callId: "x2" })).outcome).toBe("run");
  expect((await o.submit("write_file", { path: `${path}.bak`, text }, { cwd: folder })).outcome).toBe("pending");
  const elsewhere = await office(tiered("ask"), { store: o.deps.store, workspace: "elsewhere" });
  expect((await elsewhere.submit("write_file", { path, text }, { cwd: folder })).outcome).toBe("pending");
});

test("if nobody can answer, a question is refused with the original rule, and explicit grants still work", async () => {
  const o = await office(tiered("auto", `headless: deny\nrules:\n${rule("asked", "ask", `${folder}/**`)}`));
  const alone = { waits: false };
  const path = join(folder, "alone.txt");
  const submit = (over = {}) => o.submit("write_file", { path, text: "" }, { cwd: folder, ...over }, alone);
  const receipt = await submit();
  expect([receipt.outcome, receipt.code, receipt.decision.rules]).toEqual(["denied", "LEEWAY_HEADLESS", ["asked"]]);
  const covers = { class: "fs.write", targets: [{ kind: "path", path, recursive: false }], level: "write" } as const;
  await addGrant(o.deps, { subject: { agent: "coder" }, covers, because: "", by: "ana", assurance: "tty" });
  expect((await submit({ callId: "granted" })).outcome).toBe("run");
});

test("an answer `true`, or one without a verdict, is not an approval, and a denial is distinguished from no answer", async () => {
  const o = await office(tiered("ask"));
  const { receipt } = await fire(o);
  const answer = { by: "ana", digest: receipt.digest, note: "", assurance: "tty" as const, bulk: false };
  for (const verdict of [true, undefined, null, 1]) {
    const given = { ...answer, verdict: verdict as unknown as "approve" };
    expect(await review(o.deps, receipt.approvalId ?? "", given)).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  }
  expect((await o.approval(receipt.approvalId)).state).toBe("pending");
  await o.deny(receipt.approvalId);
  expect((await o.approval(receipt.approvalId)).state).toBe("denied");
  const unanswered = await fire(o);
  o.clock.advance(24 * HOUR_MS);
  expect(await o.approve(unanswered.receipt.approvalId)).toMatchObject({
    ok: false,
    code: "LEEWAY_ALREADY_RESOLVED",
  });
});

test("a refusal with two declared paths names only the rule of the forbidden path", async () => {
  const rules = `${rule("fine", "auto", `${folder}/a/**`)}${rule("secret", "deny", `${folder}/b/**`)}`;
  const o = await office(tiered("auto", `rules:\n${rules}`));
  const receipt = await o.submit(
    "copy_file",
    { source: `${folder}/a/x`, destination: `${folder}/b/x` },
    { cwd: folder },
  );
  const moved = await o.submit("write_file", { path: `${folder}/b/x`, text: "" }, { cwd: folder });
  expect(moved.decision.rules).toEqual(["secret"]);
  expect(receipt.decision.rules).not.toContain("fine");
});
