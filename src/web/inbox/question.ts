import type { Approval } from "../../core/approval.ts";
import { isGateOnly } from "../../core/box.ts";
import { pauseHolds } from "../../core/decide/decide.ts";
import { say } from "../../core/messages/message.ts";
import type { Pause } from "../../core/standing/standing.ts";
import { audience, mayReview } from "../../core/steps/quorum.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { askedCall } from "../../gate/approvals/covering.ts";
import { type Awaited, awaitedOf } from "../../gate/approvals/presence.ts";
import type { Deps } from "../../gate/deps.ts";
import { listEntries } from "../../gate/record/ledger.ts";
import { circleFor } from "../../gate/standing/owner.ts";
import { personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Serving } from "../../http/route.ts";
import { approvalView, callRow } from "../../service/approvals.ts";
import { approvedBy, cardOf } from "../../service/views/cards.ts";
import { executionOf } from "../../service/views/outcome.ts";
import { outcomeHtml, reviewsHtml } from "../activity/why.ts";
import { toolQuestionHtml } from "../agents/tools.ts";
import { hidden } from "../page/forms.ts";
import { moment, refusedHtml } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { sentenceIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { answerBar } from "./answer-bar.ts";
import { cardHtml, classHtml, isLong, restHtml, shortened } from "./card.ts";
import { type Draft, editLink, isShowable, lostVersionHtml, unsentDraft, versionBar, versionHtml } from "./draft.ts";
import { type GrantOffers, offeredFor, rememberHtml, rememberLater } from "./remember.ts";
import { saidHtml, type Triage, triageFor, triageHtml } from "./triage.ts";
import { listQuery, narrowedOf } from "./waiting.ts";
import { wholeShown } from "./whole-shown.ts";

/** The question in two parts: the content, which scrolls, and the answer below, which stays in place. */
export async function question(serving: Serving, request: HttpRequest, view: View, id: string): Promise<Html> {
  const { deps } = serving;
  const { words } = view;
  const { args, effect: _effect, ...approval } = await approvalView(deps, id);
  const card = await cardOf(deps, approval, view.language);
  const draft = unsentDraft(serving, request, id);
  const isEdited = draft !== undefined || request.query["edit"] === "1";
  const isWhole = !isLong(card) || request.query["whole"] === "1" || isEdited;
  const cut = isWhole ? undefined : shortened(card);
  const wholeAt = `/approvals/${id}${listQuery(narrowedOf(request.query), { whole: "1" })}`;
  const isOpen = await isOpenTo(deps, request, view, approval);
  const have = await approvedBy(deps, approval);
  const here = await folderOf(deps, approval);
  const whole =
    isLong(card) && isWhole ? hidden("whole", wholeShown(deps, approval, personOf(request).name)) : undefined;
  const awaited = (await awaitedOf(deps, [approval.id])).get(approval.id);
  const answering = {
    wholeAt: isWhole ? undefined : wholeAt,
    blocked: card.blockedDo,
    whole,
    have,
    awaited,
    pause: isOpen ? await pauseOf(deps, approval) : undefined,
    offered:
      isOpen && isWhole && approval.plan === undefined && !isGateOnly(approval.tool)
        ? await offeredFor(deps, approval, view.language)
        : undefined,
    here,
    args,
    triage: isOpen ? await triageFor(deps, view, approval, personOf(request).name) : undefined,
  };
  const isEditing = isOpen && isEdited && isEditable(approval, args);
  const tool =
    isOpen && !isEditing
      ? await toolQuestionHtml(deps, view, approval, listQuery(narrowedOf(request.query)))
      : undefined;
  const at = addressesOf(request, id);
  return html`<div class="sheet" tabindex="0" role="group" aria-label="${words.cardWord}">
${triedHtml(view, id)}
${draft !== undefined && !isEditing && lostVersionHtml(view, draft, at("discard"))}
${isEditing && versionHtml(view, { args, draft, fields: html`${hidden("digest", approval.digest)}${whole}`, action: at("edit") })}
${approval.state !== "pending" && html`${await closedText(deps, view, approval)}${answersHtml(view, approval)}`}
${cardHtml(cut?.card ?? card, view, { facts: factsLine(view, approval, { have, awaited, here }), tool, ...(cut && { rest: restHtml(view, cut, wholeAt) }) })}
${approval.state === "pending" && answersHtml(view, approval)}
${saidHtml(view, approval)}
${!isOpen && approval.state === "pending" && (await closedText(deps, view, approval))}
${approval.state === "approved" && html`<div class="panel given" id="outcome">${await outcomeHtml(deps, view, request, await callRow(deps, approval.call))}</div>`}</div>
${isOpen && (isEditing ? versionFoot(view, request, approval, draft) : footHtml(view, request, approval, answering))}`;
}

async function isOpenTo(deps: Deps, request: HttpRequest, view: View, approval: Approval): Promise<boolean> {
  if (!view.mayAct || approval.state !== "pending") return false;
  return mayReview(approval, personOf(request).name, await circleFor(deps, await deps.standing.current(), approval));
}

/** Whether a person can approve another version of the call here. */
function isEditable(approval: Approval, args: JsonObject): boolean {
  return approval.editable === true && isShowable(args);
}

/** The addresses of the question's forms; after each of them the page goes on with the same list. */
function addressesOf(request: HttpRequest, id: string): (does: string) => string {
  return (does) => `/approvals/${id}/${does}${listQuery(narrowedOf(request.query))}`;
}

/** A person who was only asked to sign in again was not refused. */
function triedHtml(view: View, id: string): Html | undefined {
  const { refused } = view;
  if (refused === undefined || !isAbout(refused.action, id) || refused.code === "LEEWAY_STALE_SIGN_IN")
    return undefined;
  return refusedHtml(view, refused);
}

/** Whether this is the address of one of the question's own forms. */
export function isAbout(action: string, id: string): boolean {
  return action.startsWith(`/approvals/${id}/`);
}

/** The folder tells one agent's `git push` from another's. While the agent waits, its own deadline is the one that counts. */
function factsLine(view: View, approval: Approval, known: Pick<Answering, "have" | "awaited" | "here">): Html {
  const { words } = view;
  const { have, awaited, here } = known;
  const { call, agent, answerByMs, quorum, state, openedMs } = approval;
  return html`${here !== undefined && html`<p class="where">${words.inFolder} <code>${shown(here)}</code></p>`}<p class="facts">${classHtml(view, approval)}${approval.needsHuman && html` <span class="badge">${words.needsHuman}</span>`} <span class="asked">${words.asked} ${moment(view, openedMs)}</span> ${state === "pending" && deadlineHtml(view, answerByMs, awaited)} ${quorum > 1 && html`<span>${have} / ${quorum} ${words.approvals}</span>`} <span class="ways"><a href="/agents/${encodeURIComponent(agent)}">${words.agentLink}</a> <a href="/calls/${call}">${words.whyLink}</a></span></p>`;
}

/** The time that counts: until then an answer reaches the agent that waits now; else until then it can be given at all. */
function deadlineHtml(view: View, answerByMs: number, awaited: Awaited | undefined): Html {
  const { words } = view;
  const untilMs = awaited?.untilMs;
  if (untilMs !== undefined) return html`<span class="due">${words.agentStops} ${moment(view, untilMs)}</span>`;
  return html`<span class="due">${awaited === undefined ? "" : `${words.agentWaits} · `}${words.answerIt} ${moment(view, answerByMs)}</span>`;
}

/** Who answered what. Of a closed question it comes first, of an open one after the card, which has to be read first. */
function answersHtml(view: View, approval: Approval): Html | false {
  return approval.reviews.length > 0 && html`<div class="panel given">${reviewsHtml(view, approval)}</div>`;
}

async function closedText(deps: Deps, { words, language, mayAct }: View, approval: Approval): Promise<Html> {
  const { state } = approval;
  if (await isEndedWithSession(deps, approval)) return html`<p class="closed">${words.endedWithSession}</p>`;
  const to = "to" in approval ? approval.to : undefined;
  if (state === "approved") {
    const execution = await executionOf(deps, await callRow(deps, approval.call));
    const ran = execution === undefined ? words.notCarriedOut : words[`ran_${execution.state}`];
    return html`<p class="closed" id="closed"><b class="said">${words.is_approved}</b> · ${ran}</p>`;
  }
  if (state !== "pending")
    return html`<p class="closed">${words[`is_${state}`]}${to !== undefined && html` <a href="/approvals/${to}">${words.questionLink}</a>`}</p>`;
  const whose = mayAct && sentenceIn(language, say("hint.it_is_for", { names: audience(approval) }));
  return html`<p class="closed">${mayAct ? words.notYours : words.readOnly} ${whose}</p>`;
}

/** Nobody answered or withdrew it: it was closed in the same moment in which its session ended. */
async function isEndedWithSession(deps: Deps, approval: Approval): Promise<boolean> {
  const { session } = approval;
  if (approval.state !== "cancelled" || session === undefined) return false;
  const kinds = ["session.ended"] as const;
  const page = { limit: SESSION_ENDS_MAX, order: "newest" } as const;
  const ends = await listEntries(deps, { kinds, subject: { session } }, page);
  return ends.some(({ atMs }) => atMs === approval.atMs);
}

/** How many ends of one session are looked at: it may have been used again. */
const SESSION_ENDS_MAX = 50;

async function pauseOf(deps: Deps, approval: Approval): Promise<Pause | undefined> {
  const { call } = await askedCall(deps, approval);
  return (await deps.standing.current()).pauses.find((pause) => pauseHolds(pause, call));
}

async function folderOf(deps: Deps, { call }: Approval): Promise<string | undefined> {
  return (await callRow(deps, call)).cwd;
}

type Answering = {
  /** The address of the full view, if only a part is shown. */
  wholeAt: string | undefined;
  /** What to do instead, if it cannot be approved any more. */
  blocked: string | undefined;
  /** A field that the forms must send if the question is not shown in full at first. */
  whole: Html | undefined;
  /** How many approvals count so far. */
  have: number;
  /** Set if the agent is waiting for the answer. */
  awaited: Awaited | undefined;
  /** The pause that keeps the call from running, if there is one. */
  pause: Pause | undefined;
  /** What can be remembered; undefined while only a part of the question is shown. */
  offered: GrantOffers | undefined;
  /** The folder that the call runs in. */
  here: string | undefined;
  args: JsonObject;
  /** What can be done instead of answering; undefined if the person may not answer. */
  triage: Triage | undefined;
};

/** The answer to what the agent asks. */
function footHtml(view: View, request: HttpRequest, approval: Approval, answering: Answering): Html {
  const { wholeAt, whole, blocked, offered, here, triage, args } = answering;
  const isReady = wholeAt === undefined && blocked === undefined;
  const { words } = view;
  const { id } = approval;
  const at = addressesOf(request, id);
  const digest = hidden("digest", approval.digest);
  const note = typedIn(view, id, "deny")["note"] ?? "";
  const then = html`<span class="then">${followsText(view, approval, answering)} <span class="remembering">${words.andRemember}</span></span> <span class="unread">${words.followsUnread}</span>`;
  const showAll = html`${words.showAllWhy} <a href="${wholeAt ?? ""}">${words.showAll}</a>`;
  const editAt = `/approvals/${id}${listQuery(narrowedOf(request.query), { edit: "1" })}`;
  return html`<div class="foot">
<div class="beyond">
${offered !== undefined && rememberHtml(view, request, offered, here)}${wholeAt !== undefined && approval.plan === undefined && !isGateOnly(approval.tool) && rememberLater(view, wholeAt)}
${wholeAt === undefined && approval.editable === true && editLink(view, id, editAt, args)}
${triage !== undefined && triageHtml(view, triage, { at, typed: (does) => typedIn(view, id, does) })}
</div>
<details class="menu"><summary aria-label="${words.moreActs}" title="${words.moreActs}">⋯</summary><form method="post" action="${at("cancel")}"><p>${words.withdrawWhy}</p><button>${words.withdrawDo}</button></form></details>
${answerBar(view, {
  approve: { action: at("approve"), fields: html`${digest}${whole}`, label: words.approve, isDisabled: !isReady },
  deny: { action: at("deny"), fields: digest, label: words.deny, note },
  follows: html`<p class="follows" id="follows">${blocked ?? (wholeAt === undefined ? then : showAll)}</p>`,
})}</div>`;
}

/** Approves the version in the form above, or goes back to what the agent asks. */
function versionFoot(view: View, request: HttpRequest, approval: Approval, draft: Draft | undefined): Html {
  const { words, fresh } = view;
  const proof = approval.needsHuman && !fresh ? ` ${words.followsProof}` : "";
  const href = `/approvals/${approval.id}${listQuery(narrowedOf(request.query))}`;
  const discard = addressesOf(request, approval.id)("discard");
  const bar = { id: approval.id, discard, href, isKept: draft !== undefined, follows: `${words.editWhy}${proof}` };
  return html`<div class="foot">${versionBar(view, bar)}</div>`;
}

/** What happens after an approval. */
function followsText({ words, fresh }: View, approval: Approval, { have, awaited, pause }: Answering): string {
  const { runBy, needsHuman, quorum } = approval;
  const first = needsHuman && !fresh ? `${words.followsProof} ` : "";
  if (have + 1 < quorum) return `${first}${words.followsMore}`;
  if (pause !== undefined) return `${first}${words.pausedBy} ${shown(pause.by)} · ${words.followsPaused}`;
  if (approval.plan !== undefined) {
    return `${approval.plan === "wider" && !fresh ? `${words.followsProof} ` : first}${words.followsPlan}`;
  }
  if (runBy === "leeway") return `${first}${isGateOnly(approval.tool) ? words.followsChanges : words.followsRun}`;
  if (awaited === undefined) return `${first}${words.followsRetry}`;
  return `${first}${words.followsAwaited}${awaited.untilMs === undefined ? "" : ` ${words.followsStops}`}`;
}

/** What was typed into a form of this question before it was refused. */
function typedIn({ refused }: View, id: string, does: string): Readonly<Record<string, string>> {
  return refused?.action === `/approvals/${id}/${does}` ? refused.fields : {};
}
