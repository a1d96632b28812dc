import { ENTRY_KINDS, type EntryKind } from "../../core/ledger.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { Deps } from "../../gate/deps.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { EntryFilter } from "../../ports.ts";
import { badInput } from "../../service/refusal.ts";
import { choices } from "../page/forms.ts";
import { type Html, html } from "../page/html.ts";
import { ENDS, saidIn, sentenceIn } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { indexAt } from "./rows.ts";

// The filters of the record: as the form shows them, and as the ledger is asked.

type Query = HttpRequest["query"];

/** Why a filter is not understood, and what to write. */
type Flaw = { reason: Message; hint: Message };
type Checked = "kind" | "id" | "from" | "to";
export type Flaws = { readonly [C in Checked]?: Flaw };

/** The filters that can be used, and why the others cannot: the list is shown without those. */
export function understood(query: Query): { query: Query; flaws: Flaws } {
  const found = Object.entries(CHECKS).flatMap(([name, check]) => {
    const flaw = check(query[name] ?? "");
    return flaw === undefined ? [] : [[name, flaw] as const];
  });
  const without = Object.fromEntries(found.map(([name]) => [name, ""]));
  return { query: { ...query, ...without }, flaws: Object.fromEntries(found) };
}

/** The first letters of an id say what kind it is. */
const ID_SUBJECTS = { apr: "approval", call: "call", exe: "execution", grt: "grant", tok: "token" } as const;

function subjectOfId(id: string): (typeof ID_SUBJECTS)[keyof typeof ID_SUBJECTS] | undefined {
  const prefix = id.trim().split("_")[0] ?? "";
  return Object.hasOwn(ID_SUBJECTS, prefix) ? ID_SUBJECTS[prefix as keyof typeof ID_SUBJECTS] : undefined;
}

const CHECKS: { readonly [C in Checked]: (text: string) => Flaw | undefined } = {
  kind: (kind) => {
    if (kind === "" || ENTRY_KINDS.includes(kind as EntryKind)) return undefined;
    return { reason: say("refusal.no_such_kind", { kind }), hint: say("hint.choose_one") };
  },
  id: (id) => {
    if (id === "" || subjectOfId(id) !== undefined) return undefined;
    const hint = say("hint.ids_begin", { kinds: Object.keys(ID_SUBJECTS).map((kind) => `${kind}_`) });
    return { reason: say("refusal.not_an_id", { text: id }), hint };
  },
  from: timeFlaw,
  to: timeFlaw,
};

function timeFlaw(text: string): Flaw | undefined {
  if (text === "" || timeOf(text) !== undefined) return undefined;
  return { reason: say("refusal.no_time", { text }), hint: say("hint.write_date_time") };
}

/** The format that a form sends, in UTC. */
function timeOf(text = ""): number | undefined {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** The form. What is not understood is said beside its field. */
export function filtersHtml(view: View, query: Query, flaws: Flaws): Html {
  const { words } = view;
  const kinds = ENTRY_KINDS.map((kind) => [kind, kind] as const);
  const { q = "", agent = "", session = "", actor = "", id = "", kind = "", from = "", to = "" } = query;
  const invalid = (name: Checked) => flaws[name] !== undefined && html` aria-invalid="true"`;
  const why = (name: Checked) => flawHtml(view, flaws[name]);
  return html`<form method="get" action="/activity" class="filters" role="search">
<label class="wide">${words.search}<input name="q" type="search" value="${q}" maxlength="200" autocapitalize="none"></label>
<label>${words.fromTime}<input name="from" type="datetime-local" value="${from}"${invalid("from")}>${why("from")}</label>
<label>${words.toTime}<input name="to" type="datetime-local" value="${to}"${invalid("to")}>${why("to")}</label>
<label>${words.kind}<select name="kind"${invalid("kind")}>${choices([["", words.any], ...kinds], kind)}</select>${why("kind")}</label>
<label>${words.agent}<input name="agent" value="${agent}" autocapitalize="none" maxlength="512"></label>
<label>${words.session}<input name="session" value="${session}" autocapitalize="none" maxlength="512"></label>
<label>${words.byWhom}<input name="actor" value="${actor}" placeholder="ana" autocapitalize="none" maxlength="512"></label>
<label>${words.idOf}<input name="id" value="${id}" placeholder="apr_… call_… exe_… grt_…" autocapitalize="none" maxlength="200"${invalid("id")}>${why("id")}</label>
<button>${words.filter}</button>${[q, kind, agent, session, actor, id, from, to].some((one) => one !== "") && html` <a class="button quiet" href="/activity">${words.all}</a>`}</form>`;
}

function flawHtml({ words, language }: View, flaw: Flaw | undefined): Html | false {
  if (flaw === undefined) return false;
  return html`<span class="flaw" role="alert">${saidIn(language, flaw.reason)}${ENDS[language]} ${sentenceIn(language, flaw.hint)} ${words.filterNotUsed}</span>`;
}

/** What the ledger is asked for filters that are understood. Times are looked up in the ledger, which is in order of time. */
export async function filterIn(deps: Deps, query: Query): Promise<EntryFilter> {
  const filter = filterOf(query);
  const [fromMs, toMs] = [timeOf(query["from"]), timeOf(query["to"])];
  const end = toMs === undefined ? undefined : await indexAt(deps, toMs + MINUTE_MS);
  const { beforeIndex = Number.POSITIVE_INFINITY } = filter;
  return {
    ...filter,
    ...(fromMs === undefined ? {} : { afterIndex: (await indexAt(deps, fromMs)) - 1 }),
    ...(end === undefined ? {} : { beforeIndex: Math.min(end, beforeIndex) }),
  };
}

const MINUTE_MS = 60_000;

function filterOf(query: Query): EntryFilter {
  const { agent = "", session = "", actor = "", id = "", kind = "", before } = query;
  if (before !== undefined && !/^\d{1,15}$/.test(before))
    throw badInput("before", say("refusal.no_place"), say("hint.go_back"));
  const about = subjectOfId(id);
  const subject = {
    ...(agent === "" ? {} : { agent }),
    ...(session === "" ? {} : { session }),
    ...(about === undefined ? {} : { [about]: id.trim() }),
  };
  return {
    ...(before === undefined ? {} : { beforeIndex: Number(before) }),
    ...(kind === "" ? {} : { kinds: [kind as EntryKind] }),
    ...(actor === "" ? {} : { actor: /^(person|agent):|^leeway$/.test(actor) ? actor : `person:${actor}` }),
    ...(Object.keys(subject).length === 0 ? {} : { subject }),
  };
}

/** The address of the same list from another place on. */
export function addressOf(query: Query, before: number | undefined): string {
  const kept = Object.entries(query).filter(
    ([name, value]) => value !== "" && /^(q|kind|agent|session|actor|id|from|to)$/.test(name),
  );
  const search = new URLSearchParams({
    ...Object.fromEntries(kept),
    ...(before === undefined ? {} : { before: String(before) }),
  });
  return `/activity${search.size === 0 ? "" : `?${search}`}`;
}
