import { joinedQuestion, type Pending } from "../../core/approval.ts";
import type { Piece } from "../../core/change.ts";
import type { Decision } from "../../core/decision.ts";
import type { PersonName } from "../../core/ids.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { Person } from "../../core/people.ts";
import { liveKey, type Versioned } from "../../core/rows/rows.ts";
import { type Circle, canBeMet } from "../../core/steps/quorum.ts";
import { type Approved, askedBefore, askedNow, missingFor, reopen } from "../../core/steps/reopening.ts";
import { voidIt } from "../../core/steps/running.ts";
import { StoreUnavailable } from "../../ports.ts";
import { unvouchedApproval } from "../calls/vouched.ts";
import type { Deps } from "../deps.ts";
import { circleFor } from "../standing/owner.ts";
import type { InForce } from "../standing/standing.ts";
import { approvalAt } from "./approval-at.ts";

type Held = Versioned<"executions">;
/** Why an approval is no longer enough, and the Change that withdraws the execution. If `asks`, the question is open again. */
export type NotEnough = { why: Message; asks: boolean; piece: Piece };

const GONE = say("reason.approval_gone");

/** Checks the approval of a call that is about to start against the current policy and the people who may review now. */
export async function notEnough(
  deps: Deps,
  held: Held,
  decision: Decision,
  inForce: InForce,
  nowMs: number,
  /** The current requester, if known: a person's approval does not count for a call that they requested themself. */
  requestedBy?: PersonName,
): Promise<NotEnough | undefined> {
  if (held.row.approval === undefined || !takesReview(decision)) return undefined;
  const circle = await circleFor(deps, inForce, held.row);
  const asked = await approvalOf(deps, held);
  if (asked === undefined) return takenBack(deps, held, { why: GONE, circle }, nowMs);
  const unvouched = await unvouchedApproval(deps, asked.row);
  if (unvouched !== undefined) throw new StoreUnavailable(unvouched);
  const question = askedNow(asked.row, decision, nowMs);
  return judged(deps, held, asked, { question: joinedQuestion(question, requestedBy) ?? question, circle }, nowMs);
}

/** Whether a person would be asked about it now. */
function takesReview({ needsHuman, tier }: Decision): boolean {
  return needsHuman || tier === "ask" || tier === "suggest";
}

type AskedApproved = Versioned<"approvals"> & { row: Approved };

async function approvalOf(deps: Deps, { row: { id, approval } }: Held): Promise<AskedApproved | undefined> {
  const asked = approval === undefined ? undefined : await approvalAt(deps, approval);
  return asked?.row.state === "approved" && asked.row.executionId === id ? (asked as AskedApproved) : undefined;
}

async function judged(
  deps: Deps,
  held: Held,
  asked: AskedApproved,
  now: { question: Pending; circle: Circle },
  nowMs: number,
): Promise<NotEnough | undefined> {
  const why = missingFor(now.question, now.circle);
  if (why === undefined) return undefined;
  const { agent, digest } = now.question;
  const where = { key: liveKey(agent, digest) };
  const { workspace, store } = deps;
  const live = await store.read({ ask: "rows", workspace, table: "approvals", where, limit: 1, order: "newest" });
  const piece =
    live.length === 0 && canBeMet(now.question, now.circle)
      ? reopen(asked, held, { ...now, why }, deps.mint, nowMs)
      : undefined;
  return piece === undefined ? takenBack(deps, held, { why, circle: now.circle }, nowMs) : { why, asks: true, piece };
}

/** Ends the execution without a new question: nobody could answer it, or another question about the same call is open. */
function takenBack(deps: Deps, held: Held, how: { why: Message; circle: Circle }, nowMs: number): NotEnough {
  const step = voidIt(held, { ...how, actor: "leeway" }, deps.mint, nowMs);
  if (!step.ok) throw new Error(`an execution that is not ready was judged: ${step.reason.say} (this is a bug)`);
  return { why: how.why, asks: false, piece: step.piece };
}

const PAGE = 500;

/** Calls that this person approved and that have not started. If the approval no longer counts, the others are asked again. */
export async function withoutTheirYes(
  deps: Deps,
  inForce: InForce,
  person: Person,
  nowMs: number,
): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const held of await readyBy(deps, person.name)) {
    const asked = await approvalOf(deps, held);
    if (asked === undefined) continue;
    const circle = await circleFor(deps, inForce, held.row);
    const people = circle.people.map((one) => (one.name === person.name ? person : one));
    const now = { question: askedBefore(asked.row, nowMs), circle: { ...circle, people } };
    const less = await judged(deps, held, asked, now, nowMs);
    if (less !== undefined) pieces.push(less.piece);
  }
  return pieces;
}

async function readyBy(deps: Deps, name: PersonName): Promise<readonly Held[]> {
  const found: Held[] = [];
  for (let after: { sortMs: number; id: string } | undefined; ; ) {
    const page = await deps.store.read({
      ask: "rows",
      workspace: deps.workspace,
      table: "executions",
      where: { state: "ready" },
      limit: PAGE,
      order: "oldest",
      ...(after === undefined ? {} : { after }),
    });
    found.push(...page.filter(({ row }) => row.approvers.includes(name)));
    const last = page.at(-1)?.row;
    if (last === undefined || page.length < PAGE) return found;
    after = { sortMs: last.runUntilMs, id: last.id };
  }
}
