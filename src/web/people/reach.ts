import { type ChannelKind, isChannelKind } from "../../core/channel.ts";
import type { PlainId } from "../../core/messages/message.ts";
import { say } from "../../core/messages/message.ts";
import type { Person } from "../../core/people.ts";
import type { Deps } from "../../gate/deps.ts";
import { kindNamed } from "../../gate/notices/channel-states.ts";
import { sendMailCode } from "../../gate/notices/mail-code.ts";
import { linkMail, setReach, unlinkContact } from "../../gate/people/contacts.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf, personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { linkCodeFor, type ReachView, reachView } from "../../service/reach.ts";
import { orThrow } from "../../service/refusal.ts";
import { parse } from "../../service/shape.ts";
import { ACCOUNT, MAIL_ADDRESS, MAIL_CODE, REACH } from "../../service/shapes/reach.ts";
import { sendingOf } from "../../service/views/channels.ts";
import { fieldsOf, listField } from "../page/fields.ts";
import { button, choices, hidden, provedOr } from "../page/forms.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { devicesPanel } from "./devices.ts";

// Where a person gets notices besides the inbox: their accounts, and when and how they want to get notices.

const AT = "/settings";

export const REACH_PAGE_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: `${AT}/reach`,
    for: ["self"],
    page: true,
    summary: "Chooses channels, quiet hours and language.",
    act: async ({ deps }, asked) => {
      orThrow(await setReach(deps, personOf(asked).name, parse(REACH, await reachFrom(deps, asked))));
      return seeOther(`${AT}?told=reachSaved`);
    },
  },
  {
    method: "POST",
    path: `${AT}/contacts/remove`,
    for: ["self"],
    page: true,
    summary: "Removes a linked account.",
    act: async ({ deps }, asked) => {
      const { name } = personOf(asked);
      const { channel = "", account = "" } = fieldsOf(asked);
      orThrow(await unlinkContact(deps, name, parse(ACCOUNT, { channel, account }), { by: name }));
      return seeOther(`${AT}?told=contactRemoved`);
    },
  },
  {
    method: "POST",
    path: `${AT}/contacts/email`,
    for: ["self"],
    fresh: true,
    page: true,
    summary: "Sends a code to a mail address that is to be linked.",
    act: mailPage,
  },
  {
    method: "POST",
    path: `${AT}/contacts/email/confirm`,
    for: ["self"],
    page: true,
    summary: "Links a mail address with the code that was sent there.",
    act: async ({ deps }, asked) => {
      const { address = "", code = "" } = fieldsOf(asked);
      const given = parse(MAIL_CODE, { address, code });
      orThrow(await linkMail(deps, given.address, given.code, actingOf(asked)));
      return seeOther(`${AT}?told=contactLinked`);
    },
  },
  {
    method: "POST",
    path: `${AT}/contacts/:kind/code`,
    for: ["self"],
    fresh: true,
    page: true,
    summary: "A code to send from the account that is to be linked.",
    act: codePage,
  },
];

/** Channels without a tick are off. The choice for channels that are not set up now stays as it was. */
async function reachFrom(deps: Deps, asked: HttpRequest): Promise<object> {
  const { channels, reach } = await reachView(deps, personOf(asked));
  const on = listField(asked, "on");
  const { from = "", to = "", zone = "", language = "" } = fieldsOf(asked);
  const off = [
    ...channels.flatMap(({ kind }) => (on.includes(kind) ? [] : [kind])),
    ...(reach.off ?? []).filter((kind) => !channels.some((one) => one.kind === kind)),
  ];
  return {
    ...(off.length === 0 ? {} : { off }),
    ...(from === "" && to === "" ? {} : { quiet: { from, to, zone: zone.trim() } }),
    ...(language === "" ? {} : { language }),
  };
}

/** The page with the code, which says what to send to whom. */
async function codePage(serving: Serving, asked: HttpRequest): Promise<Answer> {
  const kind = orThrow(kindNamed(asked.params["kind"] ?? ""));
  const { send, code } = orThrow(await linkCodeFor(serving.deps, kind, actingOf(asked)));
  const view = await viewOf(serving, asked);
  const { words, language } = view;
  const body = html`<section class="narrow panel shown" role="status"><h1>${words.codeTitle}: ${kindText(view, kind)}</h1>
<p><code class="secret" id="code">link ${code}</code> ${copyButton(view, "code")}</p>
<p>${saidIn(language, send)}</p>
<p class="hint">${words.codeWhy}</p>
<p><a class="button" href="${AT}">${words.settings}</a></p></section>`;
  return { ...page(view, { at: AT, title: words.codeTitle, body }), once: true };
}

async function mailPage(serving: Serving, asked: HttpRequest): Promise<Answer> {
  const { address: typed = "" } = fieldsOf(asked);
  const { address } = parse(MAIL_ADDRESS, { address: typed });
  orThrow(await sendMailCode(serving.deps, sendingOf(serving), address, actingOf(asked)));
  const view = await viewOf(serving, asked);
  const { words } = view;
  const body = html`<section class="narrow panel" role="status"><h1>${words.mailSent} ${shown(address)}</h1>
<form method="post" action="${AT}/contacts/email/confirm" class="stacked">${hidden("address", address)}
<label>${words.mailCode}<input name="code" required maxlength="16" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"></label>
<button class="primary">${words.mailConfirm}</button></form></section>`;
  return page(view, { at: AT, title: words.mailConfirm, body });
}

/** A button that copies the text of an element. It appears only where the browser can copy. */
export function copyButton({ words }: View, id: string): Html {
  return html`<button type="button" data-copy="${id}" data-copied="${words.copied}" hidden>${words.copy}</button>`;
}

const KINDS: { readonly [K in ChannelKind]: PlainId<"reach"> } = {
  feishu: "reach.kind_feishu",
  slack: "reach.kind_slack",
  email: "reach.kind_email",
  webhook: "reach.kind_webhook",
  push: "reach.kind_push",
  terminal: "reach.kind_terminal",
};

/** The name of a channel for people. */
export function kindText({ language }: Pick<View, "language">, kind: string): string {
  return isChannelKind(kind) ? saidIn(language, say(KINDS[kind])) : shown(kind);
}

export async function reachHtml(serving: Serving, view: View, person: Person): Promise<Html> {
  const { words } = view;
  const reached = await reachView(serving.deps, person);
  const hasChannels = reached.channels.length > 0;
  return html`<section id="reach"><h2>${words.whereTold}</h2><p>${words.whereToldWhy}</p>
${!hasChannels && html`<p class="empty">${words.noReach}</p>`}
<div class="panels wide">${hasAccounts(reached) && accountsHtml(view, reached)}
${await devicesPanel(serving, view, person)}
${hasChannels && reachForm(view, reached)}</div></section>`;
}

function hasAccounts({ channels, contacts }: ReachView): boolean {
  return channels.some(({ linkedBy }) => linkedBy !== "browser") || contacts.some(({ channel }) => channel !== "push");
}

/** The linked accounts, without browsers, which have a list of their own. */
function accountsHtml(view: View, { channels, contacts: all }: ReachView): Html {
  const { words } = view;
  const contacts = all.filter(({ channel }) => channel !== "push");
  const byCode = channels.filter(({ linkedBy }) => linkedBy === "code");
  const byMail = channels.some(({ linkedBy }) => linkedBy === "mail");
  return html`<section class="panel"><h3>${words.linkedAccounts}</h3>
${contacts.length === 0 ? html`<p class="empty">${words.noAccounts}</p>` : html`<ul class="plain accounts">${contacts.map((one) => html`<li><span><b>${kindText(view, one.channel)}</b> ${shown(one.label)} <small>${words.linkedSince} ${moment(view, one.linkedMs)}</small></span> ${button(`${AT}/contacts/remove`, words.removeAccount, { kind: "danger", hidden: html`${hidden("channel", one.channel)}${hidden("account", one.account)}` })}</li>`)}</ul>`}
${
  (byCode.length > 0 || byMail) &&
  provedOr(
    view,
    AT,
    words.linkWhy,
    html`${byCode.map(({ kind }) => button(`${AT}/contacts/${kind}/code`, `${words.getCode} ${kindText(view, kind)}`))}
${
  byMail &&
  html`<form method="post" action="${AT}/contacts/email" class="stacked"><label>${words.mailAddress}<input name="address" type="email" required maxlength="254" autocomplete="email"></label><button>${words.mailDo}</button></form>`
}`,
  )
}</section>`;
}

function reachForm(view: View, { channels, reach }: ReachView): Html {
  const { words } = view;
  const { quiet, language = "" } = reach;
  const languages = [
    ["", words.languageOfChannel],
    ["en", "English"],
    ["zh", "中文"],
  ] as const;
  return html`<section class="panel"><form method="post" action="${AT}/reach" class="stacked">
<fieldset><legend>${words.reachedBy}</legend>${channels.map(({ kind, off }) => html`<label class="tick"><input type="checkbox" name="on" value="${kind}"${!off && html` checked`}> ${kindText(view, kind)}</label>`)}</fieldset>
<fieldset><legend>${words.quietHours}</legend><p class="hint">${words.quietWhy}</p>
<div class="pair"><label>${words.quietFrom}<input name="from" type="time" value="${quiet?.from ?? ""}"></label><label>${words.quietTo}<input name="to" type="time" value="${quiet?.to ?? ""}"></label></div>
<label>${words.timeZone}<input name="zone" value="${quiet?.zone ?? ""}" data-zone placeholder="Europe/Berlin" autocomplete="off" autocapitalize="none" spellcheck="false"></label></fieldset>
<label>${words.messageLanguage}<select name="language">${choices(languages, language)}</select></label>
<button class="primary">${words.saveReach}</button></form></section>`;
}
