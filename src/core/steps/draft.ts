import type { Approval } from "../approval.ts";
import type { Execution } from "../execution.ts";
import type { Mint } from "../ids.ts";
import { type Actor, type EntryDraft, type EntryKind, type Subject, withText } from "../ledger.ts";
import type { Vouched } from "../rows/row-hash.ts";
import type { Json, JsonObject } from "../values/json.ts";

/**
 * Builds one entry draft. The salt keeps the body from being guessed by its hash. `rows`: the rows that it records
 * (row-hash.ts).
 */
export function draft(
  mint: Mint,
  entry: { kind: EntryKind; actor: Actor; subject: Subject; body?: JsonObject; rows?: readonly Vouched[] | undefined },
): EntryDraft {
  const { kind, actor, subject, body = {}, rows } = entry;
  const said = rows === undefined ? body : { ...body, rows: rows as unknown as Json };
  return withText({ kind, actor, subject, body: said, salt: mint.salt() });
}

export function subjectOfExecution(execution: Execution): Subject {
  const subject: Subject = { agent: execution.agent };
  if (execution.approval !== undefined) subject.approval = execution.approval;
  subject.call = execution.call;
  subject.class = execution.class;
  subject.execution = execution.id;
  if (execution.session !== undefined) subject.session = execution.session;
  subject.tier = execution.tier;
  subject.tool = execution.tool;
  subject.trace = execution.traceId;
  return subject;
}

export function subjectOfApproval(approval: Approval): Subject {
  return {
    agent: approval.agent,
    tool: approval.tool,
    class: approval.class,
    tier: approval.tier,
    call: approval.call,
    approval: approval.id,
    trace: approval.traceId,
    ...(approval.session === undefined ? {} : { session: approval.session }),
    ...(approval.run === undefined ? {} : { run: approval.run }),
  };
}
