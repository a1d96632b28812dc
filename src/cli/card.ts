import { type Approval, stateAt } from "../core/approval.ts";
import { type Card, cardOf as coreCard } from "../core/show/card.ts";
import { renderText } from "../core/show/render-text.ts";
import type { Track } from "../core/trust/trust.ts";
import { callOf } from "../gate/args.ts";
import { ownerOf } from "../gate/owner.ts";
import { trustOf } from "../gate/trust.ts";
import { argsOf, callRow } from "../library/approvals.ts";
import { causeSentences } from "./causes.ts";
import type { Opened } from "./gate.ts";
import type { Out } from "./spec.ts";
import { splitAt } from "./table.ts";
import { clockText, inOrAgo } from "./time.ts";

export type { Card } from "../core/show/card.ts";

/** What a reviewer sees, made from the bytes that the digest covers. */
export async function cardOf(deps: Opened, approval: Approval): Promise<Card> {
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

/** The whole card. Letters that are two columns wide take two, so that no line runs over and pushes another away. */
export function cardLines(card: Card, columns: number): readonly string[] {
  return renderText(card, columns).flatMap((line) => folded(line, columns));
}

function folded(line: string, columns: number): string[] {
  const [head, rest] = splitAt(line, columns);
  return rest === "" ? [head] : [head, ...folded(rest, columns)];
}

export function cardText(out: Out, card: Card): string {
  return cardLines(card, out.width).join("\n");
}

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

async function recordText(deps: Opened, approval: Approval): Promise<string> {
  const { classes } = await trustOf(deps, approval.agent);
  const track = classes.find((one) => one.class === approval.class);
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
