import { CHANNEL_KINDS, type ChannelKind } from "../../core/channel.ts";
import { say } from "../../core/messages/message.ts";
import { answererByLink, listenerOf, type OpenedMessage, openedMessage } from "../../gate/notices/listener.ts";
import { channelNamed, type Sending } from "../../gate/notices/sending.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { nothingAt } from "../../http/connection/address.ts";
import { NOBODY } from "../../http/identity/who.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { orThrow } from "../../service/refusal.ts";
import { anyText, maybe, note, object, oneOf, parse } from "../../service/shape.ts";
import { cardOf } from "../../service/views/cards.ts";
import { hidden } from "../page/forms.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { sentenceIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { wordsOf } from "../words/words.ts";
import { answerBar } from "./answer-bar.ts";
import { cardHtml, classHtml } from "./card.ts";

// The page on which the receiver of a mail answers. Opening the link only shows the question, because mail programs open
// links too. The answer is a form on this page, and counts as an answer of the person to whom the mail was sent.

const AT = "/channels/:name/:notice";

export const MESSAGE_ANSWER_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: AT,
    for: ["anybody"],
    page: true,
    summary: "The question of a message, for whoever has the link of the message. Answers nothing.",
    act: async (serving, request) => {
      const place = await placeOf(serving, request);
      return messagePage(serving, request, await openedBy(serving, place, request.query["secret"]));
    },
  },
  {
    method: "POST",
    path: AT,
    for: ["anybody"],
    page: true,
    summary: "The answer to the question of a message, by the person that the message was sent to.",
    act: answered,
  },
];

const FORM = object({ secret: anyText, verdict: oneOf(["approve", "deny"]), note: maybe(note) });

type Place = { sending: Sending; name: ChannelKind; notice: string };

async function answered(serving: Serving, request: HttpRequest): Promise<Answer> {
  const place = await placeOf(serving, request);
  const { secret, verdict, note: because = "" } = parse(FORM, request.body ?? {});
  const { sending, name, notice } = place;
  const answerer = orThrow(await answererByLink(serving.deps, name, { notice, secret }));
  const pressed = { ...answerer, notice, secret, verdict, note: because };
  const told = await listenerOf(serving.deps, sending, name).answer(pressed);
  if (told.ok) return seeOther(`${request.path}?secret=${encodeURIComponent(secret)}`);
  const { status: _, ...rest } = await messagePage(serving, request, await openedBy(serving, place, secret), told.text);
  return { ...rest, status: 409 };
}

async function placeOf({ deps, sending }: Serving, request: HttpRequest): Promise<Place> {
  const { name, notice = "" } = request.params;
  const kind = CHANNEL_KINDS.find((one) => one === name);
  const found = sending === undefined || kind === undefined ? undefined : await channelNamed(deps, sending, kind);
  if (sending === undefined || kind === undefined || found?.channel.answersBy !== "page") throw nothingAt(request.path);
  return { sending, name: kind, notice };
}

async function openedBy({ deps }: Serving, { name, notice }: Place, secret = ""): Promise<Opened> {
  return { ...orThrow(await openedMessage(deps, name, { notice, secret })), secret };
}

type Opened = OpenedMessage & { secret: string };

/** The whole question, never cut, so that nobody approves something that they did not see. */
async function messagePage(serving: Serving, request: HttpRequest, opened: Opened, refused?: string): Promise<Answer> {
  const { asked: approval, language } = opened;
  const card = await cardOf(serving.deps, approval, language);
  // The page does not show who is signed in in this browser, because the answer does not count as theirs.
  const view = { ...(await viewOf(serving, { ...request, who: NOBODY })), language, words: wordsOf(language) };
  const title = sentenceless(view, "channel.answer_here");
  const body = html`<section class="message-answer"><h1>${title}</h1>
${refused !== undefined && html`<p class="warning" role="alert">${sentenceIn(language, refused)}</p>`}
${cardHtml(card, view, { facts: factsLine(view, opened), tool: undefined })}
${opened.isOpen ? forms(view, request, opened, card.deadline) : closed(view, opened, refused)}
<p><a href="/approvals/${approval.id}">${sentenceless(view, "channel.open")}</a></p></section>`;
  return page(view, { at: "", title, body });
}

function sentenceless({ language }: View, id: "channel.answer_here" | "channel.open" | "channel.until"): string {
  return sentenceIn(language, say(id)).replace(/[.。]$/, "");
}

function factsLine(view: View, { asked }: Opened): Html {
  const { words } = view;
  const { state, answerByMs, openedMs } = asked;
  return html`<p class="facts">${classHtml(view, asked)}${asked.needsHuman && html` <span class="badge">${words.needsHuman}</span>`} <span class="asked">${words.asked} ${moment(view, openedMs)}</span> ${state === "pending" && html`<span>${words.answerIt} ${moment(view, answerByMs)}</span>`}</p>`;
}

function forms(view: View, request: HttpRequest, { person, pressed, outcome, secret }: Opened, deadline: string): Html {
  const { words, language } = view;
  const as = sentenceIn(language, say("channel.answering_as", { person: person.name, account: pressed.account }));
  const fields = (verdict: "approve" | "deny") => html`${hidden("secret", secret)}${hidden("verdict", verdict)}`;
  const { path: action } = request;
  return html`${outcome !== undefined && html`<p>${sentenceIn(language, outcome)}</p>`}<p id="as">${as}</p>
${answerBar(view, {
  approve: { action, fields: fields("approve"), label: words.approve, describedBy: "as follows" },
  deny: { action, fields: fields("deny"), label: words.deny },
  follows: html`<p class="follows" id="follows">${sentenceless(view, "channel.until")}: ${shown(deadline)}</p>`,
})}`;
}

/** The state of the question, or why this message can no longer be used to answer. */
function closed({ words, language }: View, { asked, outcome }: Opened, refused: string | undefined): Html {
  if (outcome !== undefined) return html`<p class="closed" id="outcome">${sentenceIn(language, outcome)}</p>`;
  // The page already says this.
  if (refused !== undefined) return html``;
  if (asked.needsHuman || asked.plan === "wider")
    return html`<p class="closed" id="outcome">${sentenceIn(language, say("channel.needs_sign_in"))}</p>`;
  return html`<p class="closed" id="outcome">${words.notYours}</p>`;
}
