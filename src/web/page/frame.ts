import type { Pause } from "../../core/standing/standing.ts";
import { countDeadNotices, countWaiting } from "../../gate/counts.ts";
import type { Deps } from "../../gate/deps.ts";
import type { Answer } from "../../http/answer.ts";
import { cookieOf } from "../../http/identity/who.ts";
import type { RefusedForm } from "../../http/kept-forms.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Serving } from "../../http/route.ts";
import { baseOf } from "../../http/workspaces.ts";
import { assetPath } from "../assets.ts";
import { type Language, languageOf, TOLD, type Words, wordsOf } from "../words/words.ts";
import { type Html, html, type Part, trusted } from "./html.ts";
import { keysDialog, newsHtml } from "./keys.ts";
import { inOrAgo, saidIn, sentenceIn, shown } from "./text.ts";
import type { View } from "./view.ts";

export const LANGUAGE_COOKIE = "leeway-language";

/** The language of the page for this request. */
export function languageFor({ headers }: HttpRequest): Language {
  return languageOf(cookieOf(headers["cookie"], LANGUAGE_COOKIE), headers["accept-language"]);
}

export async function viewOf(serving: Serving, request: HttpRequest): Promise<View> {
  const { deps, inTheClear, kept } = serving;
  const { who } = request;
  const place = placeOf(serving, request);
  const language = languageFor(request);
  const words = wordsOf(language);
  const nowMs = deps.clock.nowMs();
  if (who.is !== "person")
    return {
      words,
      language,
      admin: false,
      mayAct: false,
      fresh: false,
      pending: 0,
      paused: false,
      warnings: [],
      ...place,
      nowMs,
    };
  const { name, admin, auditor } = who.person;
  const pending = await countWaiting(deps, name);
  const told = toldOf(request.query["told"], words);
  const refused = kept.refusal(request, request.query["refused"]);
  const { pauses } = await deps.standing.current();
  return {
    words,
    language,
    person: name,
    admin,
    mayAct: who.mayAct && !auditor,
    fresh: who.fresh,
    pending,
    paused: pauses.some(({ scope }) => scope.of === "everything"),
    warnings: [
      ...(inTheClear && admin ? [words.inTheClear] : []),
      ...(await warningsOf(deps, { words, language, nowMs })),
    ],
    ...(told === undefined ? {} : { told }),
    ...(refused === undefined ? {} : { refused }),
    ...place,
    nowMs,
  };
}

/**
 * Nothing, if there is one workspace. The others are those for which the browser has a cookie: whether the cookie is still
 * good is seen there, and nobody is told of a workspace to which they do not belong.
 */
function placeOf({ deps, others }: Serving, { headers }: HttpRequest): Pick<View, "place"> {
  const beside = others();
  if (beside.length === 0) return {};
  const known = beside.filter(({ cookie }) => cookieOf(headers["cookie"], cookie) !== undefined);
  return { place: { workspace: deps.workspace, others: known.map(({ workspace }) => workspace) } };
}

/** Only known messages: an address cannot make a page show other text. */
function toldOf(name: string | undefined, words: Words): string | undefined {
  return TOLD.find((known) => known === name) && words[name as (typeof TOLD)[number]];
}

/** Warnings for every page if the gate is open, closed or unreachable by mistake. */
async function warningsOf(deps: Deps, view: Pick<View, "words" | "language" | "nowMs">): Promise<readonly Part[]> {
  const { words } = view;
  const { layers, pauses } = await deps.standing.current();
  const dead = await countDeadNotices(deps);
  return [
    ...(layers.noPolicy === undefined ? [] : [words.noPolicy]),
    ...pauses.flatMap((pause) => (pause.scope.of === "everything" ? [pauseHtml(view, pause)] : [])),
    ...(dead === 0 ? [] : [html`${words.deadNotices} <a href="/channels">${words.channels}</a>`]),
  ];
}

/** Who paused everything, when and why, and where to lift the pause. */
function pauseHtml(view: Pick<View, "words" | "language" | "nowMs">, { by, because, setMs }: Pause): Html {
  const { words, language } = view;
  return html`<strong>${words.paused}</strong> ${words.pausedBy} ${shown(by)}, ${moment(view, setMs)}: ${saidIn(language, because)} <a href="/settings">${words.liftIn}</a>`;
}

const PAGES = [
  ["/", "inbox"],
  ["/sessions", "sessions"],
  ["/activity", "activity"],
  ["/agents", "agents"],
  ["/grants", "grants"],
  ["/policy", "policy"],
  ["/mcp", "mcp"],
  ["/people", "people"],
  ["/settings", "settings"],
] as const;

/** A whole page. `at` is the path of the page that is marked as the current one. */
export function page(view: View, given: { at: string; title: string; body: Part; bodyClass?: string }): Answer {
  const { words, language, pending } = view;
  const count = pending > 0 ? `(${pending}) ` : "";
  const document = html`<!doctype html>
<html lang="${language === "zh" ? "zh-CN" : "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${count}${given.title} · Leeway</title>
<link rel="stylesheet" href="${assetPath("style.css")}">
<link rel="icon" href="${assetPath("icon.svg")}" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest">
${script()}
</head>
<body class="${given.bodyClass ?? ""}">
<a class="skip" href="#content">${words.skip}</a>
${view.person === undefined ? html`<header class="brand">Leeway${view.place !== undefined && html` <span class="place">${view.place.workspace}</span>`}</header>` : header(view, given.at)}
${view.warnings.map((text) => html`<p class="warning" role="alert">${text}</p>`)}
<main id="content" tabindex="-1">${view.told !== undefined && html`<p class="told" role="status">${view.told}</p>`}${view.refused !== undefined && refusedHtml(view, view.refused)}
${given.body}</main>
${
  view.person !== undefined &&
  html`${newsHtml(view)}
${keysDialog(view)}`
}
</body>
</html>`;
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: document.html };
}

/** Why a form was refused. The script finds the form by its address and fills in what was typed. */
export function refusedHtml({ words, language }: View, { action, code, reason, hint }: RefusedForm): Html {
  return html`<div class="warning grave" role="alert" id="refused" data-action="${action}"><strong>${words.notDone}</strong> ${sentenceIn(language, reason)} ${sentenceIn(language, hint)} <small>${code}</small></div>`;
}

/**
 * Not in a tagged template: bundlers rewrite a template that contains a closing script tag, with a helper that is not
 * installed.
 */
function script(): Html {
  return trusted(`<script type="module" src="${assetPath("app.js")}"></script>`);
}

function header(view: View, at: string): Html {
  const { words, person, pending } = view;
  return html`<header class="top">
<a class="mark" href="/">Leeway</a>
${placeHtml(view)}
<nav aria-label="Leeway">${PAGES.map(
    ([path, name]) =>
      html`<a href="${path}"${path === at && html` aria-current="page"`}>${words[name]}${path === "/" && html` <span class="count" id="count">${pending > 0 && pending}</span>`}</a>`,
  )}</nav>
${stopControl(view)}
<form method="post" action="/sign-out" class="me"><span>${person}</span> <button class="quiet">${words.signOut}</button></form>
<button type="button" class="quiet" id="show-keys" aria-haspopup="dialog" aria-label="${words.keysShow}" title="${words.keysShow}" hidden>?</button>
<p id="lost" class="lost" role="status" data-lost="${words.newsLost}"></p>
</header>`;
}

/** In which workspace the person is, and the way to the others. */
function placeHtml({ words, place }: View): Html | undefined {
  if (place === undefined) return undefined;
  const { workspace, others } = place;
  return html`<details class="place"><summary title="${words.workspace}" aria-label="${words.workspace} ${workspace}">${workspace}</summary><div class="stacked">
${others.map((name) => html`<a href="${baseOf(name)}/">${name}</a>`)}
${otherWorkspaceForm({ words })}</div></details>`;
}

/** The names of workspaces are not listed: a person knows those to which they belong. */
export function otherWorkspaceForm({ words }: Pick<View, "words">): Html {
  return html`<form method="get" action="/workspace" class="stacked"><label>${words.otherWorkspace}<input name="name" autocapitalize="none" autocomplete="off" required></label><button>${words.goThere}</button></form>`;
}

/** Pausing takes two clicks on every page: one shows the button, the next pauses. Lifting is in the settings. */
function stopControl({ words, mayAct, paused }: View): Html | undefined {
  if (!mayAct) return undefined;
  if (paused) return html`<a class="stop" href="/settings">${words.pausedShort}</a>`;
  return html`<details class="stop"><summary>${words.pauseShort}</summary>${pauseForm(words)}</details>`;
}

/** A reason is optional, because the person is in a hurry; who did it is recorded anyway. */
export function pauseForm(words: Words): Html {
  return html`<form method="post" action="/settings/pause" class="stacked"><p>${words.pauseEverythingWhy}</p><label>${words.becauseMaybe}<input name="because" maxlength="2000" autocomplete="off"></label><button class="danger">${words.pauseEverythingDo}</button></form>`;
}

/** A relative time; the exact time is in its title, where a script converts it to local time. */
export function moment({ language, nowMs }: Pick<View, "language" | "nowMs">, atMs: number): Html {
  const iso = new Date(atMs).toISOString();
  return html`<time datetime="${iso}" title="${iso}">${inOrAgo(language, atMs, nowMs)}</time>`;
}
