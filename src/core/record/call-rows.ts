import type { Approval } from "../approval.ts";
import type { Execution, ExecutionState } from "../execution.ts";
import type { Entry, EntryKind } from "../ledger.ts";
import type { SignIn } from "../people.ts";
import { rowHashOf, vouchedIn } from "../rows/row-hash.ts";
import type { CallRow, Rows } from "../rows/rows.ts";
import { canonical } from "../values/canonical.ts";
import type { Hash } from "../values/hash.ts";
import type { Json } from "../values/json.ts";
import { changedRow, launderedRow, type RowFault, strangeRow } from "./row-fault.ts";

// Compares the rows about one call, and sign-ins, with the entries about them. `unproved` if a body that would prove
// it was erased.

export type RowVerdict = { is: "proved" } | { is: "unproved" } | { is: "wrong"; fault: RowFault };

const PROVED: RowVerdict = { is: "proved" };
const UNPROVED: RowVerdict = { is: "unproved" };

/** A question: every step since it was opened. */
export function approvalVerdict(row: Approval, entries: readonly Entry[]): RowVerdict {
  const about = entries.filter(({ kind, subject }) => kind.startsWith("approval.") && subject.approval === row.id);
  const followed = trail("approvals", row.id, about);
  return "why" in followed ? wrong(followed) : atEnd("approvals", row, followed);
}

/** An execution: the steps that may lead to its state, and its hash while it waits to be used. */
export function executionVerdict(row: Execution, entries: readonly Entry[]): RowVerdict {
  const about = entries.filter((entry) => entry.kind in STEPS && isAbout(entry, row.id));
  // The entry names the execution only in its body; if that was erased, nobody can say which it was.
  const hidden = entries.some(({ kind, body }) => kind === "approval.approved" && body === undefined);
  let states: readonly ExecutionState[] = [];
  let last: Entry | undefined;
  for (const entry of about) {
    const step = STEPS[entry.kind];
    if (step === undefined || (entry.kind === "call.decided" && last !== undefined)) continue;
    const fits = step.from === "nothing" ? last === undefined : step.from.some((state) => states.includes(state));
    if (!fits && !(last === undefined && hidden)) return wrong(launderedRow("executions", row.id, entry.index));
    states = step.to;
    last = entry;
  }
  if (last === undefined) return hidden ? UNPROVED : wrong(strangeRow("executions", row.id));
  if (!states.includes(row.state) || !sameRight(row, last)) return wrong(changedRow("executions", row.id, last.index));
  const followed = trail("executions", row.id, about);
  if ("why" in followed) return wrong(followed);
  return row.state === "ready" ? atEnd("executions", row, followed) : PROVED;
}

/** A call as it was decided last. Its arguments are encrypted, and the digest covers them. */
export function callVerdict(row: CallRow, entries: readonly Entry[]): RowVerdict {
  const decided = entries.findLast(({ kind, subject }) => kind === "call.decided" && subject.call === row.id);
  if (decided === undefined) return wrong(strangeRow("calls", row.id));
  if (decided.body === undefined) return UNPROVED;
  const { callId, cwd, digest, decision, effect, chain, replayOf } = decided.body.json;
  const said = {
    agent: decided.subject.agent,
    tool: decided.subject.tool,
    callId,
    cwd,
    digest,
    decision,
    effect,
    chain,
    replayOf,
  };
  const kept = Object.fromEntries(Object.keys(said).map((name) => [name, row[name as keyof CallRow]]));
  if (canonical(said as Json) === canonical(kept as Json)) return PROVED;
  return wrong(changedRow("calls", row.id, decided.index));
}

/** A sign-in: every proof since the first. Entries of earlier versions do not contain the row. */
export function signInVerdict(row: SignIn, entries: readonly Entry[]): RowVerdict {
  const about = entries.filter(
    ({ kind, body }) => kind.startsWith("signin.") && (body === undefined || body.json["signIn"] === row.id),
  );
  const followed = trail("signins", row.id, about);
  if ("why" in followed) return wrong(followed);
  if (followed.is === "nothing" && about.length > 0) return UNPROVED;
  return atEnd("signins", row, followed);
}

/** Which state an entry leads to, and from which one. */
const STEPS: {
  readonly [K in EntryKind]?: { from: "nothing" | readonly ExecutionState[]; to: readonly ExecutionState[] };
} = {
  "approval.approved": { from: "nothing", to: ["ready"] },
  "call.decided": { from: "nothing", to: ["ready", "claimed", "handed"] },
  "execution.claimed": { from: ["ready"], to: ["claimed"] },
  "execution.handed": { from: ["ready"], to: ["handed"] },
  "execution.succeeded": { from: ["claimed", "handed", "unknown"], to: ["succeeded"] },
  "execution.failed": { from: ["claimed", "handed", "unknown"], to: ["failed"] },
  "execution.released": { from: ["claimed"], to: ["ready"] },
  "execution.unknown": { from: ["claimed", "ready"], to: ["unknown"] },
  "execution.reconciled": { from: ["unknown"], to: ["succeeded", "failed"] },
  "execution.void": { from: ["ready"], to: ["void"] },
};

function isAbout({ kind, subject, body }: Entry, id: string): boolean {
  return (kind === "approval.approved" ? body?.json["execution"] : subject.execution) === id;
}

/** The fields that every entry about it repeats. */
function sameRight(row: Execution, { subject }: Entry): boolean {
  const { agent, tool, class: effectClass, tier, call, trace, session } = subject;
  return (
    row.agent === agent &&
    row.tool === tool &&
    row.class === effectClass &&
    row.tier === tier &&
    row.call === call &&
    row.traceId === trace &&
    row.session === session
  );
}

/** Follows a row from hash to hash. `unknown` if no hash was recorded, or if it was erased. */
function trail<T extends Traced>(table: T, id: string, entries: readonly Entry[]): Trail | RowFault {
  let is: Trail["is"] = "nothing";
  let index = 0;
  for (const entry of entries) {
    if (entry.body === undefined) is = "unknown";
    for (const vouched of entry.body === undefined ? [] : vouchedIn(entry.body.json)) {
      if (vouched.table !== table || vouched.id !== id) continue;
      const follows = is === "unknown" || vouched.was === (is === "nothing" ? undefined : is);
      if (!follows) return launderedRow(table, id, entry.index);
      is = vouched.is ?? "unknown";
      index = entry.index;
    }
  }
  return { is, index };
}

type Traced = "approvals" | "executions" | "signins";
type Trail = { is: Hash | "nothing" | "unknown"; index: number };

/** Compares the last recorded hash with the row. */
function atEnd<T extends Traced>(table: T, row: Rows[T], { is, index }: Trail): RowVerdict {
  if (is === "unknown") return UNPROVED;
  if (is === "nothing") return wrong(strangeRow(table, row.id));
  return is === rowHashOf(table, row) ? PROVED : wrong(changedRow(table, row.id, index));
}

function wrong(fault: RowFault): RowVerdict {
  return { is: "wrong", fault };
}
