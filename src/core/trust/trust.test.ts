import { expect, test } from "vitest";
import { chain, EMPTY_HEAD, type Entry, type EntryDraft, headAfter, type Subject, withText } from "../ledger.ts";
import { byClass, foldTrust, startTrust, sumOfTracks } from "./trust.ts";

type Said = Partial<Omit<EntryDraft, "subject" | "text">> & {
  kind: EntryDraft["kind"];
  subject?: Subject;
  atMs?: number;
};

function entriesOf(said: readonly Said[]): Entry[] {
  let head = EMPTY_HEAD;
  return said.map(({ atMs = 0, ...one }) => {
    const subject = { agent: "coder", class: "fs.write", tool: "write_file", ...one.subject };
    const draft = { actor: "leeway" as const, body: {}, salt: "00".repeat(16), ...one, subject };
    const entry = chain(head, withText(draft), { workspace: "default", nowMs: atMs });
    head = headAfter(entry);
    return entry;
  });
}

function recordsOf(said: readonly Said[]) {
  const fold = startTrust();
  for (const entry of entriesOf(said)) foldTrust(fold, entry);
  return [...fold.records.values()];
}

const nothing = {
  calls: 0,
  proposals: 0,
  approvals: 0,
  denials: 0,
  edits: 0,
  unknowns: 0,
  outcomes: { success: 0, failure: 0, denied: 0, timeout: 0 },
  answered: { count: 0, totalMs: 0, longestMs: 0 },
};
const whose = { agent: "coder", class: "fs.write", tool: "write_file" };

test("proposals are counted separately, and never as failures", () => {
  const outcome = "not_executed";
  const said: Said[] = [
    { kind: "call.decided", subject: { tier: "shadow", outcome } },
    { kind: "call.decided", subject: { tier: "suggest", outcome } },
  ];
  expect(recordsOf(said)).toEqual([{ ...whose, ...nothing, calls: 2, proposals: 2 }]);
});

test("every outcome of a call is counted once, under its own name", () => {
  const approval = "apr_1";
  const said: Said[] = [
    { kind: "call.decided", subject: { tier: "deny", outcome: "denied" } },
    { kind: "call.decided", subject: { tier: "ask", outcome: "pending", approval } },
    { kind: "approval.opened", subject: { approval }, atMs: 1000 },
    { kind: "approval.approved", subject: { approval }, atMs: 4000 },
    { kind: "execution.claimed" },
    { kind: "execution.succeeded" },
    { kind: "execution.failed" },
    { kind: "execution.unknown" },
    { kind: "execution.reconciled", body: { outcome: "succeeded" } },
    { kind: "execution.reconciled", body: { outcome: "failed" } },
    { kind: "approval.opened", subject: { approval: "apr_2" }, atMs: 5000 },
    { kind: "approval.denied", subject: { approval: "apr_2" }, atMs: 6000 },
    { kind: "approval.expired", subject: { approval: "apr_3" } },
    { kind: "approval.cancelled", subject: { approval: "apr_4" } },
    { kind: "approval.superseded", actor: "person:ana" },
    { kind: "approval.superseded", actor: "leeway" },
  ];
  expect(recordsOf(said)).toEqual([
    {
      ...whose,
      calls: 2,
      proposals: 0,
      approvals: 1,
      denials: 1,
      edits: 1,
      unknowns: 1,
      outcomes: { success: 2, failure: 2, denied: 2, timeout: 1 },
      answered: { count: 2, totalMs: 4000, longestMs: 3000 },
      lastIncident: { index: 12, atMs: 6000, was: "denial" },
    },
  ]);
});

const refused = (approval: string): Said => ({
  kind: "call.decided",
  subject: { tier: "ask", outcome: "denied", approval },
});

test("a call that needs a human counts as asked until somebody denies it", () => {
  const approval = "apr_1";
  const open: Said[] = [refused(approval), { kind: "approval.opened", subject: { approval } }, refused(approval)];
  expect(recordsOf(open)).toEqual([{ ...whose, ...nothing, calls: 2 }]);
  const denied: Said[] = [...open, { kind: "approval.denied", subject: { approval } }];
  expect(recordsOf(denied)).toMatchObject([{ calls: 2, denials: 1, outcomes: { denied: 1 } }]);
  expect(recordsOf([...denied, refused(approval)])).toMatchObject([{ calls: 3, denials: 1, outcomes: { denied: 2 } }]);
});

test("a withdrawn question does not count as a denial", () => {
  const approval = "apr_1";
  const said: Said[] = [
    refused(approval),
    { kind: "approval.opened", subject: { approval } },
    { kind: "approval.cancelled", subject: { approval } },
  ];
  expect(recordsOf(said)).toEqual([{ ...whose, ...nothing, calls: 1 }]);
});

test("refusals before and after a question are still counted", () => {
  const approval = "apr_1";
  const other = { kind: "call.decided", subject: { tool: "shell", outcome: "denied" } } as const;
  const said: Said[] = [other, refused(approval), { kind: "approval.opened", subject: { approval } }, other];
  expect(recordsOf(said)).toMatchObject([
    { tool: "shell", calls: 2, outcomes: { denied: 2 } },
    { tool: "write_file", calls: 1, outcomes: { denied: 0 } },
  ]);
});

test("records are kept per agent, class and tool, and are added up per class and in total", () => {
  const records = recordsOf([
    { kind: "execution.succeeded" },
    { kind: "execution.succeeded", subject: { tool: "edit_file" } },
    { kind: "execution.failed", subject: { class: "git.write", tool: "shell" } },
    { kind: "execution.succeeded", subject: { agent: "builder" } },
  ]);
  expect(records).toHaveLength(4);
  const mine = records.filter((record) => record.agent === "coder");
  expect(byClass(mine).map((one) => [one.class, one.outcomes.success, one.outcomes.failure])).toEqual([
    ["fs.write", 2, 0],
    ["git.write", 0, 1],
  ]);
  expect(sumOfTracks(mine)).toMatchObject({ outcomes: { success: 2, failure: 1 }, lastIncident: { index: 3 } });
});

test("an entry that is not about an agent's call counts for nobody", () => {
  const fold = startTrust();
  for (const entry of entriesOf([{ kind: "person.added" }, { kind: "pause.set" }, { kind: "grant.used" }])) {
    foldTrust(fold, entry);
  }
  expect(fold.records.size).toBe(0);
});
