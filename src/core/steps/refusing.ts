import type { Approval } from "../approval.ts";
import type { Digest } from "../call.ts";
import type { Need, Piece, Write } from "../change.ts";
import type { Code, Refused } from "../codes.ts";
import type { Mint } from "../ids.ts";
import type { Message, Named } from "../messages/message.ts";
import type { CallRow } from "../rows/rows.ts";
import { draft, subjectOfApproval } from "./draft.ts";
import type { GivenReview } from "./reviewing.ts";

// Refusals change nothing, but they are recorded. So that they cannot fill the disk, there is one entry per minute
// for each person, subject and code, and a maximum per minute for each subject.

const REFUSED_WINDOW_MS = 60_000;
const REFUSED_PER_WINDOW_MAX = 20;

/** Names are claims, so their length is limited. */
const NAME_LENGTH_MAX = 200;

/** Refusals that say something about the person who tried; a typing mistake or a busy store does not. */
const TELLING: ReadonlySet<Code> = new Set<Code>([
  "LEEWAY_NOT_A_REVIEWER",
  "LEEWAY_SELF_REVIEW",
  "LEEWAY_ASSURANCE",
  "LEEWAY_DIGEST_MISMATCH",
  "LEEWAY_NEEDS_HUMAN",
  "LEEWAY_ALREADY_RESOLVED",
  "LEEWAY_ALREADY_REVIEWED",
]);

/** An answer as somebody tried to give it, or what they tried to do instead. */
export type TriedReview = Omit<GivenReview, "verdict"> & { verdict: GivenReview["verdict"] | TriageAct };
export type TriageAct = "reply" | "handover" | "snooze";

/** An answer that did not count. The actor is the gate, because nobody proved to be the named person. */
export function refusedReview(approval: Approval, given: TriedReview, no: Refused, mint: Mint, nowMs: number): Piece {
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
          reason: shortenedMessage(no.reason),
          verdict,
          digest: shortened(given.digest),
          assurance,
          bulk,
        },
      }),
    ],
  };
}

/** A call whose id belongs to something else by now. */
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

/**
 * Reserves one entry of this kind, and one about this subject. If a limit is reached, the Change is stale and records
 * nothing.
 */
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

function shortenedMessage({ say, with: named }: Message): Message {
  return { say, with: Object.fromEntries(Object.entries(named).map(([name, value]) => [name, shortenedNamed(value)])) };
}

function shortenedNamed(value: Named): Named {
  if (typeof value === "string") return shortened(value);
  if (typeof value === "number") return value;
  if ("say" in value) return shortenedMessage(value);
  return value.map((one) => (typeof one === "string" ? shortened(one) : shortenedMessage(one)));
}

function shortened(text: string): string {
  return text.length <= NAME_LENGTH_MAX ? text : `${text.slice(0, NAME_LENGTH_MAX)}…`.toWellFormed();
}
