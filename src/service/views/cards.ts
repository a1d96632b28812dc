import { type Approval, stateAt } from "../../core/approval.ts";
import { maskText } from "../../core/masking/redact.ts";
import type { Language } from "../../core/messages/text.ts";
import { sayIn } from "../../core/say/languages.ts";
import type { Say } from "../../core/say/say.ts";
import { type Card, cardOf as coreCard } from "../../core/show/card.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { changesCardOf, changesSaid } from "../../core/show/changes/changes-card.ts";
import { fold } from "../../core/show/fold.ts";
import { leadOf } from "../../core/show/lead.ts";
import { planCardOf, planSaid } from "../../core/show/plan-card.ts";
import { sentenceOf } from "../../core/show/sentence.ts";
import { clockText, inOrAgo, zoneText } from "../../core/show/when.ts";
import { planIn } from "../../core/standing/plan.ts";
import { yesesOf } from "../../core/steps/quorum.ts";
import { visible } from "../../core/values/text.ts";
import { commandOf, isAboutChanges, seenChanges } from "../../gate/boxes/seen-changes.ts";
import { callOf } from "../../gate/calls/args.ts";
import type { Deps } from "../../gate/deps.ts";
import { effectIn } from "../../gate/record/guesses.ts";
import { trackOf } from "../../gate/record/trust.ts";
import { circleFor, ownerOf } from "../../gate/standing/owner.ts";
import { argsOf, callRow } from "../approvals.ts";

/** The card that a reviewer sees, made from exactly the arguments that the digest covers. */
export async function cardOf(deps: Deps, approval: Approval, language: Language = "en"): Promise<Card> {
  const row = await callRow(deps, approval.call);
  const call = { ...callOf(row, argsOf(row)), ...(approval.says === undefined ? {} : { says: approval.says }) };
  const owner = await ownerOf(deps, await deps.standing.current(), approval.root ?? approval.agent);
  const { project } = deps.policies.current();
  const isPlan = approval.plan !== undefined;
  const effect = effectIn(deps, row);
  const input = {
    call,
    digest: approval.digest,
    effect,
    ...(owner === undefined ? {} : { owner }),
    why: causeSentences(row.decision.causes, { language, project, effect }),
    ...(isPlan ? {} : { record: await recordText(deps, approval, sayIn(language)) }),
    deadline: deadlineText(approval, deps.clock.nowMs(), sayIn(language)),
    quorum: { needed: approval.quorum, approved: await approvedBy(deps, approval) },
    project,
    language,
  };
  const isOpen = stateAt(approval, deps.clock.nowMs()) === "pending";
  if (isAboutChanges(row)) return changesCardOf(input, await seenChanges(deps, call, { isOpen }));
  return isPlan ? planCardOf(input, planIn(call.args)) : coreCard(input);
}

/** How many approvals count now: of people who may still answer, each person once. */
export async function approvedBy(deps: Deps, approval: Approval): Promise<number> {
  // Most questions have no earlier answers.
  if (approval.reviews.length === 0) return 0;
  const circle = await circleFor(deps, await deps.standing.current(), approval);
  return yesesOf(approval, approval.reviews, circle);
}

/** The command or tool in one line, and what would happen. It is for lists; to answer, a person needs the card. */
export type Headline = Pick<Card, "lead" | "sentence">;

export async function headlineOf(deps: Deps, approval: Approval, language: Language = "en"): Promise<Headline> {
  const row = await callRow(deps, approval.call);
  const say = sayIn(language);
  const { project } = deps.policies.current();
  const call = callOf(row, argsOf(row));
  if (approval.plan !== undefined) {
    const { lead, sentence } = planSaid(planIn(call.args), say);
    return { lead: fold(lead, say, HEADLINE_MAX), sentence: fold(sentence, say, HEADLINE_MAX) };
  }
  if (isAboutChanges(row)) {
    const said = changesSaid(call, await commandOf(deps, call), say, "would");
    return { lead: fold(said.lead, say, HEADLINE_MAX), sentence: fold(said.sentence, say, HEADLINE_MAX) };
  }
  const sentence = visible(maskText(sentenceOf(effectIn(deps, row), { call, project, say })));
  return { lead: fold(leadOf(call), say, HEADLINE_MAX), sentence: fold(sentence, say, HEADLINE_MAX) };
}

const HEADLINE_MAX = 160;

/** Until when it can be answered, and what an approval will do. */
function deadlineText(approval: Approval, nowMs: number, say: Say): string {
  const state = stateAt(approval, nowMs);
  if (state !== "pending") return say.closedAlready(state);
  const { answerByMs, runBy, tier, needsHuman, permitMs } = approval;
  const [until, ahead] = [`${clockText(answerByMs)} ${zoneText(answerByMs)}`, inOrAgo(answerByMs, nowMs, say)];
  const lapses = clockText(nowMs + permitMs);
  const isToday = lapses.slice(0, 10) === clockText(nowMs).slice(0, 10);
  const before = isToday ? lapses.slice(11, 16) : lapses.slice(0, 16);
  if (approval.plan !== undefined) return say.answerUntil(until, ahead, { is: "plan", before });
  if (runBy === "leeway") return say.answerUntil(until, ahead, { is: "run" });
  if (tier === "suggest" || needsHuman) return say.answerUntil(until, ahead, { is: "next" });
  return say.answerUntil(until, ahead, { is: "on", before });
}

async function recordText(deps: Deps, approval: Approval, say: Say): Promise<string> {
  const track = await trackOf(deps, approval.agent, approval.class);
  if (track === undefined) return say.noRecord(approval.class);
  const { success, failure, denied, timeout } = track.outcomes;
  return say.record(approval.class, {
    asked: track.calls,
    well: success,
    failed: failure,
    denied,
    unanswered: timeout,
    unknown: track.unknowns,
  });
}
