import type { Approval } from "../approval.ts";
import type { Digest } from "../call.ts";
import type { Need, Piece, Write } from "../change.ts";
import type { Code, Refused } from "../codes.ts";
import type { Mint } from "../ids.ts";
import type { CallRow } from "../rows.ts";
import { draft, subjectOfApproval } from "./draft.ts";
import type { GivenReview } from "./reviewing.ts";

// What was refused changes nothing and is worth a line, but nobody may fill the disk by being refused: one line a
// minute for who, about what and why, and so many a minute about one thing, whoever it was.

const REFUSED_WINDOW_MS = 60_000;
const REFUSED_PER_WINDOW_MAX = 20;

/** Names are whatever somebody claims to be called. */
const NAME_LENGTH_MAX = 200;

/** Refusals that say something about who tried; a typo or a crowded store says nothing. */
const TELLING: ReadonlySet<Code> = new Set<Code>([
  "LEEWAY_NOT_A_REVIEWER",
  "LEEWAY_SELF_REVIEW",
  "LEEWAY_ASSURANCE",
  "LEEWAY_DIGEST_MISMATCH",
  "LEEWAY_NEEDS_HUMAN",
  "LEEWAY_ALREADY_RESOLVED",
  "LEEWAY_ALREADY_REVIEWED",
]);

/** An answer that did not count. The gate is who acts: nobody proved to be the person who is named. */
export function refusedReview(approval: Approval, given: GivenReview, no: Refused, mint: Mint, nowMs: number): Piece {
  if (!TELLING.has(no.code)) return {};
  const person = shortened(given.by);
  const { verdict, assurance, bulk } = given;
  return {
    ...bounded({ about: approval.id, what: `${no.code}:${person}` }, nowMs),
    entries: [
      draft(mint, {
        kind: "review.refused",
        actor: "leeway",
        subject: { ...subjectOfApproval(approval), ...(person === "" ? {} : { person }) },
        body: {
          code: no.code,
          reason: shortened(no.reason),
          verdict,
          digest: shortened(given.digest),
          assurance,
          bulk,
        },
      }),
    ],
  };
}

/** A call that came back under an id which stands for something else by now. */
export function refusedCall(row: CallRow, digest: Digest, no: Refused, mint: Mint, nowMs: number): Piece {
  const { agent, tool, id, approvalId, executionId, traceId, session, run } = row;
  return {
    ...bounded({ about: `agent:${agent}`, what: `${no.code}:${id}` }, nowMs),
    entries: [
      draft(mint, {
        kind: "call.refused",
        actor: `agent:${agent}`,
        subject: {
          agent,
          tool,
          call: id,
          trace: traceId,
          ...(approvalId === undefined ? {} : { approval: approvalId }),
          ...(executionId === undefined ? {} : { execution: executionId }),
          ...(session === undefined ? {} : { session }),
          ...(run === undefined ? {} : { run }),
        },
        body: { callId: row.callId, code: no.code, reason: no.reason, digest },
      }),
    ],
  };
}

/** Room for one line of the kind, and for one more about the thing. Without room the Change is stale and leaves nothing. */
function bounded(counted: { about: string; what: string }, nowMs: number): { needs: Need[]; writes: Write[] } {
  const startMs = nowMs - (nowMs % REFUSED_WINDOW_MS);
  const untilMs = startMs + REFUSED_WINDOW_MS;
  const all = `refused:${startMs}:${counted.about}`;
  const one = `${all}:${counted.what}`;
  return {
    needs: [
      { is: "room", counters: [one], add: 1, max: 1 },
      { is: "room", counters: [all], add: 1, max: REFUSED_PER_WINDOW_MAX },
    ],
    writes: [
      { do: "add", counter: one, by: 1, untilMs },
      { do: "add", counter: all, by: 1, untilMs },
    ],
  };
}

function shortened(text: string): string {
  return text.length <= NAME_LENGTH_MAX ? text : `${text.slice(0, NAME_LENGTH_MAX)}…`.toWellFormed();
}
