import type { ExecutionIn } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import { type Notice, TOLD_KINDS } from "../../core/notice.ts";
import { listUnknown, reconcile } from "../../gate/calls/reconcile.ts";
import type { Deps } from "../../gate/deps.ts";
import { listNotices, readNotice, toldMs } from "../../gate/notices/notices.ts";
import { seeOther } from "../../http/answer.ts";
import { actingOf, personOf } from "../../http/identity/person.ts";
import type { Route } from "../../http/route.ts";
import { badInput, LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { fieldsOf } from "../page/fields.ts";
import { button, provedOr } from "../page/forms.ts";
import { moment } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";

// The other content of the inbox: calls with an unknown result, and notices.

export const BESIDES_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/executions/:id/reconcile",
    for: ["act"],
    fresh: true,
    page: true,
    summary: "Records how a call ended, after a person checked.",
    act: async ({ deps }, request) => {
      const { ended = "", note = "" } = fieldsOf(request);
      if (ended !== "well" && ended !== "failed")
        throw badInput("ended", say("refusal.say_how_ended"), say("hint.well_or_failed"));
      const said = { ...actingOf(request), ok: ended === "well", note };
      orThrow(await reconcile(deps, request.params["id"] ?? "", said));
      return seeOther("/?told=reconciled");
    },
  },
  {
    method: "POST",
    path: "/notices/read",
    for: ["read"],
    page: true,
    summary: "Marks one of your notices, or all of them, as read.",
    act: async ({ deps }, request) => {
      const { id } = fieldsOf(request);
      const mine = await unreadOf(deps, personOf(request).name);
      const meant = id === undefined ? mine : mine.filter((notice) => notice.id === id);
      if (id !== undefined && meant.length === 0) throw notTold(id);
      for (const notice of meant) orThrow(await readNotice(deps, notice.id));
      return seeOther("/");
    },
  },
];

function notTold(id: string): LeewayRefusal {
  const reason = say("refusal.no_unread_notice", { id });
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason, hint: say("hint.read_already") });
}

export async function besides(deps: Deps, view: View): Promise<Html> {
  return html`${await unknowns(deps, view)}${view.person !== undefined && (await notices(deps, view, await unreadOf(deps, view.person)))}`;
}

const UNKNOWN_MAX = 20;

async function unknowns(deps: Deps, view: View): Promise<Html> {
  const { words, mayAct } = view;
  const rows = await listUnknown(deps, UNKNOWN_MAX);
  if (rows.length === 0) return html``;
  return html`<section class="aside" id="unknown" aria-label="${words.unknownTitle}"><h2>${words.unknownTitle} <small>${rows.length}</small></h2>
<p>${words.unknownWhy}</p>${rows.map((row) => unknownHtml(view, row, mayAct))}</section>`;
}

function unknownHtml(view: View, row: ExecutionIn<"unknown">, mayAct: boolean): Html {
  const { words } = view;
  return html`<details class="panel"><summary><b>${shown(row.agent)}</b>: ${shown(row.tool)} ${moment(view, row.sinceMs)}</summary>
<p><a href="/calls/${row.call}">${words.whatItWas}</a></p>
${
  mayAct &&
  provedOr(
    view,
    "/",
    words.reconcileWhy,
    html`<form method="post" action="/executions/${row.id}/reconcile" class="stacked"><fieldset><legend>${words.howEnded}</legend><label><input type="radio" name="ended" value="well" required> ${words.endedWell}</label><label><input type="radio" name="ended" value="failed"> ${words.endedBadly}</label></fieldset>
<label>${words.lookedAt}<input name="note" required maxlength="2000" autocomplete="off"></label><button>${words.reconcileDo}</button></form>`,
  )
}</details>`;
}

const NOTICES_MAX = 50;
/** Every page loads these, so their number is limited; older ones are in the ledger. */
const LOOKED_AT_MAX = 2_000;

function unreadOf(deps: Deps, to: string): Promise<readonly Notice[]> {
  return listNotices(deps, { to, unread: true, kinds: TOLD_KINDS, limit: NOTICES_MAX, newest: LOOKED_AT_MAX });
}

async function notices(deps: Deps, view: View, unread: readonly Notice[]): Promise<Html> {
  const { words } = view;
  if (unread.length === 0) return html``;
  const listed = await Promise.all(unread.map((notice) => noticeHtml(deps, view, notice)));
  return html`<section class="aside" id="told" aria-label="${words.toldYou}"><h2>${words.toldYou} <small>${unread.length}</small></h2>
<ul class="notices">${listed}</ul>
${unread.length > 1 && button("/notices/read", words.markAllRead, { kind: "quiet" })}</section>`;
}

async function noticeHtml(deps: Deps, view: View, notice: Notice): Promise<Html> {
  const { words, language } = view;
  const ran = digested(notice);
  const told =
    ran === undefined
      ? html`<b>${saidIn(language, notice.title)}</b> ${saidIn(language, notice.text)}`
      : html`<b>${words.ranNotify} ${ran}×</b> ${saidIn(language, notice.text)}`;
  const atMs = await toldMs(deps, notice);
  return html`<li><span>${told} ${moment(view, atMs)} ${noticeLink(view, notice)}</span>${button("/notices/read", words.markRead, { kind: "quiet", hidden: html`<input type="hidden" name="id" value="${notice.id}">` })}</li>`;
}

/** How many calls a digest stands for; undefined if the notice is not a digest. */
function digested({ kind, title }: Notice): string | undefined {
  if (kind !== "ran") return undefined;
  if (typeof title === "string") return /^(\d+) calls? /.exec(title)?.[1];
  const { count } = title.with;
  return title.say === "notice.calls_ran" && typeof count === "number" ? String(count) : undefined;
}

function noticeLink({ words }: View, { ref }: Notice): Html | false {
  return /^(call|apr|exe)_/.test(ref) && html`<a href="/calls/${ref}">${words.whyLink}</a>`;
}
