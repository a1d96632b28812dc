import type { SessionSummary } from "../../core/session.ts";
import { leadOfCall } from "../../gate/boxes/seen-changes.ts";
import { openArgs } from "../../gate/calls/args.ts";
import { callAt } from "../../gate/calls/call-at.ts";
import { listSessions } from "../../gate/calls/session-list.ts";
import type { Deps } from "../../gate/deps.ts";
import type { Answer } from "../../http/answer.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { shown } from "../page/text.ts";
import type { View } from "../page/view.ts";

export const SESSION_PAGE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/sessions",
    for: ["read"],
    page: true,
    summary: "The agents' sessions: which wait for an answer, which go on, and which have ended.",
    act: sessionsPage,
  },
];

const LISTED = 200;

async function sessionsPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const view = await viewOf(serving, request);
  const { words } = view;
  const found = await listSessions(serving.deps);
  const waiting = found.filter(({ state }) => state === "waiting").length;
  const rows: Html[] = [];
  for (const one of found.slice(0, LISTED)) rows.push(await sessionRow(serving.deps, view, one));
  const body = html`<h1>${words.sessions} <small>${waiting > 0 && `${waiting} ${words.sessionsWait}`}</small></h1>
${
  found.length === 0
    ? html`<p class="empty">${words.noSessions}</p>`
    : html`<div class="scroll"><table class="stack sessions"><thead><tr><th scope="col">${words.sessionState}</th><th scope="col">${words.sessionAgent}</th><th scope="col">${words.lastCall}</th><th scope="col">${words.sessionFolder}</th><th scope="col">${words.session}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
${found.length > LISTED && html`<p><small>${LISTED} / ${found.length}</small></p>`}`;
  return page(view, { at: "/sessions", title: words.sessions, body });
}

async function sessionRow(deps: Deps, view: View, one: SessionSummary): Promise<Html> {
  const { words } = view;
  const session = encodeURIComponent(one.session);
  return html`<tr class="${one.state}"><td>${stateHtml(view, one)}</td><td data-label="${words.sessionAgent}"><a href="/agents/${encodeURIComponent(one.agent)}">${shown(one.agent)}</a></td><td data-label="${words.lastCall}">${await lastCallHtml(deps, view, one)}${moment(view, one.lastMs)}</td><td data-label="${words.sessionFolder}">${one.cwd !== undefined && html`<code>${shown(one.cwd)}</code>`}</td><td class="id" data-label="${words.session}"><a href="/activity?session=${session}" title="${words.sessionRecord}: ${shown(one.session)}">${shown(one.session)}</a></td></tr>`;
}

/** Only a session that waits for somebody is in colour, and leads to its questions. */
function stateHtml({ words }: View, { state, session, questions }: SessionSummary): Html {
  if (state === "waiting")
    return html`<a class="badge" href="/?session=${encodeURIComponent(session)}">${words.waitsForYou} (${questions})</a>`;
  return html`<span class="badge quiet">${state === "active" ? words.sessionActive : words.sessionFinished}</span>`;
}

/** The command or the tool with its main argument, as in the record; only the tool if the arguments were erased. */
async function lastCallHtml(deps: Deps, { language }: View, { lastCall, lastTool }: SessionSummary): Promise<Html> {
  if (lastCall === undefined || lastTool === undefined) return html``;
  const row = await callAt(deps, lastCall);
  const opened = row === undefined ? undefined : openArgs(row);
  const lead =
    row !== undefined && opened?.ok === true ? await leadOfCall(deps, opened.call, language) : shown(lastTool);
  return html`<a href="/calls/${lastCall}"><code>${lead}</code></a> `;
}
