import type { Approval } from "../../core/approval.ts";
import type { Cause } from "../../core/decision.ts";
import { say } from "../../core/messages/message.ts";
import type { Language } from "../../core/messages/text.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { sayIn } from "../../core/say/languages.ts";
import { type Card, cardOf } from "../../core/show/card.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { changesCardOf } from "../../core/show/changes/changes-card.ts";
import { isAboutChanges, seenChanges } from "../../gate/boxes/seen-changes.ts";
import { callOf } from "../../gate/calls/args.ts";
import type { Deps } from "../../gate/deps.ts";
import { find } from "../../gate/find-row.ts";
import { effectIn } from "../../gate/record/guesses.ts";
import { listEntries } from "../../gate/record/ledger.ts";
import type { Answer } from "../../http/answer.ts";
import { personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { argsOf, callRow } from "../../service/approvals.ts";
import { LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { type Boxed, boxedOf } from "../../service/views/boxed.ts";
import { approvalOf, cameOf, mayReadOutput, saysMore } from "../../service/views/outcome.ts";
import { exactHtml, filesHtml, isLong, restHtml, shortened } from "../inbox/card.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { shown, shownLines, spanText } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { entryRows } from "./entries.ts";

const HISTORY_MAX = 100;

export const WHY_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/calls/:id",
    for: ["read"],
    page: true,
    summary: "Why a call was decided in this way, step by step, and its outcome.",
    act: whyPage,
  },
];

async function whyPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, request);
  const { words } = view;
  const row = await meantCall(deps, request.params["id"] ?? "");
  const entries = await listEntries(deps, { subject: { call: row.id } }, { limit: HISTORY_MAX, order: "oldest" });
  const card = await cardFor(deps, row, view.language);
  const cut = isLong(card) && request.query["whole"] !== "1" ? shortened(card) : undefined;
  const rest = cut && restHtml(view, cut, `/calls/${row.id}?whole=1`);
  const body = html`<p class="crumbs"><a href="/activity">${words.activity}</a> › ${words.whyLink}</p>
<h1 class="first-line"><code>${card.lead}</code></h1>
<p class="said">${card.sentence}</p>
<p class="facts"><a href="/agents/${encodeURIComponent(row.agent)}">${shown([...row.chain, row.agent].join(" › "))}</a> <span>${shown(row.tool)}</span> ${moment(view, row.atMs)}</p>
<div class="columns"><div>
${stepsOf(view, row, card, deps.policies.current().project)}
</div><div>
${card.files !== undefined && filesHtml(card.files, sayIn(view.language))}
<h2>${words.exactly}</h2>
${exactHtml(cut?.card ?? card, view.language, { rest, foldsLong: true })}
${await comeOfIt(deps, view, request, row)}
${boxHtml(view, await boxedOf(deps, row, view.language))}
</div></div>
<h2>${words.history}</h2>
${entryRows(view, entries)}
<details><summary>${words.identity}</summary><dl class="facts-list"><dt>${words.callWord}</dt><dd><code>${row.id}</code></dd><dt>${words.digest}</dt><dd><code>${row.digest}</code></dd><dt>${words.policyVersion}</dt><dd><code>${row.decision.policyVersion}</code></dd>${row.cwd !== undefined && html`<dt>${words.folder}</dt><dd>${shown(row.cwd)}</dd>`}${row.replayOf !== undefined && html`<dt>${words.repeats}</dt><dd>${shown(row.replayOf)}</dd>`}</dl></details>`;
  return page(view, { at: "/activity", title: words.whyTitle, body });
}

async function meantCall(deps: Deps, id: string): Promise<CallRow> {
  const found = orThrow(await find(deps, id));
  if (found.table === "calls") return found.row;
  if (found.table === "approvals" || found.table === "executions") return callRow(deps, found.row.call);
  const hint = say("hint.id_of_decided");
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.not_decided", { id }), hint });
}

/** The call as a reviewer would see it, even if nobody was asked. */
async function cardFor(deps: Deps, row: CallRow, language: Language): Promise<Card> {
  const { project } = deps.policies.current();
  const { digest, decision } = row;
  const effect = effectIn(deps, row);
  const why = causeSentences(decision.causes, { language, project, effect });
  const call = callOf(row, argsOf(row));
  const input = { call, digest, effect, why, deadline: "", quorum: { needed: 1, approved: 0 }, project, language };
  if (!isAboutChanges(row)) return cardOf(input);
  return changesCardOf(input, await seenChanges(deps, call, { isOpen: false }));
}

/** The steps of the decision in order: the effect, what decided the tier, what else was considered, the outcome. */
export function stepsOf(
  { words, language }: View,
  { decision, effect }: Pick<CallRow, "decision" | "effect">,
  card: Pick<Card, "parts" | "targets" | "understanding">,
  project: string,
): Html {
  const { tier, outcome, code, needsHuman, causes, considered } = decision;
  const sentences = (of: readonly Cause[]) => causeSentences(of, { language, project, effect });
  const lines = card.parts.length > 0 ? card.parts.map((part) => `${part.command} – ${part.does}`) : card.targets;
  return html`<h2>${words.howDecided}</h2>
<ol class="steps">
<li><h3>${words.stepEffect}</h3><ul>${lines.map((line) => html`<li>${line}</li>`)}${card.understanding.map((line) => html`<li>${line}</li>`)}</ul></li>
<li><h3>${words.stepCauses}</h3>${causeList(causes, sentences(causes))}</li>
<li><h3>${words.stepConsidered}</h3>${considered.length === 0 ? html`<p>${words.nothingElse}</p>` : causeList(considered, sentences(considered))}</li>
<li><h3>${words.stepOutcome}</h3><p>${tierChip(tier)} ${needsHuman && html`<span class="badge">${words.needsHuman}</span> `}${words[OUTCOMES[outcome]]}${code !== undefined && html` <small><code>${code}</code></small>`}</p></li>
</ol>`;
}

function causeList(causes: readonly Cause[], sentences: readonly string[]): Html {
  return html`<ul>${causes.map((cause, at) => html`<li>${"tier" in cause && html`${tierChip(cause.tier)} `}${shown(sentences[at] ?? "")}</li>`)}</ul>`;
}

export function tierChip(tier: string): Html {
  return html`<span class="tier ${tier}">${tier}</span>`;
}

const OUTCOMES = {
  run: "outcomeRun",
  pending: "outcomePending",
  not_executed: "outcomeNotExecuted",
  denied: "outcomeDenied",
  delegated: "outcomeDelegated",
} as const;

async function comeOfIt(deps: Deps, view: View, request: HttpRequest, row: CallRow): Promise<Html> {
  const { words } = view;
  const approval = await approvalOf(deps, row);
  return html`<h2>${words.cameOfIt}</h2>
${approval === undefined ? html`<p>${words.nobodyAsked}</p>` : askedHtml(view, approval)}
${await outcomeHtml(deps, view, request, row)}`;
}

/** The walls around the call, what they refused, and what became of the files that it changed. */
function boxHtml({ words, language }: View, { boxed, changes }: Boxed): Html {
  const say = sayIn(language);
  return html`${boxed !== undefined && html`<h2>${words.boxTitle}</h2><p><span class="badge here">${say.box.is[boxed.is]}</span></p><ul class="walls">${boxed.walls.map((wall) => html`<li>${wall}</li>`)}${boxed.rehearsed && boxed.is === "bound" && html`<li>${say.box.rehearsed}</li>`}</ul>${boxed.refused.length > 0 && html`<h3>${words.wallsRefused}</h3><ul class="walls refused">${boxed.refused.map((one) => html`<li>${one}</li>`)}</ul>`}`}
${changes !== undefined && html`<h2>${words.changesTitle}</h2><p><a href="/calls/${changes.call}">${changes.said}</a></p>${changes.undo !== undefined && html`<p>${words.undoWith} <code>${changes.undo}</code></p>`}`}`;
}

function askedHtml(view: View, approval: Approval): Html {
  const { words } = view;
  return html`<p><a href="/approvals/${approval.id}">${words.questionLink}</a>: ${words[`is_${approval.state}`]}</p>
${reviewsHtml(view, approval)}`;
}

/** Who answered what, and how they proved who they are. */
export function reviewsHtml(view: View, { reviews }: Approval): Html {
  const { words } = view;
  return html`<ul class="reviews">${reviews.map(
    ({ by, verdict, note, assurance, atMs }) =>
      html`<li><b>${by}</b> ${verdict === "approve" ? words.saidYes : words.saidNo} ${moment(view, atMs)} <small>${words[`sure_${assurance}`]}</small>${note !== "" && html`<blockquote>${shownLines(note)}</blockquote>`}</li>`,
  )}</ul>`;
}

/** The result, exit code and duration; and the output, for people who may review it. */
export async function outcomeHtml(deps: Deps, view: View, request: HttpRequest, row: CallRow): Promise<Html> {
  const { words, language } = view;
  const withOutput = await mayReadOutput(deps, row, personOf(request));
  const came = await cameOf(deps, row, { withOutput, language });
  if (came === undefined) return html`<p>${words.notCarriedOut}</p>`;
  const { state, atMs, exitCode, tookMs, error, output } = came;
  const took = tookMs === undefined ? undefined : tookMs < 1000 ? `${tookMs} ms` : spanText(language, tookMs);
  const isOver = state === "succeeded" || state === "failed";
  return html`<div class="outcome ${state}"><p><b>${words[`ran_${state}`]}</b>${atMs !== undefined && html` ${moment(view, atMs)}`}${exitCode !== undefined && html` · ${words.exitCode} <code>${exitCode}</code>`}${took !== undefined && html` · ${words.took} ${took}`}</p>
${error !== undefined && saysMore(came) && html`<p>${shownLines(error)}</p>`}
${output !== undefined && html`<pre class="literal">${output}</pre>`}
${isOver && output === undefined && html`<p><small>${withOutput ? words.noResult : words.outputHidden}</small></p>`}
${state === "unknown" && html`<p><a class="button" href="/#unknown">${words.unknownDo}</a></p>`}</div>`;
}
