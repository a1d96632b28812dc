import type { Approval } from "../approval.ts";
import type { Execution } from "../execution.ts";
import type { Mint } from "../ids.ts";
import type { Actor, EntryDraft, EntryKind, Subject } from "../ledger.ts";
import type { Vouched } from "../record/row-hash.ts";
import type { Json, JsonObject } from "../values/json.ts";

/** Builds one entry draft. The salt hides the body's hash from guessing. `rows`: the rows it stands for (row-hash.ts). */
export function draft(
  mint: Mint,
  entry: { kind: EntryKind; actor: Actor; subject: Subject; body?: JsonObject; rows?: readonly Vouched[] },
): EntryDraft {
  const { kind, actor, subject, body = {}, rows } = entry;
  const said = rows === undefined ? body : { ...body, rows: rows as unknown as Json };
  return { kind, actor, subject, body: said, salt: mint.salt() };
}

export function subjectOfExecution(execution: Execution): Subject {
  return {
    agent: execution.agent,
    ...(execution.approval === undefined ? {} : { approval: execution.approval }),
    call: execution.call,
    class: execution.class,
    execution: execution.id,
    ...(execution.session === undefined ? {} : { session: execution.session }),
    tier: execution.tier,
    tool: execution.tool,
    trace: execution.traceId,
  };
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
