import type { Agent } from "../../core/people.ts";
import type { Pause, Promotion } from "../../core/standing/standing.ts";
import { countPending } from "../../gate/counts.ts";
import type { Deps } from "../../gate/deps.ts";
import { trustOf } from "../../gate/record/trust.ts";
import { listAgents } from "../../gate/standing/agents.ts";
import type { Answer } from "../../http/answer.ts";
import { personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { agentsOf } from "../../service/people.ts";
import { tierChip } from "../activity/why.ts";
import { narrowedOf, waitingOf } from "../inbox/waiting.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { AGENT_ACT_ROUTES, actForms } from "./agent-acts.ts";
import { recordHtml } from "./record.ts";
import { declarationsHtml, TOOL_ROUTES } from "./tools.ts";

export const AGENT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/agents",
    for: ["read"],
    page: true,
    summary: "Every agent that has made a call, with its promotions and demotions.",
    act: agentsPage,
  },
  {
    method: "GET",
    path: "/agents/:name",
    for: ["read"],
    page: true,
    summary: "One agent: its promotions and demotions, its record, and possible actions.",
    act: agentPage,
  },
  ...AGENT_ACT_ROUTES,
  ...TOOL_ROUTES,
];

const LISTED = 200;
const SEARCHED_FROM = 10;

async function agentsPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, request);
  const { words } = view;
  const { q = "" } = request.query;
  const agents = await listAgents(deps);
  const fitting = agents.filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase()));
  const rows = await Promise.all(fitting.slice(0, LISTED).map((agent) => agentRow(deps, view, agent)));
  const body = html`<h1>${words.agents} <small>${agents.length}</small></h1>
${agents.length > SEARCHED_FROM && html`<form method="get" action="/agents" class="filters" role="search"><label>${words.search}<input name="q" type="search" value="${q}" maxlength="512" autocapitalize="none"></label><button>${words.filter}</button></form>`}
${
  rows.length === 0
    ? html`<p class="empty">${agents.length === 0 ? words.noAgents : words.nothingFits}</p>`
    : html`<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.agent}</th><th scope="col">${words.owner}</th><th scope="col">${words.leeway}</th><th scope="col" class="number">${words.waitingNow}</th><th scope="col">${words.firstCall}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
${fitting.length > LISTED && html`<p><small>${LISTED} / ${fitting.length}</small></p>`}
${await declarationsHtml(deps, view)}`;
  return page(view, { at: "/agents", title: words.agents, body });
}

async function agentRow(deps: Deps, view: View, agent: Agent): Promise<Html> {
  const { words } = view;
  const pending = await countPending(deps, agent.name);
  const standing = await standingOf(deps, agent.name);
  return html`<tr><td><a href="/agents/${encodeURIComponent(agent.name)}"><b>${shown(agent.name)}</b></a></td><td data-label="${words.owner}">${agent.owner ?? words.theAdmins}</td><td data-label="${words.leeway}">${leeway(view, standing)}</td><td class="number" data-label="${words.waitingNow}">${pending}</td><td data-label="${words.firstCall}">${moment(view, agent.registeredMs)}</td></tr>`;
}

type AgentStanding = { moves: readonly Promotion[]; pauses: readonly Pause[] };

async function standingOf(deps: Deps, name: string): Promise<AgentStanding> {
  const { rows, pauses } = await deps.standing.current();
  const nowMs = deps.clock.nowMs();
  const moves = rows.promotions.filter(
    (one) => one.agent === name && (one.untilMs === undefined || one.untilMs > nowMs),
  );
  return {
    moves: newestOfEach(moves),
    pauses: pauses.filter(({ scope }) => scope.of === "agent" && scope.name === name),
  };
}

/** For each class the newest promotion or demotion applies. */
function newestOfEach(moves: readonly Promotion[]): readonly Promotion[] {
  const newest = new Map<string, Promotion>();
  for (const move of [...moves].sort((a, b) => a.atMs - b.atMs)) newest.set(move.class ?? "", move);
  return [...newest.values()];
}

function leeway(view: View, { moves, pauses }: AgentStanding): Html {
  const { words } = view;
  if (pauses.length > 0) return html`<span class="badge">${words.isPaused}</span>`;
  if (moves.length === 0) return html`${words.asPolicySays}`;
  return html`${moves.map((move) => html`${tierChip(move.tier)} ${move.class ?? words.ingeneral} `)}`;
}

async function agentPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, request);
  const { words } = view;
  const agent = await agentsOf(deps).get(request.params["name"] ?? "");
  const standing = await standingOf(deps, agent.name);
  const record = await trustOf(deps, agent.name);
  const name = encodeURIComponent(agent.name);
  const body = html`<p class="crumbs"><a href="/agents">${words.agents}</a></p>
<h1>${shown(agent.name)} ${standing.pauses.length > 0 && html`<span class="badge">${words.isPaused}</span>`}</h1>
<dl class="facts-list"><dt>${words.owner}</dt><dd>${agent.owner ?? words.theAdmins}</dd><dt>${words.firstCall}</dt><dd>${moment(view, agent.registeredMs)}</dd>
<dt>${words.waitingNow}</dt><dd>${await waitingHtml(deps, view, request, agent.name)}</dd>
<dt>${words.leeway}</dt><dd>${standing.moves.length === 0 ? words.asPolicySays : html`<ul class="plain">${standing.moves.map((move) => moveLine(view, move))}</ul>`}</dd></dl>
${standing.pauses.map((pause) => html`<p class="warning">${words.isPaused}: ${saidIn(view.language, pause.because)} (${pause.by}, ${moment(view, pause.setMs)})</p>`)}
<p><a href="/activity?agent=${name}">${words.itsActivity}</a> · <a href="/?agent=${name}">${words.itsQuestions}</a></p>
${await recordHtml(deps, view, record)}
${view.mayAct && actForms(view, agent, standing.pauses, await peopleNames(deps))}`;
  return page(view, { at: "/agents", title: shown(agent.name), body });
}

/** Its open questions that the reader has not put aside, the one that expires first at the top. */
const WAITING_SHOWN = 5;

async function waitingHtml(deps: Deps, view: View, request: HttpRequest, agent: string): Promise<Html> {
  const reader = { person: personOf(request).name, language: view.language };
  const { lines } = await waitingOf(deps, narrowedOf({ agent }), reader);
  const shownFirst = lines.slice(0, WAITING_SHOWN);
  const count = await countPending(deps, agent);
  const more = count - shownFirst.length;
  if (count === 0) return html`0`;
  return html`<ul class="plain">${shownFirst.map(
    ({ approval, headline }) => html`<li><a href="/approvals/${approval.id}"><code>${headline.lead}</code></a></li>`,
  )}${more > 0 && html`<li><a href="/?agent=${encodeURIComponent(agent)}">+${more}</a></li>`}</ul>`;
}

function moveLine(view: View, move: Promotion): Html {
  const { words } = view;
  const { tier, by, because, untilMs } = move;
  return html`<li>${tierChip(tier)} ${move.class ?? words.ingeneral}, ${by}: ${shown(because)}${untilMs !== undefined && html` (${words.until} ${moment(view, untilMs)})`}</li>`;
}

async function peopleNames(deps: Deps): Promise<readonly string[]> {
  const { people } = (await deps.standing.current()).rows;
  return people.filter(({ state, auditor }) => state === "active" && !auditor).map(({ name }) => name);
}
