import { CHANNEL_KINDS, type ChannelKind, isChannelKind, placeIn } from "../../core/channel.ts";
import type { Deps } from "../../gate/deps.ts";
import { kindNamed } from "../../gate/notices/channel-states.ts";
import { deadNotices, retryNotice } from "../../gate/notices/dead-notices.ts";
import { draftSettings, tryChannel, tryDraft } from "../../gate/notices/try-channel.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf, personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { LeewayRefusal, orThrow } from "../../service/refusal.ts";
import { type ChannelView, channelViews, sendingOf } from "../../service/views/channels.ts";
import { button, provedOr } from "../page/forms.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { backToForm } from "../page/refused.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { copyButton, kindText } from "../people/reach.ts";
import { channelForm, linesHtml, shownAgain, triedHtml, valuesFrom } from "./channel-form.ts";

// The channels of this server: the state of each, tests, notices that were given up, and a form for another channel.

const AT = "/channels";

export const CHANNEL_PAGE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: AT,
    for: ["read"],
    page: true,
    summary: "How the channels stand, and what they could not deliver.",
    act: (serving, asked) => channelsPage(serving, asked),
  },
  {
    method: "POST",
    path: `${AT}/:kind/test`,
    for: ["admin"],
    page: true,
    summary: "Tries a channel and sends a test message.",
    act: async (serving, asked) => {
      const kind = orThrow(kindNamed(asked.params["kind"] ?? ""));
      const { by } = actingOf(asked);
      const tried = orThrow(await tryChannel(serving.deps, sendingOf(serving), kind, by));
      return channelsPage(serving, asked, { kind, show: (view) => triedHtml(view, tried) });
    },
  },
  {
    method: "POST",
    path: `${AT}/:kind/set-up`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Tries settings of a channel and shows the lines for the policy file. Stores nothing.",
    act: setUpPage,
  },
  {
    method: "POST",
    path: `${AT}/notices/:id/retry`,
    for: ["admin"],
    page: true,
    summary: "Sends a given-up notice again.",
    act: async ({ deps }, asked) => {
      orThrow(await retryNotice(deps, asked.params["id"] ?? "", { by: personOf(asked).name }));
      return seeOther(`${AT}?told=retried`);
    },
  },
];

async function setUpPage(serving: Serving, asked: HttpRequest): Promise<Answer> {
  const { deps } = serving;
  const kind = orThrow(kindNamed(asked.params["kind"] ?? ""));
  const values = valuesFrom(asked, kind);
  const typed = shownAgain(kind, values);
  const drafted = draftSettings(deps, kind, values);
  if (!drafted.ok)
    return backToForm(serving, asked, {
      why: new LeewayRefusal(drafted),
      to: `${AT}?kind=${kind}`,
      fields: typed,
    });
  const tried = await tryDraft(deps, sendingOf(serving), drafted.value.settings, actingOf(asked).by);
  const view = await viewOf(serving, asked);
  const { words } = view;
  const title = `${words.setUpChannel}: ${kindText(view, kind)}`;
  const body = html`<p class="crumbs"><a href="${AT}">${words.channels}</a></p><h1>${title}</h1>
${triedHtml(view, tried)}
${linesHtml(view, drafted.value)}
<section class="panel"><h2>${words.tryAnother}</h2>${channelForm(view, kind, typed)}</section>`;
  return page(view, { at: "/settings", title, body });
}

/** The result of a test, and the channel that was tested. */
type Shown = { kind: ChannelKind; show(view: View): Html };

async function channelsPage(serving: Serving, asked: HttpRequest, tried?: Shown): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, asked);
  const { words, admin, mayAct } = view;
  const channels = await channelViews(deps, sendingOf(serving));
  const isAdmin = admin && mayAct;
  const body = html`<p class="crumbs"><a href="/settings">${words.settings}</a></p><h1>${words.channels}</h1><p>${words.channelsLead}</p>
${tried !== undefined && html`<h2>${kindText(view, tried.kind)}</h2>${tried.show(view)}`}
${channels.length === 0 && html`<p class="empty">${words.noChannels}</p>`}
<div class="panels wide">${channels.map((channel) => channelPanel(view, channel, { isAdmin }))}</div>
${isAdmin && (await deadHtml(deps, view))}
${isAdmin && setUpHtml(view, asked.query["kind"])}`;
  return page(view, { at: "/settings", title: words.channels, body });
}

function channelPanel(view: View, channel: ChannelView, { isAdmin }: { isAdmin: boolean }): Html {
  const { words } = view;
  const { kind, secrets, waiting, dead, callback } = channel;
  return html`<section class="panel"><h2>${kindText(view, kind)}</h2>
<dl class="facts-list"><div><dt>${words.channelSecrets}</dt><dd>${
    secrets.length === 0
      ? words.noSecrets
      : html`<ul class="plain">${secrets.map(({ key, at, found }) => html`<li><code>${key}</code> <code>${shown(at)}</code> ${found ? words.secretFound : html`<strong class="grave">${words.secretMissing}</strong>`}</li>`)}</ul>`
  }</dd></div>
<div><dt>${words.lastDelivery}</dt><dd>${lastHtml(view, channel)}</dd></div>
${connectionHtml(view, channel)}
<div><dt>${words.toSend}</dt><dd>${waiting}</dd></div><div><dt>${words.givenUp}</dt><dd>${dead}</dd></div></dl>
${callback !== undefined && callbackHtml(view, kind, callback)}
${isAdmin && button(`${AT}/${kind}/test`, words.testChannel)}</section>`;
}

/** Of channels whose answers come over a connection that this server opens. */
function connectionHtml(view: View, { connection }: ChannelView): Html | false {
  const { words } = view;
  if (connection === undefined) return false;
  const { failure, atMs } = connection;
  const stands =
    failure === undefined
      ? words.connectionOpen
      : html`<strong class="grave">${words.connectionFailed}</strong> ${shown(failure)}`;
  return html`<div><dt>${words.connection}</dt><dd>${stands} (${moment(view, atMs)})</dd></div>`;
}

function lastHtml(view: View, { last }: ChannelView): Html | string {
  const { words } = view;
  if (last === undefined) return words.noDelivery;
  if (last.failure === undefined) return html`${words.deliveryWorked}, ${moment(view, last.atMs)}`;
  return html`<strong class="grave">${words.deliveryFailed}</strong> ${shown(last.failure)} (${moment(view, last.atMs)})`;
}

function callbackHtml(view: View, kind: ChannelKind, callback: string): Html {
  const { words } = view;
  const isLocal = !callback.startsWith("https:");
  return html`<h3>${words.callback}</h3><p><code id="callback-${kind}">${callback}</code> ${copyButton(view, `callback-${kind}`)}</p><p class="hint">${isLocal ? words.callbackLocal : words.callbackWhy}</p>`;
}

async function deadHtml(deps: Deps, view: View): Promise<Html> {
  const { words, language } = view;
  const dead = await deadNotices(deps);
  if (dead.length === 0) return html`<h2>${words.deadTitle}</h2><p class="empty">${words.noDead}</p>`;
  return html`<h2>${words.deadTitle}</h2><p>${words.deadLead}</p>
<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.what}</th><th scope="col">${words.toWhom}</th><th scope="col">${words.channelWord}</th><th scope="col">${words.givenUpWhy}</th><th scope="col">${words.when}</th><th scope="col">${words.acts}</th></tr></thead>
<tbody>${dead.map(
    ({ id, title, kind, to, channel, why, atMs }) =>
      html`<tr><td>${title === "" ? kind : saidIn(language, title)}</td><td data-label="${words.toWhom}">${shown(placeIn(to) ?? to)}</td><td>${kindText(view, channel)}</td><td data-label="${words.givenUpWhy}">${saidIn(language, why)}</td><td>${moment(view, atMs)}</td><td>${button(`${AT}/notices/${id}/retry`, words.retryDo)}</td></tr>`,
  )}</tbody></table></div>`;
}

function setUpHtml(view: View, chosen: string | undefined): Html {
  const { words, refused } = view;
  const open = chosen !== undefined && isChannelKind(chosen) ? chosen : undefined;
  const typedOf = (kind: ChannelKind) => (refused?.action === `${AT}/${kind}/set-up` ? refused.fields : {});
  return html`<section id="set-up"><h2>${words.setUpChannel}</h2><p>${words.setUpLead}</p>
${provedOr(
  view,
  AT,
  words.setUpProve,
  html`${CHANNEL_KINDS.map((kind) => html`<details class="panel fold"${kind === open && html` open`}><summary>${kindText(view, kind)}</summary>${channelForm(view, kind, typedOf(kind))}</details>`)}`,
)}</section>`;
}
