import type { Approval, Pending } from "../../core/approval.ts";
import type { Piece } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import type { Versioned } from "../../core/rows/rows.ts";
import { snoozeUntil } from "../../core/snooze.ts";
import type { Circle } from "../../core/steps/quorum.ts";
import type { TriageAct } from "../../core/steps/refusing.ts";
import {
  answerersOf,
  handOver as handOverStep,
  openFor,
  reply as replyStep,
  snooze as snoozeStep,
  type Triaging,
  toldReplies,
  unsnooze,
} from "../../core/steps/triage.ts";
import { unvouchedQuestion } from "../calls/vouched.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { type Acting, actStep } from "../people/acting.ts";
import { circleFor } from "../standing/owner.ts";
import { approvalAt, noApproval } from "./approval-at.ts";
import { noteRefusedReview } from "./refusal-entries.ts";

type Done = { ok: true; value: Approval } | Refused;

/** Somebody who may answer writes to the agent, and does not answer: the question stays open. */
export async function reply(deps: Deps, id: string, given: Acting & { text: string }): Promise<Done> {
  const done = await triaged(deps, id, given, (asked, by, at) => replyStep(asked, { ...by, text: given.text }, at));
  return done.ok ? done : noted(deps, id, given, done, "reply");
}

/** Somebody who may answer asks another person who may answer to do it. */
export async function handOver(
  deps: Deps,
  id: string,
  given: Acting & { to: PersonName; note: string },
): Promise<Done> {
  const { to, note } = given;
  const done = await triaged(deps, id, given, (asked, by, at) => handOverStep(asked, { ...by, to, note }, at));
  return done.ok ? done : noted(deps, id, given, done, "handover");
}

/** Whom somebody who may answer can ask to do it. */
export async function handoverNames(
  deps: Deps,
  id: string,
  { by, assurance }: Acting,
): Promise<{ ok: true; value: readonly PersonName[] } | Refused> {
  const asked = await approvalAt(deps, id);
  if (asked === undefined) return noApproval(id);
  const circle = await circleFor(deps, await deps.standing.current(), asked.row);
  const open = openFor(asked.row, { by, assurance }, { circle, nowMs: deps.clock.nowMs() });
  if (!open.ok) return open;
  const value = answerersOf(open.approval, circle).filter((name) => name !== by);
  if (value.length > 0) return { ok: true, value };
  return refused("LEEWAY_NOT_A_REVIEWER", say("refusal.nobody_to_hand"), say("hint.nobody_else_may"));
}

/**
 * Somebody who may answer puts the question aside until a time: `30m`, `17:30`, `tomorrow 9:00`, an ISO time with its zone;
 * `now` brings it back.
 */
export async function snooze(deps: Deps, id: string, given: Acting & { until: string }): Promise<Done> {
  const zone = await zoneOf(deps, given.by);
  return triaged(deps, id, given, (asked, by, at) => {
    const untilMs = snoozeUntil(given.until, { nowMs: at.nowMs, zone });
    if (untilMs === "now") return unsnooze(asked, by, at);
    if (untilMs !== undefined) return snoozeStep(asked, { ...by, untilMs }, at);
    return refused("LEEWAY_BAD_INPUT", say("refusal.not_a_snooze", { text: given.until }), say("hint.snooze_times"));
  });
}

/** The time zone of somebody's quiet hours, else the zone of this machine. */
export async function zoneOf(deps: Deps, person: PersonName): Promise<string> {
  const { people } = (await deps.standing.current()).rows;
  const zone = people.find(({ name }) => name === person)?.reach?.quiet?.zone;
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

type At = { circle: Circle; mint: Deps["mint"]; nowMs: number };
type Stepping = (
  asked: Versioned<"approvals">,
  by: Triaging,
  at: At,
) => { ok: true; piece: Piece; approval: Pending } | Refused;

function triaged(deps: Deps, id: string, acting: Acting, step: Stepping): Promise<Done> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Approval>> => {
    const asked = await approvalAt(deps, id);
    if (asked === undefined) return noApproval(id);
    const unvouched = await unvouchedQuestion(deps, asked.row);
    if (unvouched !== undefined) return unvouched;
    const circle = await circleFor(deps, inForce, asked.row);
    const { by, assurance, madeBy } = acting;
    const who: Triaging = { by, assurance, ...(madeBy === undefined ? {} : { madeBy }) };
    const tried = step(asked, who, { circle, mint: deps.mint, nowMs });
    return tried.ok ? { ok: true, pieces: [tried.piece], value: tried.approval } : tried;
  });
}

/** Records who tried to do something that they may not do. */
async function noted(deps: Deps, id: string, { by, assurance }: Acting, no: Refused, act: TriageAct): Promise<Refused> {
  const asked = await approvalAt(deps, id);
  if (asked === undefined) return no;
  const tried = { by, verdict: act, digest: asked.row.digest, note: "", assurance, bulk: false } as const;
  return noteRefusedReview(deps, id, tried, no);
}

/** A waiting caller gets the replies now; the next wait does not end because of them. */
export async function noteRepliesTold(deps: Deps, id: string): Promise<void> {
  await commitStep(deps, async () => {
    const asked = await approvalAt(deps, id);
    return { ok: true, pieces: asked === undefined ? [] : [toldReplies(asked)], value: undefined };
  });
}

/** Who else can answer the question, besides this person. */
export async function othersWhoAnswer(deps: Deps, id: string, person: PersonName): Promise<readonly PersonName[]> {
  const approval = (await approvalAt(deps, id))?.row;
  if (approval === undefined) return [];
  const circle = await circleFor(deps, await deps.standing.current(), approval);
  return answerersOf(approval, circle).filter((name) => name !== person);
}
