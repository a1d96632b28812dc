import { type Approval, askerOf } from "../../core/approval.ts";
import type { Digest } from "../../core/call.ts";
import { say } from "../../core/messages/message.ts";
import type { Language } from "../../core/messages/text.ts";
import type { Card } from "../../core/show/card.ts";
import { mayReview } from "../../core/steps/quorum.ts";
import { approvalAt } from "../../gate/approvals/approval-at.ts";
import { type BulkItem, type BulkOutcome, reviewAll } from "../../gate/approvals/review.ts";
import type { Deps } from "../../gate/deps.ts";
import { circleFor } from "../../gate/standing/owner.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf, personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { approvalView } from "../../service/approvals.ts";
import { badInput } from "../../service/refusal.ts";
import { cardOf, headlineOf } from "../../service/views/cards.ts";
import { fieldsOf, listField } from "../page/fields.ts";
import { hidden } from "../page/forms.ts";
import { languageFor, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { sentenceIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { answerBar } from "./answer-bar.ts";
import { exactHtml, isLong } from "./card.ts";
import { needNoDraft, unsentDraft } from "./draft.ts";
import { listQuery, narrowedOf } from "./waiting.ts";
import { needWhole } from "./whole-shown.ts";

// One answer to several questions. Each one is shown with all its effects before anybody can answer.

const TOGETHER_MAX = 50;

export const TOGETHER_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/together",
    for: ["act"],
    page: true,
    summary: "Selects questions to answer together.",
    act: async (_serving, request) => {
      const narrowed = narrowedOf(request.query);
      const ids = [...new Set(listField(request, "pick"))];
      if (ids.length === 0) return seeOther(`/${listQuery(narrowed, { told: "pickFirst" })}`);
      return seeOther(`/together${listQuery(narrowed, { pick: ids.join(",") })}`);
    },
  },
  {
    method: "GET",
    path: "/together",
    for: ["act"],
    page: true,
    summary: "Shows the selected questions, each with all its effects.",
    act: togetherPage,
  },
  {
    method: "POST",
    path: "/together/approve",
    for: ["act"],
    page: true,
    summary: "Approves all questions that were shown.",
    act: (serving, request) => togetherAnswered(serving, request, "approve"),
  },
  {
    method: "POST",
    path: "/together/deny",
    for: ["act"],
    page: true,
    summary: "Denies all questions that were shown, with a reason for the agents.",
    act: (serving, request) => togetherAnswered(serving, request, "deny"),
  },
];

/** `alone`: why this question must be answered separately. */
type Picked = {
  approval: Approval;
  card: Card;
  alone?: "togetherHuman" | "togetherLong" | "togetherClosed" | "togetherVersion" | "notYours";
};

async function togetherPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const narrowed = narrowedOf(request.query);
  const ids = [...new Set((request.query["pick"] ?? "").split(",").filter((id) => id !== ""))];
  if (ids.length === 0) return seeOther(`/${listQuery(narrowed, { told: "pickFirst" })}`);
  if (ids.length > TOGETHER_MAX)
    throw badInput(
      "pick",
      say("refusal.you_chose", { count: ids.length }),
      say("hint.choose_at_most", { max: TOGETHER_MAX }),
    );
  const view = await viewOf(serving, request);
  const { words } = view;
  const picked = await Promise.all(ids.map((id) => pickedOf(serving, request, id, view.language)));
  const open = picked.filter(({ alone }) => alone === undefined);
  const quorum = Math.max(1, ...open.map(({ approval }) => approval.quorum));
  const at = (does: string) => `/together/${does}${listQuery(narrowed)}`;
  const items = open.map(({ approval }) => hidden("item", `${approval.id} ${approval.digest}`));
  const body = html`<p class="crumbs"><a href="/${listQuery(narrowed)}">${words.inbox}</a></p>
<h1>${words.togetherTitle} <small>${open.length}</small></h1>
<ol class="cards">${picked.map((one) => pickedHtml(view, one))}</ol>
${
  open.length > 0 &&
  answerBar(view, {
    approve: { action: at("approve"), fields: items, label: `${words.approveAll} (${open.length})` },
    deny: { action: at("deny"), fields: items, label: `${words.denyAll} (${open.length})` },
    follows: quorum > 1 && html`<p class="follows" id="follows">${words.togetherQuorum} ${quorum}</p>`,
  })
}`;
  return page(view, { at: "/", title: words.togetherTitle, body });
}

async function pickedOf(serving: Serving, request: HttpRequest, id: string, language: Language): Promise<Picked> {
  const { deps } = serving;
  const { args: _args, effect: _effect, ...approval } = await approvalView(deps, id);
  const card = await cardOf(deps, approval, language);
  const isChanged = unsentDraft(serving, request, id) !== undefined;
  const alone = isChanged ? "togetherVersion" : await aloneOf(deps, approval, card, personOf(request).name);
  return { approval, card, ...(alone === undefined ? {} : { alone }) };
}

async function aloneOf(deps: Deps, approval: Approval, card: Card, by: string): Promise<Picked["alone"]> {
  if (approval.state !== "pending") return "togetherClosed";
  if (approval.needsHuman) return "togetherHuman";
  if (approval.plan !== undefined || isLong(card)) return "togetherLong";
  const circle = await circleFor(deps, await deps.standing.current(), approval);
  return mayReview(approval, by, circle) ? undefined : "notYours";
}

function pickedHtml({ words, language }: View, { approval, card, alone }: Picked): Html {
  return html`<li class="panel"><h2 class="first-line"><code>${card.lead}</code></h2><p class="said">${card.sentence}</p><p class="facts"><b>${shown(askerOf(approval))}</b> <span>${shown(approval.tool)}</span> <span>${approval.plan === undefined ? approval.class : words.planWord}</span> <a href="/approvals/${approval.id}">${words.questionLink}</a></p>
${alone === undefined ? html`${exactHtml(card, language)}<ul class="plain">${card.understanding.map((line) => html`<li><small>${line}</small></li>`)}</ul>` : html`<p class="warning">${words[alone]}</p>`}</li>`;
}

async function togetherAnswered(serving: Serving, request: HttpRequest, verdict: "approve" | "deny"): Promise<Answer> {
  const { note = "" } = fieldsOf(request);
  const narrowed = narrowedOf(request.query);
  const items = listField(request, "item").map(itemOf);
  if (items.length === 0) return seeOther(`/${listQuery(narrowed, { told: "pickFirst" })}`);
  if (items.length > TOGETHER_MAX)
    throw badInput(
      "item",
      say("refusal.there_are", { count: items.length }),
      say("hint.at_most", { max: TOGETHER_MAX }),
    );
  if (verdict === "approve") {
    const seen = { person: personOf(request).name, language: languageFor(request) };
    for (const { id } of items) needNoDraft(serving, request, id);
    for (const { id } of items) await needWhole(serving.deps, await approvalView(serving.deps, id), seen);
  }
  const outcomes = await reviewAll(serving.deps, items, { ...actingOf(request), verdict, note });
  if (outcomes.every(({ ok }) => ok)) return seeOther(`/${listQuery(narrowed, { told: "answeredAll" })}`);
  const view = await viewOf(serving, request);
  const { words } = view;
  const body = html`<p class="crumbs"><a href="/${listQuery(narrowed)}">${words.inbox}</a></p><h1>${words.togetherDone}</h1>
<ul class="cards">${await Promise.all(outcomes.map((outcome) => outcomeHtml(serving.deps, view, outcome)))}</ul>`;
  return page(view, { at: "/", title: words.togetherDone, body });
}

function itemOf(text: string): BulkItem {
  const [id = "", digest = ""] = text.split(" ");
  return { id, digest: digest as Digest };
}

async function outcomeHtml(deps: Deps, { words, language }: View, outcome: BulkOutcome): Promise<Html> {
  const held = await approvalAt(deps, outcome.id);
  const lead = held === undefined ? outcome.id : (await headlineOf(deps, held.row, language)).lead;
  const link = html`<a href="/approvals/${outcome.id}"><code>${lead}</code></a>`;
  if (outcome.ok) return html`<li class="panel">${link}: ${words[`is_${outcome.value.state}`]}</li>`;
  return html`<li class="panel">${link}: <span class="warning">${sentenceIn(language, outcome.reason)} ${sentenceIn(language, outcome.hint)}</span> <small>${outcome.code}</small></li>`;
}
