import { type Piece, put, unchanged, type Write } from "../change.ts";
import type { Decision } from "../decision.ts";
import type { Execution } from "../execution.ts";
import type { ApprovalId, CallId, ExecutionId, Mint } from "../ids.ts";
import type { EntryDraft, Subject } from "../ledger.ts";
import { madeRow, type Vouched } from "../record/row-hash.ts";
import type { CallRow } from "../rows.ts";
import { redact } from "../show/redact.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { draft } from "./draft.ts";
import { createGrant } from "./granting.ts";
import type { Submission } from "./submission.ts";

/** The call as it is kept. */
export function callRow(
  s: Submission,
  at: { id: CallId; nowMs: number; approvalId?: ApprovalId; executionId?: ExecutionId },
): CallRow {
  const { call } = s;
  const { approvalId, executionId } = at;
  return {
    id: at.id,
    workspace: call.workspace,
    key: s.key,
    agent: call.agent,
    ...(call.session === undefined ? {} : { session: call.session }),
    ...(call.run === undefined ? {} : { run: call.run }),
    callId: call.callId,
    tool: call.tool,
    ...(call.definition === undefined ? {} : { definition: call.definition }),
    ...(call.described === undefined || s.effect.understood === "fully" ? {} : { described: call.described }),
    digest: s.digest,
    ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
    args: s.args,
    traceId: call.traceId,
    chain: call.chain,
    claims: redact(call.claims),
    ...(call.replayOf === undefined ? {} : { replayOf: call.replayOf }),
    effect: s.effect,
    decision: s.decision,
    outcome: s.decision.outcome,
    ...(approvalId === undefined ? {} : { approvalId }),
    ...(executionId === undefined ? {} : { executionId }),
    atMs: at.nowMs,
  };
}

/** Its names, like those of the body, in the order of the canonical text, which then need not sort them. */
function subjectOf(s: Submission, row: CallRow): Subject {
  return {
    agent: row.agent,
    ...(row.approvalId === undefined ? {} : { approval: row.approvalId }),
    call: row.id,
    class: s.class,
    ...(row.executionId === undefined ? {} : { execution: row.executionId }),
    outcome: s.decision.outcome,
    ...(row.run === undefined ? {} : { run: row.run }),
    ...(row.session === undefined ? {} : { session: row.session }),
    tier: s.decision.tier,
    tool: row.tool,
    trace: row.traceId,
  };
}

/** What every decision leaves behind, whatever it was; one that the host's prompt takes over says so in an entry of its own. */
export function decidedEntries(s: Submission, row: CallRow, mint: Mint, started?: Execution): readonly EntryDraft[] {
  // A right that waits for somebody to use it is worth forging; one that is born claimed is used already.
  const rows = started?.state === "ready" ? [madeRow("executions", started)] : undefined;
  const decided = decidedEntry(s, row, mint, rows);
  if (row.outcome !== "delegated") return [decided];
  const { actor, subject } = decided;
  return [decided, draft(mint, { kind: "call.delegated", actor, subject, body: { digest: s.digest } })];
}

function decidedEntry(s: Submission, row: CallRow, mint: Mint, rows: readonly Vouched[] | undefined): EntryDraft {
  return draft(mint, {
    ...(rows === undefined ? {} : { rows }),
    kind: "call.decided",
    actor: `agent:${row.agent}`,
    subject: subjectOf(s, row),
    body: {
      autonomyClass: s.decision.needsHuman ? "needs-human" : s.decision.tier,
      callId: row.callId,
      chain: row.chain,
      ...(row.cwd === undefined ? {} : { cwd: row.cwd }),
      decision: s.decision as unknown as Json,
      digest: s.digest,
      effect: s.effect as unknown as Json,
      ...(s.inputs === undefined ? {} : { inputs: s.inputs }),
      ...(row.replayOf === undefined ? {} : { replayOf: row.replayOf }),
      requiresHuman: s.decision.needsHuman,
      ...enforcementOf(s.decision),
    },
  });
}

/** The label under which the decision enters the track record; a call that runs gets its own when it settles. */
function enforcementOf(decision: Decision): JsonObject {
  if (decision.code === "LEEWAY_NEEDS_HUMAN") return { enforcement: "needs_human_denied", denyCode: decision.code };
  if (decision.outcome === "denied")
    return { enforcement: "policy_denied", denyCode: decision.code ?? "LEEWAY_DENIED" };
  if (decision.tier === "shadow") return { enforcement: "shadow_noop" };
  if (decision.outcome === "not_executed") return { enforcement: "suggest_approval_request" };
  return {};
}

/** Rows that this call is the first to need: its agent, the policy in force, a grant that came with it. */
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
    writes.push(put("policies", policy), { do: "turn" });
    const { version, path } = policy;
    const rows = [madeRow("policies", policy)];
    entries.push(draft(mint, { kind: "policy.loaded", actor: "leeway", subject: {}, body: { version, path }, rows }));
  }
  // A grant that a callback gave with its yes counts only where that yes let the call run.
  const given = grant !== undefined && s.decision.outcome === "run" ? createGrant(grant, mint) : {};
  return {
    needs: [...needs, ...(given.needs ?? [])],
    writes: [...writes, ...(given.writes ?? [])],
    entries: [...entries, ...(given.entries ?? [])],
  };
}
