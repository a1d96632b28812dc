import { handedMessage, snoozedUntilMs } from "../../core/approval.ts";
import { EFFECT_CLASSES } from "../../core/effect.ts";
import { countOthers, countWaiting, snoozedBy } from "../../gate/counts.ts";
import type { Deps } from "../../gate/deps.ts";
import { type Answer, json } from "../../http/answer.ts";
import { personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { choices, hidden } from "../page/forms.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { withAnswer } from "./answer-told.ts";
import { classHtml } from "./card.ts";
import { unsentDraft } from "./draft.ts";
import { besides } from "./notices.ts";
import { isAbout, question } from "./question.ts";
import {
  type InboxFilter,
  isNarrowed,
  listQuery,
  narrowedOf,
  type Reader,
  type WaitingLine,
  type WaitingList,
  waitingOf,
} from "./waiting.ts";

export const INBOX_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/",
    for: ["read"],
    page: true,
    summary: "The waiting questions, and the open one.",
    act: (serving, request) => inboxPage(serving, request, undefined),
  },
  {
    method: "GET",
    path: "/approvals/:id",
    for: ["read"],
    page: true,
    summary: "One question, with everything that a reviewer must see.",
    act: (serving, request) => inboxPage(serving, request, request.params["id"]),
  },
  {
    method: "GET",
    path: "/waiting/count",
    for: ["read"],
    page: true,
    summary: "The number of waiting questions, for a page that stays open.",
    act: async ({ deps }, asked) => json({ pending: await countWaiting(deps, personOf(asked).name) }),
  },
];

async function inboxPage(serving: Serving, request: HttpRequest, id: string | undefined): Promise<Answer> {
  const { deps } = serving;
  const view = await withAnswer(deps, request, await viewOf(serving, request));
  const { words } = view;
  const reader = { person: personOf(request).name, language: view.language };
  const { narrowed, waiting } = await listedFor(deps, narrowedOf(request.query), reader);
  const chosen = id ?? waiting.lines[0]?.approval.id;
  const { told: _, refused, ...rest } = view;
  const isChanged = (of: string) =>
    (of === chosen && request.query["edit"] === "1") || unsentDraft(serving, request, of) !== undefined;
  const opened = chosen === undefined ? undefined : await question(serving, request, view, chosen);
  const body = html`<div class="inbox">
<section class="list" aria-label="${words.inbox}">
<h1 id="heading"><a href="/">${words.inbox}</a> <small>${listName(view, narrowed)}</small></h1>
<p class="told" role="status" id="done">${id === undefined && view.told}</p>
${(view.pending > 5 || isNarrowed({ ...narrowed, aside: "", others: "" })) && filters(view, narrowed)}
${list(view, waiting, { chosen, narrowed, isChanged })}
${asideLink(view, narrowed, { aside: (await snoozedBy(deps, reader.person)).length, others: await countOthers(deps, reader.person) })}
${await besides(deps, view)}
</section>
<section class="question" id="question" data-id="${chosen ?? ""}" aria-label="${words.question}">
${strip(id === undefined ? rest : view, waiting, chosen, narrowed)}
${opened ?? nothing(view, narrowed)}</section>
</div>`;
  // The refusal of this question is shown above it.
  const isToldThere = refused === undefined || (chosen !== undefined && isAbout(refused.action, chosen));
  const framed = isToldThere ? rest : { ...rest, refused };
  return page(framed, { at: "/", title: words.inbox, body, bodyClass: id === undefined ? "desk" : "desk opened" });
}

/**
 * The list from where the person was; from its top if everything after that was answered. A search without a result
 * has no top to return to: it would start again forever.
 */
async function listedFor(deps: Deps, narrowed: InboxFilter, reader: Reader) {
  const waiting = await waitingOf(deps, narrowed, reader);
  const searches = [narrowed.q, narrowed.class, narrowed.session].some((one) => one !== "");
  if (waiting.lines.length > 0 || waiting.next !== undefined || narrowed.after === "" || searches)
    return { narrowed, waiting };
  const whole = { ...narrowed, after: "" };
  return { narrowed: whole, waiting: await waitingOf(deps, whole, reader) };
}

function listName({ words, pending }: View, { aside, others }: InboxFilter): string {
  if (aside !== "") return words.asideLink;
  return others === "" ? `${pending} ${words.waiting}` : words.othersLink;
}

/** Links to the questions that the person has put aside, and to those that only other people can answer. */
function asideLink({ words }: View, narrowed: InboxFilter, count: { aside: number; others: number }): Html {
  const link = (of: "aside" | "others", label: string) =>
    narrowed[of] === "" && count[of] > 0 && html`<a href="/?${of}=1">${label} <small>${count[of]}</small></a> `;
  return html`<p id="aside">${link("aside", words.asideLink)}${link("others", words.othersLink)}</p>`;
}

function nothing({ words }: View, narrowed: InboxFilter): Html {
  if (isNarrowed(narrowed)) return html`<div class="calm"><p><strong>${words.nothingFits}</strong></p></div>`;
  return html`<div class="calm"><p><strong>${words.nothingWaits}</strong></p><p>${words.calmMore}</p></div>`;
}

/** The line above the question: its place in the list, links to its neighbours, and what was just done. */
function strip(
  view: View,
  { lines, before, next }: WaitingList,
  chosen: string | undefined,
  narrowed: InboxFilter,
): Html {
  const { words, pending, told } = view;
  const at = lines.findIndex(({ approval }) => approval.id === chosen);
  const of = isNarrowed(narrowed) ? `${before + lines.length}${next === undefined ? "" : "+"}` : pending;
  const way = (line: WaitingLine | undefined, rel: "prev" | "next") => {
    const [sign, label] = rel === "prev" ? ["↑", words.previousOne] : ["↓", words.nextOne];
    if (line === undefined) return html`<span class="way" aria-hidden="true">${sign}</span>`;
    const { id } = line.approval;
    return html`<a class="way" rel="${rel}" href="/approvals/${id}${listQuery(narrowed)}" data-open="${id}" aria-label="${label}" title="${label}">${sign}</a>`;
  };
  return html`<div class="strip" id="strip"><a class="back" href="/${listQuery(narrowed)}" data-open="">‹ ${words.inbox}</a>
${at >= 0 && html`<span class="place">${before + at + 1} / ${of}</span>${way(lines[at - 1], "prev")}${way(lines[at + 1], "next")}`}
<span class="done" role="status">${told !== undefined && html`${told}`}</span></div>`;
}

function filters({ words }: View, { agent, session, class: effectClass, q, aside, others }: InboxFilter): Html {
  const classes = EFFECT_CLASSES.map((one) => [one, one] as const);
  return html`<form method="get" action="/" class="filters" role="search">${aside !== "" && hidden("aside", aside)}${others !== "" && hidden("others", others)}${session !== "" && hidden("session", session)}
<label>${words.search}<input name="q" type="search" value="${q}" maxlength="200" autocapitalize="none"></label>
<button>${words.filter}</button>
<details${(agent !== "" || effectClass !== "") && html` open`}><summary>${words.narrow}</summary><div class="pair">
<label>${words.agent}<input name="agent" value="${agent}" maxlength="512" autocapitalize="none"></label>
<label>${words.classWord}<select name="class">${choices([["", words.any], ...classes], effectClass)}</select></label></div></details></form>`;
}

/** `isChanged`: the reader has written another version of this call, and has not sent it. */
type Listing = { chosen: string | undefined; narrowed: InboxFilter; isChanged(id: string): boolean };

function list(view: View, waiting: WaitingList, listing: Listing): Html {
  const { narrowed } = listing;
  const { words, mayAct } = view;
  const { lines, next, lookedAt } = waiting;
  const nothingFits = lookedAt === undefined ? words.nothingFits : words.noneSoFar;
  const empty = isNarrowed(narrowed) ? nothingFits : words.nothingWaits;
  return html`<ol id="waiting">${lines.map((line) => item(view, line, listing))}</ol>
${mayAct && html`<form method="post" action="/together${listQuery(narrowed)}" id="together" class="bulk"><button>${words.lookTogether}</button></form>`}
<div id="paging">${lines.length === 0 && html`<p class="empty"><strong>${empty}</strong><br>${words.nothingWaitsMore}</p>`}
${(isNarrowed(narrowed) || narrowed.after !== "") && html`<p><a class="button" href="/">${words.showAllWaiting}</a></p>`}
${next !== undefined && html`<p>${lookedAt !== undefined && html`${words.lookedThrough} ${lookedAt} `}<a class="button" href="/${listQuery(narrowed, { after: next })}">${lookedAt === undefined ? words.lessUrgent : words.lookFurther}</a></p>`}</div>`;
}

function item(view: View, line: WaitingLine, { chosen, narrowed, isChanged }: Listing): Html {
  const { words, mayAct } = view;
  const { id, agent, needsHuman, plan, quorum, answerByMs } = line.approval;
  const { lead, sentence } = line.headline;
  const last = line.approval.handed?.at(-1);
  const asideMs = view.person === undefined ? undefined : snoozedUntilMs(line.approval, view.person, view.nowMs);
  const pick =
    needsHuman || plan !== undefined
      ? html`<span class="nopick"></span>`
      : html`<input type="checkbox" form="together" name="pick" value="${id}"${isChanged(id) && html` disabled title="${words.togetherVersion}"`} aria-label="${words.pick} ${lead}">`;
  return html`<li data-id="${id}">${mayAct && pick}<a href="/approvals/${id}${listQuery(narrowed)}"${id === chosen && html` aria-current="true"`} data-id="${id}" data-open="${id}">
<code class="headline">${lead}</code>
<span class="does">${sentence}</span>
<span class="facts"><b>${shown(agent)}</b>${line.folder !== undefined && html` <span class="where">${shown(line.folder)}</span>`} ${classHtml(view, line.approval)}${needsHuman && html` <span class="badge">${words.needsHuman}</span>`}${last !== undefined && html` <span class="handed">${saidIn(view.language, handedMessage({ ...last, note: "" }))}</span>`}${quorum > 1 && html` <span>${line.have}/${quorum}</span>`}${asideMs !== undefined && html` <span>${words.asideBackIn} ${moment(view, asideMs)}</span>`} ${line.untilMs === undefined ? moment(view, answerByMs) : html`<span>${words.agentStops} ${moment(view, line.untilMs)}</span>`}</span>
</a></li>`;
}
