import { say } from "../../core/messages/message.ts";
import type { Person } from "../../core/people.ts";
import { browserText } from "../../core/show/browser.ts";
import type { Deps } from "../../gate/deps.ts";
import { setPassphrase } from "../../gate/people/people.ts";
import { endSignIn, listSignIns } from "../../gate/people/sign-in.ts";
import { listPauses, setPause } from "../../gate/standing/pause.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf, hereOf, personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { pausesOf } from "../../service/people.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import { scopeText } from "../activity/pause-scope.ts";
import { fieldsOf } from "../page/fields.ts";
import { button, provedOr } from "../page/forms.ts";
import { LANGUAGE_COOKIE, moment, page, pauseForm, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { passkeysHtml } from "./passkeys.ts";
import { reachHtml } from "./reach.ts";

const AT = "/settings";
const YEAR_S = 365 * 24 * 3600;

export const SETTINGS_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: AT,
    for: ["read"],
    page: true,
    summary: "Language, sign-ins, passphrase, and the switch that stops everything.",
    act: settingsPage,
  },
  {
    method: "POST",
    path: `${AT}/language`,
    for: ["read"],
    page: true,
    summary: "Chooses the language of this browser.",
    act: async ({ cookie }, request) => {
      const { language } = fieldsOf(request);
      if (language !== "en" && language !== "zh")
        throw badInput("language", say("refusal.language_unknown"), say("hint.languages"));
      const secure = cookie.secure ? "; Secure" : "";
      const text = `${LANGUAGE_COOKIE}=${language}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${YEAR_S}${secure}`;
      return seeOther(AT, { "set-cookie": text });
    },
  },
  {
    method: "POST",
    path: `${AT}/sign-ins/:id/end`,
    for: ["self"],
    page: true,
    summary: "Ends one of your own sign-ins.",
    act: async ({ deps }, request) => {
      orThrow(await endSignIn(deps, request.params["id"] ?? "", { by: personOf(request).name }));
      return seeOther(`${AT}?told=signInEnded`);
    },
  },
  {
    method: "POST",
    path: `${AT}/passphrase`,
    for: ["self"],
    fresh: true,
    page: true,
    summary: "Sets your own passphrase.",
    act: async ({ deps }, request) => {
      const { passphrase = "", again = "" } = fieldsOf(request);
      if (passphrase !== again) throw badInput("again", say("refusal.not_the_same"), say("hint.type_twice"));
      orThrow(
        await setPassphrase(deps, personOf(request).name, { ...actingOf(request), ...hereOf(request), passphrase }),
      );
      return seeOther(`${AT}?told=passphraseSet`);
    },
  },
  {
    method: "POST",
    path: `${AT}/pause`,
    for: ["act"],
    page: true,
    summary: "Pauses everything.",
    act: async ({ deps }, request) => {
      const { because = "" } = fieldsOf(request);
      const { by } = actingOf(request);
      const why = because.trim() === "" ? say("reason.none_given") : because;
      orThrow(await setPause(deps, { scope: { of: "everything" }, because: why, by }));
      return seeOther(`${AT}?told=pausedNow`);
    },
  },
  {
    method: "POST",
    path: `${AT}/pauses/:id/lift`,
    for: ["act"],
    fresh: true,
    page: true,
    summary: "Ends a pause.",
    act: async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      await pausesOf(deps, sure).resume(request.params["id"] ?? "", { by });
      return seeOther(`${AT}?told=resumed`);
    },
  },
];

async function settingsPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, request);
  const { words, language, mayAct } = view;
  // Everybody manages their own sign-in, also an auditor; but not with a token.
  const isSelf = request.who.is === "person" && request.who.mayAct;
  const madeBy = request.who.is === "person" ? request.who.madeBy : undefined;
  const body = html`<div class="head"><h1>${words.settings}</h1><form method="post" action="${AT}/language" class="row" aria-label="${words.language}">
<button name="language" value="en" lang="en"${language === "en" && html` aria-pressed="true" class="chosen"`}>English</button> <button name="language" value="zh" lang="zh-CN"${language === "zh" && html` aria-pressed="true" class="chosen"`}>中文</button></form></div>
<p><a href="/channels">${words.channelsLink}</a></p>
${madeBy !== undefined && html`<p class="warning">${words.passphraseIsTheirs} ${shown(madeBy)}. ${words.passphraseIsTheirsMore}</p>`}
<div class="panels">
${mayAct && (await killSwitch(deps, view))}
${isSelf && signInPanel(view, personOf(request))}
</div>
${isSelf && (await reachHtml(serving, view, personOf(request)))}
${await signIns(deps, view, request, { mayEnd: isSelf })}`;
  return page(view, { at: AT, title: words.settings, body });
}

/** Everybody who may answer may pause; lifting a pause needs a fresh sign-in. */
async function killSwitch(deps: Deps, view: View): Promise<Html> {
  const { words } = view;
  const pauses = await listPauses(deps);
  const isAll = pauses.some(({ scope }) => scope.of === "everything");
  return html`<section class="panel kill"><h2>${words.pauseEverything}</h2>
${
  pauses.length > 0 &&
  html`<ul class="plain">${pauses.map(
    ({ id, scope, because, by, setMs }) =>
      html`<li><b>${scopeText(words, scope)}</b>: ${saidIn(view.language, because)} (${by}, ${moment(view, setMs)}) ${provedOr(view, AT, words.resumeWhy, button(`${AT}/pauses/${id}/lift`, words.lift))}</li>`,
  )}</ul>`
}
${!isAll && pauseForm(words)}</section>`;
}

function signInPanel(view: View, person: Person): Html {
  const { words } = view;
  return html`<section class="panel"><h2>${words.howYouSignIn}</h2>
${passkeysHtml(view, person)}
<h3>${words.newPassphrase}</h3>${provedOr(
    view,
    AT,
    words.newPassphraseWhy,
    html`<form method="post" action="${AT}/passphrase" class="stacked">
<label>${words.passphrase}<input name="passphrase" type="password" autocomplete="new-password" minlength="8" required></label>
<label>${words.onceMore}<input name="again" type="password" autocomplete="new-password" minlength="8" required></label>
<button>${words.setPassphrase}</button></form>`,
  )}</section>`;
}

async function signIns(deps: Deps, view: View, request: HttpRequest, { mayEnd }: { mayEnd: boolean }): Promise<Html> {
  const { words } = view;
  const live = await listSignIns(deps, personOf(request).name);
  const here = request.who.is === "person" ? request.who.signIn?.id : undefined;
  return html`<h2>${words.whereSignedIn}</h2>
<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.browser}</th><th scope="col">${words.since}</th><th scope="col">${words.provedBy}</th><th scope="col">${words.ends}</th><th scope="col">${words.acts}</th></tr></thead>
<tbody>${live.map(
    ({ id, browser, startedMs, untilMs, assurance }) =>
      html`<tr><td>${shown(browserText(browser))}${id === here && html` <span class="badge here">${words.thisOne}</span>`}</td><td>${moment(view, startedMs)}</td><td>${words[`sure_${assurance}`]}</td><td>${moment(view, untilMs)}</td><td>${mayEnd && button(`${AT}/sign-ins/${id}/end`, words.endThis, { kind: "danger" })}</td></tr>`,
  )}</tbody></table></div>`;
}
