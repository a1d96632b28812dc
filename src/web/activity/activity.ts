import type { Entry } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import type { Verified } from "../../core/record/verify.ts";
import { shownBody } from "../../core/show/entry-body.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { visibleLines } from "../../core/values/text.ts";
import { executionAt } from "../../gate/calls/call-at.ts";
import type { Deps } from "../../gate/deps.ts";
import { headOf, listEntries, verifyLedger } from "../../gate/record/ledger.ts";
import { type Answer, statusOf } from "../../http/answer.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import type { EntryFilter } from "../../ports.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { button } from "../page/forms.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { sentenceIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import type { Words } from "../words/words.ts";
import { entrySentence } from "./entries.ts";
import { addressOf, filterIn, filtersHtml, understood } from "./filters.ts";
import { type ActivityFilter, hidesSignatures, rowOf } from "./rows.ts";

const SHOWN = 50;

export const ACTIVITY_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/activity",
    for: ["read"],
    page: true,
    summary: "The record, newest first, with filters.",
    act: (serving, request) => activityPage(serving, request, undefined),
  },
  {
    method: "POST",
    path: "/activity/verify",
    for: ["read"],
    page: true,
    summary: "Verifies the whole record.",
    act: async (serving, request) => activityPage(serving, request, await verifyLedger(serving.deps)),
  },
  {
    method: "GET",
    path: "/activity/:index",
    for: ["read"],
    page: true,
    summary: "One entry with its whole content.",
    act: entryPage,
  },
];

async function activityPage(serving: Serving, request: HttpRequest, verified: Verified | undefined): Promise<Answer> {
  const view = await viewOf(serving, request);
  const { words } = view;
  const { query, flaws } = understood(request.query);
  const narrowed = { filter: await filterIn(serving.deps, query), q: query["q"] ?? "" };
  const { rows, next, lookedFrom } = await rowsOf(serving.deps, view, narrowed);
  const nothing = lookedFrom === undefined ? words.nothingFits : words.noneSoFar;
  const body = html`<div class="head"><h1>${words.activity}</h1>${button("/activity/verify", words.verify)}</div>
${verified !== undefined && verifiedText(view, verified)}
${filtersHtml(view, request.query, flaws)}
${rows.length === 0 ? html`<p class="empty">${nothing}</p>` : html`<ol class="activity">${rows}</ol>`}
<p class="paging">${request.query["before"] !== undefined && html`<a class="button" href="${addressOf(request.query, undefined)}">${words.newest}</a> `}${next !== undefined && html`<a class="button" href="${addressOf(request.query, next)}">${words.older}</a>`}${next === undefined && lookedFrom !== undefined && html`${words.lookedBackTo} ${lookedFrom} <a class="button" href="${addressOf(request.query, lookedFrom)}">${words.lookFurther}</a>`}</p>
${hidesSignatures(narrowed) && html`<p><small>${words.signaturesHidden} <a href="/activity?kind=ledger.sealed">${words.signaturesShow}</a></small></p>`}`;
  const made = page(view, { at: "/activity", title: words.activity, body });
  return Object.keys(flaws).length === 0 ? made : { ...made, status: statusOf("LEEWAY_BAD_INPUT") };
}

type Rows = { rows: readonly Html[]; next?: number; lookedFrom?: number };

/** Entries that are read for one page: a search may match few of them. */
const ROWS_LOOKED_AT_MAX = 1_000;

/** The newest matching rows, and the entry from which the next page continues. */
async function rowsOf(deps: Deps, view: View, narrowed: ActivityFilter): Promise<Rows> {
  const rows: Html[] = [];
  const seen = new Set<string>();
  let filter = narrowed.filter;
  for (let lookedAt = 0; ; ) {
    const { entries, lookedFrom } = await lookedThrough(deps, filter);
    const page = entries.slice(0, SHOWN);
    for (const entry of page) {
      filter = { ...filter, beforeIndex: entry.index };
      const row = await rowOf(deps, view, entry, narrowed, seen);
      if (row !== undefined) rows.push(row);
      if (rows.length === SHOWN) return { rows, next: entry.index };
    }
    lookedAt += page.length;
    if (entries.length <= SHOWN) return { rows, ...(lookedFrom === undefined ? {} : { lookedFrom }) };
    if (lookedAt >= ROWS_LOOKED_AT_MAX) return { rows, lookedFrom: filter.beforeIndex ?? 0 };
    await deps.clock.sleep(0);
  }
}

/** Filters that use an index. */
const INDEXED = ["call", "approval", "grant", "person", "agent"] as const;
/** Reading the whole history for few matches would delay everybody else. */
const LOOKED_AT_MAX = 10_000;

/** The newest matches. `lookedFrom`: older entries than this one have not been read yet. */
async function lookedThrough(
  deps: Deps,
  filter: EntryFilter,
): Promise<{ entries: readonly Entry[]; lookedFrom?: number }> {
  const { kinds, actor } = filter;
  const subject = await withCall(deps, filter.subject ?? {});
  const page = { limit: SHOWN + 1, order: "newest" } as const;
  const isAny = kinds === undefined && actor === undefined && Object.keys(subject).length === 0;
  if (isAny || INDEXED.some((name) => subject[name] !== undefined))
    return { entries: await listEntries(deps, { ...filter, subject }, page) };
  const head = await headOf(deps);
  const before = Math.min(filter.beforeIndex ?? Number.POSITIVE_INFINITY, head.index + 1);
  const afterIndex = Math.max(filter.afterIndex ?? 0, before - 1 - LOOKED_AT_MAX);
  const entries = await listEntries(deps, { ...filter, afterIndex }, page);
  return { entries, ...(afterIndex === (filter.afterIndex ?? 0) ? {} : { lookedFrom: afterIndex + 1 }) };
}

/** An execution always belongs to a call, and calls have an index. */
async function withCall(deps: Deps, subject: Entry["subject"]): Promise<Entry["subject"]> {
  if (subject.execution === undefined) return subject;
  const held = await executionAt(deps, subject.execution);
  return held === undefined ? subject : { ...subject, call: held.row.call };
}

function verifiedText({ words, language }: View, verified: Verified): Html {
  if (!verified.ok) {
    const { index, why } = verified.fault;
    return html`<p class="warning grave" role="alert"><strong>${words.notWhole}</strong> ${words.entry} <a href="/activity/${index}">${index}</a>: ${sentenceIn(language, why)} ${words.notWholeDo}</p>`;
  }
  const { entries, checkpoints, rows, hash } = verified;
  return html`<p class="told" role="status"><strong>${words.isWhole}</strong> ${words.entries}: ${entries} · ${words.checkpoints}: ${checkpoints}${rows !== undefined && html` · ${words.rowsCompared}: ${rows.compared}`}${hash !== null && html`<br><small><code>${hash}</code></small>`}</p>`;
}

async function entryPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const view = await viewOf(serving, request);
  const { words, language } = view;
  const entry = await entryAt(serving.deps, request.params["index"] ?? "");
  const { index, kind, actor, subject, hash, previous, bodyHash } = entry;
  const body = html`<p class="crumbs"><a href="/activity">${words.activity}</a></p>
<h1>${entrySentence(language, entry)}</h1>
<dl class="facts-list"><dt>${words.place}</dt><dd>${index}</dd><dt>${words.when}</dt><dd>${moment(view, entry.atMs)}</dd><dt>${words.kind}</dt><dd><code>${kind}</code></dd><dt>${words.byWhom}</dt><dd>${shown(actor)}</dd>
${Object.entries(subject).map(([name, value]) => html`<dt>${subjectWord(words, name)}</dt><dd>${subjectLink(name, value)}</dd>`)}</dl>
<h2>${words.entrySays}</h2>
${entry.body === undefined ? html`<p>${words.erased}</p>` : html`<pre class="literal">${said(entry.body.json)}</pre>`}
<h2>${words.chained}</h2>
<dl class="facts-list"><dt>${words.hash}</dt><dd><code>${hash}</code></dd><dt>${words.previousHash}</dt><dd><code>${previous ?? words.none}</code></dd><dt>${words.bodyHash}</dt><dd><code>${bodyHash}</code></dd></dl>`;
  return page(view, { at: "/activity", title: `${words.entry} ${index}`, body });
}

/** As in the ledger, where arguments are already masked; masked again for text that others wrote. */
function said(body: JsonObject): string {
  return visibleLines(JSON.stringify(shownBody(body), null, 2)).join("\n");
}

const SUBJECTS: { readonly [name: string]: keyof Words } = {
  agent: "agent",
  approval: "approvalWord",
  call: "callWord",
  class: "classWord",
  execution: "executionWord",
  grant: "grantWord",
  outcome: "outcomeWord",
  person: "person",
  run: "runWord",
  session: "sessionWord",
  tier: "tier",
  token: "tokenWord",
  tool: "tool",
  trace: "traceWord",
};

function subjectWord(words: Words, name: string): string {
  const word = SUBJECTS[name];
  return word === undefined ? name : words[word];
}

const PLACES: { readonly [name: string]: string } = { call: "/calls/", approval: "/approvals/", agent: "/agents/" };

function subjectLink(name: string, value: string): Html {
  const place = PLACES[name];
  const text = shown(value);
  return place === undefined ? html`${text}` : html`<a href="${place}${encodeURIComponent(value)}">${text}</a>`;
}

async function entryAt(deps: Deps, index: string): Promise<Entry> {
  const at = /^\d{1,15}$/.test(index) ? Number(index) : 0;
  const where = { afterIndex: at - 1, beforeIndex: at + 1 };
  const [entry] = await listEntries(deps, where, { limit: 1, order: "oldest" });
  if (entry !== undefined && entry.index === at) return entry;
  throw new LeewayRefusal({
    code: "LEEWAY_NOT_FOUND",
    reason: say("refusal.no_entry", { index }),
    hint: say("hint.look_at_list"),
  });
}
