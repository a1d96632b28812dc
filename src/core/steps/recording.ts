import { type Piece, put, unchanged, type Write } from "../change.ts";
import type { Decision } from "../decision.ts";
import type { Execution } from "../execution.ts";
import type { ApprovalId, CallId, ExecutionId, Mint } from "../ids.ts";
import type { EntryDraft, Subject } from "../ledger.ts";
import { redact } from "../masking/redact.ts";
import { madeRow, type Vouched } from "../rows/row-hash.ts";
import type { CallRow } from "../rows/rows.ts";
import { canonical, canonicalFrozen } from "../values/canonical.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { draft } from "./draft.ts";
import { createGrant } from "./standing/granting.ts";
import type { Submission } from "./submission-input.ts";

/** The call as it is stored. */
export function callRow(
  s: Submission,
  at: { id: CallId; nowMs: number; approvalId?: ApprovalId | undefined; executionId?: ExecutionId | undefined },
): CallRow {
  const { call } = s;
  const row: CallRow = {
    id: at.id,
    workspace: call.workspace,
    key: s.key,
    agent: call.agent,
    callId: call.callId,
    tool: call.tool,
    digest: s.digest,
    args: s.args,
    traceId: call.traceId,
    chain: call.chain,
    claims: redact(call.claims),
    effect: s.effect,
    decision: s.decision,
    outcome: s.decision.outcome,
    atMs: at.nowMs,
  };
  if (call.session !== undefined) row.session = call.session;
  if (call.run !== undefined) row.run = call.run;
  if (call.definition !== undefined) row.definition = call.definition;
  if (call.described !== undefined && s.effect.understood !== "fully") row.described = call.described;
  if (call.cwd !== undefined) row.cwd = call.cwd;
  if (call.replayOf !== undefined) row.replayOf = call.replayOf;
  if (at.approvalId !== undefined) row.approvalId = at.approvalId;
  if (at.executionId !== undefined) row.executionId = at.executionId;
  return row;
}

/** Keys in the order of the canonical text, as in the body, so that they need no sorting. */
function subjectOf(s: Submission, row: CallRow): Subject {
  const subject: Subject = { agent: row.agent };
  if (row.approvalId !== undefined) subject.approval = row.approvalId;
  subject.call = row.id;
  subject.class = s.class;
  if (row.executionId !== undefined) subject.execution = row.executionId;
  subject.outcome = s.decision.outcome;
  if (row.run !== undefined) subject.run = row.run;
  if (row.session !== undefined) subject.session = row.session;
  subject.tier = s.decision.tier;
  subject.tool = row.tool;
  subject.trace = row.traceId;
  return subject;
}

/** What every decision records. If the host's prompt takes over, a separate entry says so. */
export function decidedEntries(s: Submission, row: CallRow, mint: Mint, started?: Execution): readonly EntryDraft[] {
  // A permission that waits to be used is worth forging, so its hash is recorded; one that is created claimed is
  // already used.
  const rows = started?.state === "ready" ? [madeRow("executions", started)] : undefined;
  const decided = decidedEntry(s, row, mint, rows);
  if (row.outcome !== "delegated") return [decided];
  const { actor, subject } = decided;
  return [decided, draft(mint, { kind: "call.delegated", actor, subject, body: { digest: s.digest } })];
}

function decidedEntry(s: Submission, row: CallRow, mint: Mint, rows: readonly Vouched[] | undefined): EntryDraft {
  const { decision } = s;
  const { enforcement, denyCode } = labelOf(decision);
  const body: { [name: string]: Json } = {
    autonomyClass: decision.needsHuman ? "needs-human" : decision.tier,
    callId: row.callId,
    chain: row.chain,
  };
  for (const _ in row.claims) {
    body["claims"] = row.claims;
    break;
  }
  if (row.cwd !== undefined) body["cwd"] = row.cwd;
  body["decision"] = decision as unknown as Json;
  if (denyCode !== undefined) body["denyCode"] = denyCode;
  if (row.described !== undefined) body["described"] = row.described as unknown as Json;
  body["digest"] = s.digest;
  body["effect"] = s.effect as unknown as Json;
  if (enforcement !== undefined) body["enforcement"] = enforcement;
  if (s.inputs !== undefined) body["inputs"] = s.inputs;
  if (row.replayOf !== undefined) body["replayOf"] = row.replayOf;
  body["requiresHuman"] = decision.needsHuman;
  const [kind, actor, subject] = ["call.decided", `agent:${row.agent}`, subjectOf(s, row)] as const;
  if (rows !== undefined) return draft(mint, { kind, actor, subject, body, rows });
  return { kind, actor, subject, body, text: bodyText(body), salt: mint.salt() };
}

/** The canonical text of a body whose keys are in order. Most calls share their decision with many others. */
function bodyText(body: { readonly [name: string]: Json }): string {
  let text = "";
  for (const name of Object.keys(body)) {
    const value = body[name] as Json;
    const said = name === "decision" ? canonicalFrozen(value as JsonObject) : canonical(value);
    text += `${text === "" ? "{" : ","}"${name}":${said}`;
  }
  return `${text}}`;
}

/** The label of the decision in the track record; a call that runs gets its own label when it is settled. */
function labelOf(decision: Decision): { enforcement?: string; denyCode?: string } {
  if (decision.code === "LEEWAY_NEEDS_HUMAN") return { enforcement: "needs_human_denied", denyCode: decision.code };
  if (decision.outcome === "denied")
    return { enforcement: "policy_denied", denyCode: decision.code ?? "LEEWAY_DENIED" };
  if (decision.tier === "shadow") return { enforcement: "shadow_noop" };
  if (decision.outcome === "not_executed") return { enforcement: "suggest_approval_request" };
  return NO_LABEL;
}

const NO_LABEL = {};

/** Rows that this call needs for the first time: its agent, the policy in force, a grant that came with it. */
export function firstsPiece(s: Submission, mint: Mint): Piece {
  const { agent, policy, grant } = s.firsts;
  const needs = [];
  const writes: Write[] = [];
  const entries = [];
  if (agent !== undefined) {
    needs.push(unchanged("agents", agent.name, 0));
    writes.push(put("agents", agent));
    entries.push(
      draft(mint, {
        kind: "agent.registered",
        actor: "leeway",
        subject: { agent: agent.name },
        body: agent.owner === undefined ? {} : { owner: agent.owner },
        rows: [madeRow("agents", agent)],
      }),
    );
  }
  if (policy !== undefined) {
    needs.push(unchanged("policies", policy.id, 0));
    writes.push(put("policies", policy), { do: "turn" });
    const { version, path } = policy;
    const rows = [madeRow("policies", policy)];
    entries.push(draft(mint, { kind: "policy.loaded", actor: "leeway", subject: {}, body: { version, path }, rows }));
  }
  // A grant from a callback counts only if its answer allowed the call.
  const given = grant !== undefined && s.decision.outcome === "run" ? createGrant(grant, mint) : {};
  return {
    needs: [...needs, ...(given.needs ?? [])],
    writes: [...writes, ...(given.writes ?? [])],
    entries: [...entries, ...(given.entries ?? [])],
  };
}
