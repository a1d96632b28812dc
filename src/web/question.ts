import type { Approval } from "../core/approval.ts";
import { coverText } from "../core/decide/suggest.ts";
import { maskArgs } from "../core/show/redact.ts";
import { sayIn } from "../core/show/say/say.ts";
import { mayReview } from "../core/steps/quorum.ts";
import { canonical } from "../core/values/canonical.ts";
import type { JsonObject } from "../core/values/json.ts";
import { hasHidden } from "../core/values/text.ts";
import type { Deps } from "../gate/deps.ts";
import { type Suggested, suggestGrants } from "../gate/grants.ts";
import { circleFor } from "../gate/owner.ts";
import type { Asked } from "../http/asked.ts";
import { personOf } from "../http/person.ts";
import { approvalView } from "../library/approvals.ts";
import { approvedBy, cardOf } from "../library/cards.ts";
import type { LeewayRefusal } from "../library/refusal.ts";
import { cardHtml, isLong, isNear, restHtml, shortened } from "./card.ts";
import { choices, hidden } from "./forms.ts";
import { moment, type View } from "./frame.ts";
import { gravity } from "./gravity.ts";
import { type Html, html } from "./html.ts";
import { sentenceIn } from "./said.ts";
import { shown } from "./shown.ts";
import { wholeShown } from "./whole.ts";
import { reviewsHtml } from "./why.ts";

/** An answer that did not count: why, and what was typed, so that nobody types it twice. */
export type Tried = { refusal?: LeewayRefusal; args?: string; note?: string };

export async function question(deps: Deps, asked: Asked, view: View, id: string, tried: Tried): Promise<Html> {
  const { words } = view;
  const { args, effect: _effect, ...approval } = await approvalView(deps, id);
  const card = await cardOf(deps, approval, view.language);
  const isWhole = !isLong(card) || asked.query["whole"] === "1";
  const cut = isWhole ? undefined : shortened(card);
  const wholeAt = `/approvals/${id}?whole=1`;
  const circle = await circleFor(deps, await deps.standing.current(), approval);
  const mayAnswer = view.mayAct && mayReview(approval, personOf(asked).name, circle);
  const isOpen = approval.state === "pending" && mayAnswer;
  const have = await approvedBy(deps, approval);
  const offers = isOpen && isWhole ? await offersOf(deps, approval) : [];
  const whole = isLong(card) && isWhole ? hidden("whole", wholeShown(deps, approval, personOf(asked).name)) : undefined;
  return html`${tried.refusal !== undefined && html`<div class="warning grave" role="alert"><strong>${words.notDone}</strong> ${sentenceIn(view.language, tried.refusal.reason)} ${sentenceIn(view.language, tried.refusal.hint)} <small>${tried.refusal.code}</small></div>`}
${cardHtml(cut?.card ?? card, view, { facts: factsLine(view, approval, have), ...(cut && { rest: restHtml(view, cut, wholeAt) }) })}
${!isWhole && html`<p class="warning">${words.showAllWhy} <a class="button" href="${wholeAt}">${words.showAll}</a></p>`}
${approval.reviews.length > 0 && html`<div class="panel given">${reviewsHtml(view, approval)}</div>`}
${isOpen ? answers(view, asked, approval, { isWhole, isNear: isWhole && isNear(card), whole, have, offers, args, tried }) : closedText(view, approval)}`;
}

function factsLine(view: View, approval: Approval, have: number): Html {
  const { words } = view;
  const { call, agent, answerByMs, quorum, state, openedMs } = approval;
  return html`<p class="facts"><span class="class ${gravity(approval.class)}">${approval.class}</span>${approval.needsHuman && html` <span class="badge">${words.needsHuman}</span>`} <span class="asked">${words.asked} ${moment(view, openedMs)}</span> ${state === "pending" && html`<span>${words.answerIt} ${moment(view, answerByMs)}</span>`} ${quorum > 1 && html`<span>${have} / ${quorum} ${words.approvals}</span>`} <span class="ways"><a href="/agents/${encodeURIComponent(agent)}">${words.agentLink}</a> <a href="/calls/${call}">${words.whyLink}</a></span></p>`;
}

function closedText({ words, mayAct }: View, { state, ...approval }: Approval): Html {
  const to = "to" in approval ? approval.to : undefined;
  if (state !== "pending")
    return html`<p class="told">${words[`is_${state}`]}${to !== undefined && html` <a href="/approvals/${to}">${words.questionLink}</a>`}</p>`;
  return html`<p class="told">${mayAct ? words.notYours : words.readOnly}</p>`;
}

async function offersOf(deps: Deps, approval: Approval): Promise<readonly Suggested[]> {
  if (approval.needsHuman) return [];
  const suggested = await suggestGrants(deps, approval.id);
  return suggested.ok ? suggested.value.offers : [];
}

/** `whole`: what a form has to bring where not everything is shown at first. */
type Answering = {
  isWhole: boolean;
  isNear: boolean;
  whole: Html | undefined;
  /** How many yeses count so far. */
  have: number;
  offers: readonly Suggested[];
  args: JsonObject;
  tried: Tried;
};

/** The bar with the answer stays in sight; what goes beyond a plain yes or no stands above it, folded. */
function answers(view: View, asked: Asked, approval: Approval, answering: Answering): Html {
  const { isWhole, whole, offers, tried } = answering;
  const { words, fresh } = view;
  const proves = approval.needsHuman && !fresh;
  return html`<div class="beyond">
${offers.length > 0 && remembering(view, asked, offers)}
${isWhole && approval.editable === true && editing(view, approval, answering)}
<details><summary>${words.withdraw}</summary><form method="post" action="/approvals/${approval.id}/cancel"><p>${words.withdrawWhy}</p><button>${words.withdrawDo}</button></form></details>
</div>
<form method="post" action="/approvals/${approval.id}/answer" class="answer${answering.isNear && " near"}" id="answer">
${hidden("digest", approval.digest)}${whole}
<label class="note">${words.denyWhy}<input name="note" maxlength="2000" autocomplete="off" value="${tried.args === undefined ? (tried.note ?? "") : ""}"></label>
<div class="buttons">
${isWhole && html`<button class="primary" name="verdict" value="approve" data-key="a" data-remembering="${words.andRemember}">${proves ? words.proveThenApprove : words[approveWord(approval, answering.have)]}</button>`}
<button class="danger" name="verdict" value="deny" data-key="d">${words.deny}</button>
</div></form>`;
}

function remembering({ words, fresh, language }: View, { query }: Asked, offers: readonly Suggested[]): Html {
  const chosen = /^[1-9]$/.test(query["remember"] ?? "") ? Number(query["remember"]) : 0;
  const lasts = [
    ["24h", words.forHours],
    ["7d", words.forDay],
    ["5x", words.forFive],
  ] as const;
  return html`<details id="remember"${chosen > 0 && html` open`}><summary>${words.remember}</summary>
<fieldset><legend>${words.rememberWhy}</legend>
<label><input type="radio" form="answer" name="remember" value=""${chosen === 0 && html` checked`}> ${words.justThis}</label>
${offers.map(
  ({ covers, coveredBefore, outOf }, at) =>
    html`<label><input type="radio" form="answer" name="remember" value="${at + 1}"${chosen === at + 1 && html` checked`}> <code>${shown(coverText(covers, sayIn(language)))}</code> <small>${words.wouldHavePassed} ${coveredBefore} / ${outOf}</small></label>`,
)}
<label class="inline">${words.rememberFor} <select form="answer" name="lasts">${choices(lasts, query["lasts"])}</select></label>
${!fresh && html`<p><small>${words.rememberProve}</small></p>`}
</fieldset></details>`;
}

function editing({ words, fresh }: View, approval: Approval, { args, whole, tried }: Answering): Html {
  if (canonical(maskArgs(args)) !== canonical(args)) {
    return html`<details><summary>${words.edit}</summary><p>${words.editSecret}</p></details>`;
  }
  const does = approval.needsHuman && !fresh ? words.proveThenApprove : words.editDo;
  return html`<details id="edit"${tried.args !== undefined && html` open`}><summary>${words.edit}</summary>
<form method="post" action="/approvals/${approval.id}/edit" class="stacked"><p>${words.editWhy}</p>
${hidden("digest", approval.digest)}${whole}
<label>${words.argsJson}<textarea name="args" rows="6" spellcheck="false" autocapitalize="none">${tried.args ?? argsText(args)}</textarea></label>
<label>${words.note}<input name="note" maxlength="2000" autocomplete="off" value="${tried.args === undefined ? "" : (tried.note ?? "")}"></label>
<button>${does}</button></form></details>`;
}

/** JSON in which nothing can hide: a character that the eye would miss is written as its number. */
function argsText(args: JsonObject): string {
  const text = JSON.stringify(args, null, 2);
  return [...text].map((char) => (char !== "\n" && hasHidden(char) ? escapedUnits(char) : char)).join("");
}

function escapedUnits(char: string): string {
  return char
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The button says what pressing it will do. */
function approveWord(
  { runBy, tier, needsHuman, quorum }: Approval,
  have: number,
): "approve" | "approveRun" | "approveOn" | "approveNext" {
  if (have + 1 < quorum) return "approve";
  if (runBy === "leeway") return "approveRun";
  // Whether whoever asked still waits, in this process or another, nobody knows.
  return tier === "suggest" || needsHuman ? "approveNext" : "approveOn";
}
