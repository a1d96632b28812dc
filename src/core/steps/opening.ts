import type { Pending } from "../approval.ts";
import { rootOf } from "../call.ts";
import { type Piece, put } from "../change.ts";
import type { CallId, Mint } from "../ids.ts";
import { redactText } from "../masking/redact.ts";
import { madeRow } from "../rows/row-hash.ts";
import { liveKey } from "../rows/rows.ts";
import { draft, subjectOfApproval } from "./draft.ts";
import { recipientsOf, tell, tellOnce } from "./notices.ts";
import { oneMoreAsked, oneMoreOpen } from "./pending.ts";
import type { Submission } from "./submission-input.ts";

/** The maximum length of the agent's own words. */
const SAYS_MAX = 2000;

/** Opens the question about this call and tells the reviewers, unless this agent has caused too many notices. */
export function openingPiece(row: Pending, s: Submission, mint: Mint, nowMs: number, isQuiet = false): Piece {
  const { id: ref, workspace } = row;
  const to = recipientsOf(row, s.circle.owner);
  const notice = { kind: "pending", ref, workspace, nowMs, about: row } as const;
  const key = `_${row.root ?? row.agent}`;
  const told = isQuiet
    ? to.flatMap((name) => tellOnce(s.circle, { ...notice, to: name, key }))
    : tell(mint, s.circle, { ...notice, to });
  return {
    needs: [{ is: "unique", table: "approvals", key: liveKey(row.agent, row.digest) }],
    writes: [put("approvals", row), oneMoreOpen(row), oneMoreAsked(row, nowMs), ...told],
    entries: [
      draft(mint, {
        kind: "approval.opened",
        actor: "leeway",
        subject: subjectOfApproval(row),
        body: {
          action: row.action,
          quorum: row.quorum,
          reviewers: row.reviewers.map((list) => [...list]),
          capabilities: [...row.capabilities],
          answerByMs: row.answerByMs,
          round: row.round,
          runBy: row.runBy,
          ...(row.needsHuman ? { requiresHuman: true, denyCode: "LEEWAY_NEEDS_HUMAN" } : {}),
          ...(row.from === undefined ? {} : { from: row.from }),
        },
        rows: [madeRow("approvals", row)],
      }),
    ],
  };
}

/** The question as it would be opened now. The rules for it are fixed in it. */
export function questionOf(s: Submission, round: number, callId: CallId, mint: Mint, nowMs: number): Pending {
  const { call, decision } = s;
  const { asking } = decision;
  return {
    id: mint.next("apr"),
    workspace: call.workspace,
    call: callId,
    agent: call.agent,
    ...(call.chain.length === 0 ? {} : { root: rootOf(call) }),
    ...(call.session === undefined ? {} : { session: call.session }),
    tool: call.tool,
    class: s.class,
    action: decision.needsHuman ? `${s.class}#needs-human` : s.class,
    tier: decision.tier,
    digest: s.digest,
    round,
    needsHuman: decision.needsHuman,
    openedMs: nowMs,
    answerByMs: nowMs + asking.expiresMs,
    permitMs: asking.permitMs,
    quorum: asking.quorum,
    reviewers: asking.reviewers,
    ...(asking.escalate === undefined
      ? {}
      : { escalate: { atMs: nowMs + asking.escalate.afterMs, to: asking.escalate.to, done: false } }),
    remind: { atMs: nowMs + Math.ceil(asking.expiresMs / 2), done: false },
    selfReview: asking.selfReview,
    assurance: asking.assurance,
    policyVersion: decision.policyVersion,
    runBy: s.runBy,
    editable: s.editable,
    ...(s.boxes === undefined ? {} : { boxes: s.boxes }),
    ...(s.plan === undefined ? {} : { plan: s.plan }),
    idempotent: s.idempotent,
    capabilities: [...new Set(s.effect.parts.map((part) => part.capability))],
    ...(call.requestedBy === undefined ? {} : { requestedBy: call.requestedBy }),
    evidence: [],
    ...(call.run === undefined ? {} : { run: call.run }),
    traceId: call.traceId,
    ...(call.says === undefined ? {} : { says: redactText(call.says.slice(0, SAYS_MAX)) }),
    reviews: [],
    insisted: 0,
    state: "pending",
  };
}
