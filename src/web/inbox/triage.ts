import { type Approval, handedMessage, snoozedUntilMs } from "../../core/approval.ts";
import { snoozeUntil } from "../../core/snooze.ts";
import { answerersOf } from "../../core/steps/triage.ts";
import { zoneOf } from "../../gate/approvals/triage.ts";
import type { Deps } from "../../gate/deps.ts";
import { circleFor } from "../../gate/standing/owner.ts";
import { actingOf } from "../../http/identity/person.ts";
import type { Route } from "../../http/route.ts";
import { parse } from "../../service/shape.ts";
import { HANDOVER, REPLY, SNOOZE } from "../../service/shapes/triage.ts";
import { handOverBy, replyBy, snoozeBy } from "../../service/triage.ts";
import { fieldsOf } from "../page/fields.ts";
import { choices, hidden } from "../page/forms.ts";
import { moment } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { answerRoute } from "./answering.ts";

// What somebody who may answer can do instead of answering: write to the agent, hand the question over, put it aside.

export const TRIAGE_ROUTES: readonly Route[] = [
  answerRoute(
    "reply",
    "Words to the agent without an answer; the question stays open.",
    async ({ deps }, asked, id) => {
      const { text = "" } = fieldsOf(asked);
      await replyBy(deps, id, parse(REPLY, { text }), actingOf(asked));
      return { told: "replied", isOver: false, stays: true };
    },
  ),
  answerRoute("handover", "Asks somebody else who may answer to do it.", async ({ deps }, asked, id) => {
    const { to = "", note = "" } = fieldsOf(asked);
    await handOverBy(deps, id, parse(HANDOVER, { to, note }), actingOf(asked));
    return { told: "handedToThem", isOver: false, stays: true };
  }),
  answerRoute("snooze", "Puts the question aside for the one who asks, or back.", async ({ deps }, asked, id) => {
    const { until = "" } = fieldsOf(asked);
    await snoozeBy(deps, id, parse(SNOOZE, { until }), actingOf(asked));
    return until === "now" ? { told: "hadBack", isOver: false, stays: true } : { told: "putAside", isOver: true };
  }),
];

/** What the three forms need to know. */
export type Triage = {
  /** The other people who could answer the question. */
  others: readonly string[];
  /** The offered times until which the question can be put aside: as the form sends them, and as the page shows them. */
  times: readonly (readonly [value: string, shown: string])[];
  /** Until when the reader has put the question aside. */
  asideMs: number | undefined;
};

export async function triageFor(deps: Deps, view: View, approval: Approval, person: string): Promise<Triage> {
  const circle = await circleFor(deps, await deps.standing.current(), approval);
  const zone = await zoneOf(deps, person);
  const { words, nowMs } = view;
  const times = [
    ["15m", words.in15],
    ["1h", words.in1h],
    ["4h", words.in4h],
    ["tomorrow 9:00", `${words.tomorrow9} (${zone})`],
  ] as const;
  const fits = (value: string) => {
    const untilMs = snoozeUntil(value, { nowMs, zone });
    return typeof untilMs === "number" && untilMs < approval.answerByMs;
  };
  return {
    others: answerersOf(approval, circle).filter((name) => name !== person),
    times: times.filter(([value]) => fits(value)),
    asideMs: snoozedUntilMs(approval, person, nowMs),
  };
}

/** The address of a form of the question, and what was typed into it before it was refused. */
type Forms = { at(does: string): string; typed(does: string): Readonly<Record<string, string>> };

/** The forms are folded into one line, so that the question keeps most of a small screen. */
export function triageHtml(view: View, { others, times, asideMs }: Triage, { at, typed }: Forms): Html {
  const { words } = view;
  const [said, handing] = [typed("reply")["text"], typed("handover")["note"]];
  const reply = html`<form method="post" action="${at("reply")}" class="stacked"><p>${words.replyWhy}</p>
<label>${words.replyText}<textarea name="text" rows="3" required maxlength="2000">${said ?? ""}</textarea></label><button>${words.replyDo}</button></form>`;
  const handover = html`<form method="post" action="${at("handover")}" class="stacked"><p>${words.handToWhy}</p>
<label>${words.handToWho}<select name="to">${choices(others.map((name) => [name, name]))}</select></label>
<label>${words.handToNote}<input name="note" maxlength="2000" autocomplete="off" value="${handing ?? ""}"></label><button>${words.handToDo}</button></form>`;
  const aside = html`<form method="post" action="${at("snooze")}" class="stacked"><p>${words.asideWhy}</p>
<label>${words.asideUntil}<select name="until">${choices(times)}</select></label><button>${words.asideDo}</button></form>`;
  const back = html`<form method="post" action="${at("snooze")}" class="stacked"><p>${words.asideSince} ${asideMs !== undefined && moment(view, asideMs)}</p>${hidden("until", "now")}<button>${words.asideBack}</button></form>`;
  const late = times.length === 0 ? html`<p>${words.asideTooLate}</p>` : aside;
  const isOpen = said !== undefined || handing !== undefined || asideMs !== undefined;
  return html`<details id="instead"${isOpen && html` open`}><summary>${words.instead}</summary><div class="instead">
<details id="reply"${said !== undefined && html` open`}><summary>${words.reply}</summary>${reply}</details>
<details id="handover"${handing !== undefined && html` open`}><summary>${words.handTo}</summary>${others.length === 0 ? html`<p>${words.handToNobody}</p>` : handover}</details>
<details id="snooze"${asideMs !== undefined && html` open`}><summary>${words.aside}</summary>${asideMs === undefined ? late : back}</details>
</div></details>`;
}

/** What people said about the question besides answering. The element is always there, so that a script can update it. */
export function saidHtml(view: View, { replies = [], handed = [] }: Approval): Html {
  const { words, language } = view;
  const last = handed.at(-1);
  if (replies.length === 0 && last === undefined) return html`<div id="said"></div>`;
  const asked =
    last !== undefined &&
    html`<li>${saidIn(language, handedMessage({ ...last, note: "" }))} ${moment(view, last.atMs)}${last.note !== "" && html`<blockquote>${shown(last.note)}</blockquote>`}</li>`;
  const wrote = replies.map(
    ({ by, text, atMs }) =>
      html`<li><b>${by}</b> ${words.wroteToAgent} ${moment(view, atMs)}<blockquote>${shown(text)}</blockquote></li>`,
  );
  return html`<div id="said" class="panel given"><ul class="reviews">${asked}${wrote}</ul></div>`;
}
