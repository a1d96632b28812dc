import type { SessionSummary } from "../../core/session.ts";
import { listSessions } from "../../gate/calls/session-list.ts";
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
  const body = html`<h1>${words.sessions} <small>${waiting > 0 && `${waiting} ${words.sessionsWait}`}</small></h1>
${
  found.length === 0
    ? html`<p class="empty">${words.noSessions}</p>`
    : html`<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.sessionState}</th><th scope="col">${words.agent}</th><th scope="col">${words.session}</th><th scope="col">${words.lastCall}</th><th scope="col">${words.sessionFolder}</th></tr></thead><tbody>${found.slice(0, LISTED).map((one) => sessionRow(view, one))}</tbody></table></div>`
}
${found.length > LISTED && html`<p><small>${LISTED} / ${found.length}</small></p>`}`;
  return page(view, { at: "/sessions", title: words.sessions, body });
}

function sessionRow(view: View, one: SessionSummary): Html {
  const { words } = view;
  const state =
    one.state === "waiting"
      ? html`<a class="badge waits" href="/?agent=${encodeURIComponent(one.agent)}">${words.waitsForYou} (${one.questions})</a>`
      : html`<span class="badge">${one.state === "active" ? words.sessionActive : words.sessionFinished}</span>`;
  return html`<tr><td>${state}</td><td data-label="${words.agent}"><a href="/agents/${encodeURIComponent(one.agent)}">${shown(one.agent)}</a></td><td data-label="${words.session}"><code>${shown(one.session)}</code></td><td data-label="${words.lastCall}">${one.lastTool !== undefined && html`${shown(one.lastTool)}, `}${moment(view, one.lastMs)}</td><td data-label="${words.sessionFolder}">${one.cwd !== undefined && html`<code>${shown(one.cwd)}</code>`}</td></tr>`;
}
