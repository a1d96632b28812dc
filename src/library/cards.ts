import { type Approval, stateAt } from "../core/approval.ts";
import { type Card, cardOf as coreCard } from "../core/show/card.ts";
import { causeSentences } from "../core/show/causes.ts";
import { fold } from "../core/show/fold.ts";
import { maskText } from "../core/show/redact.ts";
import { sentenceOf } from "../core/show/sentence.ts";
import { clockText, inOrAgo } from "../core/show/when.ts";
import type { Track } from "../core/trust/trust.ts";
import { visible } from "../core/values/text.ts";
import { callOf } from "../gate/args.ts";
import type { Deps } from "../gate/deps.ts";
import { ownerOf } from "../gate/owner.ts";
import { trackOf } from "../gate/trust.ts";
import { argsOf, callRow } from "./approvals.ts";

/** What a reviewer sees, made from the bytes that the digest covers. */
export async function cardOf(deps: Deps, approval: Approval): Promise<Card> {
  const row = await callRow(deps, approval.call);
  const call = { ...callOf(row, argsOf(deps, row)), ...(approval.says === undefined ? {} : { says: approval.says }) };
  const owner = await ownerOf(deps, await deps.standing.current(), approval.agent);
  const approved = new Set(approval.reviews.filter((given) => given.verdict === "approve").map((given) => given.by))
    .size;
  return coreCard({
    call,
    digest: approval.digest,
    effect: row.effect,
    ...(owner === undefined ? {} : { owner }),
    why: causeSentences(row.decision.causes),
    record: await recordText(deps, approval),
    deadline: deadlineText(approval, deps.clock.nowMs()),
    quorum: { needed: approval.quorum, approved },
    project: deps.policies.current().project,
  });
}

/** What would happen, in one sentence: enough to choose what to look at, never enough to answer. */
export async function headlineOf(deps: Deps, approval: Approval): Promise<string> {
  const row = await callRow(deps, approval.call);
  const sentence = sentenceOf(callOf(row, argsOf(deps, row)), row.effect, deps.policies.current().project);
  return fold(visible(maskText(sentence)), HEADLINE_MAX);
}

const HEADLINE_MAX = 160;

/** Until when, and what a yes will do. */
function deadlineText(approval: Approval, nowMs: number): string {
  const state = stateAt(approval, nowMs);
  if (state !== "pending") return `it is ${state} already`;
  const until = `${clockText(approval.answerByMs)} (${inOrAgo(approval.answerByMs, nowMs)})`;
  if (approval.runBy === "leeway") return `${until}; approving runs it now`;
  if (approval.tier === "suggest" || approval.needsHuman) return `${until}; approving lets its next try pass, once`;
  const lapses = clockText(nowMs + approval.permitMs);
  const isToday = lapses.slice(0, 10) === clockText(nowMs).slice(0, 10);
  return `${until}; approving lets it go on, or its next try pass, once, before ${isToday ? lapses.slice(11, 16) : lapses.slice(0, 16)}`;
}

async function recordText(deps: Deps, approval: Approval): Promise<string> {
  const track = await trackOf(deps, approval.agent, approval.class);
  return track === undefined ? `no earlier ${approval.class}` : `${approval.class}: ${trackText(track)}`;
}

function trackText(track: Track): string {
  const { success, failure, denied, timeout } = track.outcomes;
  const parts = [
    `${track.calls} asked`,
    `${success} went well`,
    ...(failure > 0 ? [`${failure} failed`] : []),
    ...(denied > 0 ? [`${denied} denied`] : []),
    ...(timeout > 0 ? [`${timeout} unanswered`] : []),
    ...(track.unknowns > 0 ? [`${track.unknowns} ended nobody knows how`] : []),
  ];
  return parts.join(", ");
}
