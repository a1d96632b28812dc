import { EFFECT_CLASSES } from "../core/effect.ts";
import { type Answer, json } from "../http/answer.ts";
import type { Asked } from "../http/asked.ts";
import type { Route, Serving } from "../http/route.ts";
import { besides } from "./besides.ts";
import { choices } from "./forms.ts";
import { moment, page, type View, viewOf } from "./frame.ts";
import { gravity } from "./gravity.ts";
import { type Html, html } from "./html.ts";
import { question, type Tried } from "./question.ts";
import { shown } from "./shown.ts";
import { withAnswer } from "./told.ts";
import { isNarrowed, type Line, type Narrowed, narrowedOf, type Waiting, waitingOf } from "./waiting.ts";

export const INBOX_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/",
    for: ["read"],
    page: true,
    summary: "The questions that wait, and the one that is being looked at.",
    act: (serving, asked) => inboxPage(serving, asked, undefined),
  },
  {
    method: "GET",
    path: "/approvals/:id",
    for: ["read"],
    page: true,
    summary: "One question, with everything a reviewer has to see.",
    act: (serving, asked) => inboxPage(serving, asked, asked.params["id"]),
  },
  {
    method: "GET",
    path: "/waiting/count",
    for: ["read"],
    page: true,
    summary: "How many questions wait, for a page that stays open.",
    act: async ({ deps: { store, workspace } }) => {
      const pending = await store.read({ ask: "count", workspace, table: "approvals", where: { state: "pending" } });
      return json({ pending });
    },
  },
];

/** `tried` is an answer that did not count: it is told, and what was typed is kept. */
export async function inboxPage(
  serving: Serving,
  asked: Asked,
  id: string | undefined,
  tried: Tried = {},
): Promise<Answer> {
  const { deps } = serving;
  const view = await withAnswer(deps, asked, await viewOf(serving, asked));
  const { words } = view;
  const narrowed = narrowedOf(asked.query);
  const waiting = await waitingOf(deps, narrowed, view.language);
  const chosen = id ?? waiting.lines[0]?.approval.id;
  const opened = chosen === undefined ? undefined : await question(deps, asked, view, chosen, tried);
  const body = html`<div class="inbox">
<section class="list" aria-label="${words.inbox}">
<h1 id="heading"><a href="/">${words.inbox}</a> <small>${view.pending} ${words.waiting}</small></h1>
${(view.pending > 5 || isNarrowed(narrowed)) && filters(view, narrowed)}
${list(view, waiting, chosen, narrowed)}
${await besides(deps, view)}
</section>
<section class="question" id="question" aria-label="${words.question}">${opened ?? nothing(view, narrowed)}</section>
</div>`;
  return page(view, { at: "/", title: words.inbox, body, bodyClass: id === undefined ? "" : "opened" });
}

function nothing({ words }: View, narrowed: Narrowed): Html {
  if (isNarrowed(narrowed)) return html`<div class="calm"><p><strong>${words.nothingFits}</strong></p></div>`;
  return html`<div class="calm"><p><strong>${words.nothingWaits}</strong></p><p>${words.calmMore}</p></div>`;
}

function filters({ words }: View, { agent, class: effectClass, q }: Narrowed): Html {
  const classes = EFFECT_CLASSES.map((one) => [one, one] as const);
  return html`<form method="get" action="/" class="filters" role="search">
<label>${words.search}<input name="q" type="search" value="${q}" maxlength="200" autocapitalize="none"></label>
<button>${words.filter}</button>
<details${(agent !== "" || effectClass !== "") && html` open`}><summary>${words.narrow}</summary><div class="pair">
<label>${words.agent}<input name="agent" value="${agent}" maxlength="512" autocapitalize="none"></label>
<label>${words.classWord}<select name="class">${choices([["", words.any], ...classes], effectClass)}</select></label></div></details></form>`;
}

function list(view: View, { lines, next, lookedAt }: Waiting, chosen: string | undefined, narrowed: Narrowed): Html {
  const { words, mayAct } = view;
  const canPick = mayAct && lines.filter(({ approval }) => !approval.needsHuman).length > 1;
  const nothingFits = lookedAt === undefined ? words.nothingFits : words.noneSoFar;
  const empty = isNarrowed(narrowed) ? nothingFits : words.nothingWaits;
  return html`<ol id="waiting">${lines.map((line) => item(view, line, line.approval.id === chosen, canPick))}</ol>
${mayAct && html`<form method="post" action="/together" id="together"></form>`}
<p class="bulk" id="bulk">${canPick && html`<button form="together">${words.lookTogether}</button>`}</p>
${lines.length === 0 && html`<p class="empty"><strong>${empty}</strong><br>${words.nothingWaitsMore}</p>`}
${isNarrowed(narrowed) && html`<p><a class="button" href="/">${words.showAllWaiting}</a></p>`}
${next !== undefined && html`<p>${lookedAt !== undefined && html`${words.lookedThrough} ${lookedAt} `}<a class="button" href="${olderAddress(narrowed, next)}">${lookedAt === undefined ? words.older : words.lookFurther}</a></p>`}`;
}

function olderAddress(narrowed: Narrowed, next: string): string {
  const kept = Object.entries({ ...narrowed, after: next }).filter(([, value]) => value !== "");
  return `/?${new URLSearchParams(kept)}`;
}

function item(view: View, { approval, headline, have }: Line, isChosen: boolean, canPick: boolean): Html {
  const { words } = view;
  const { id, agent, class: effectClass, needsHuman, quorum, answerByMs } = approval;
  return html`<li>${canPick && (needsHuman ? html`<span class="nopick"></span>` : html`<input type="checkbox" form="together" name="pick" value="${id}" aria-label="${words.pick} ${headline}">`)}<a href="/approvals/${id}"${isChosen && html` aria-current="true"`} data-id="${id}">
<span class="headline">${headline}</span>
<span class="facts"><b>${shown(agent)}</b> <span class="class ${gravity(effectClass)}">${effectClass}</span>${needsHuman && html` <span class="badge">${words.needsHuman}</span>`}${quorum > 1 && html` <span>${have}/${quorum}</span>`} ${moment(view, answerByMs)}</span>
</a></li>`;
}
