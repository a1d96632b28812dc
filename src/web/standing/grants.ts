import { coverText } from "../../core/decide/suggest/suggest.ts";
import { sayIn } from "../../core/say/languages.ts";
import { newestAgents } from "../../gate/standing/agents.ts";
import { type HeldGrant, listGrants, revokeGrant } from "../../gate/standing/grants.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { grantsOf } from "../../service/grants.ts";
import { orThrow } from "../../service/refusal.ts";
import { tierChip } from "../activity/why.ts";
import { button } from "../page/forms.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { grantForm, grantOf } from "./grant-form.ts";

export const GRANT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/grants",
    for: ["read"],
    page: true,
    summary: "The grants, literally, and until when they last.",
    act: grantsPage,
  },
  {
    method: "POST",
    path: "/grants",
    for: ["act"],
    fresh: true,
    page: true,
    summary: "Adds a grant.",
    act: async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      await grantsOf(deps, sure).add(grantOf(request, { by, project: deps.policies.current().project }));
      return seeOther("/grants?told=granted");
    },
  },
  {
    method: "POST",
    path: "/grants/:id/revoke",
    for: ["act"],
    page: true,
    summary: "Revokes a grant.",
    act: async ({ deps }, request) => {
      orThrow(await revokeGrant(deps, request.params["id"] ?? "", { by: actingOf(request).by }));
      return seeOther("/grants?told=revoked");
    },
  },
];

const ENDED_MAX = 100;
const AGENTS_OFFERED_MAX = 100;

async function grantsPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const view = await viewOf(serving, request);
  const { words } = view;
  const grants = await listGrants(serving.deps);
  const live = grants.filter(({ grant }) => grant.state === "live");
  const ended = grants.filter(({ grant }) => grant.state !== "live").slice(0, ENDED_MAX);
  const body = html`<h1>${words.grants} <small>${live.length}</small></h1>
<p class="lead">${words.grantsLead}</p>
${view.mayAct && grantForm(view, await newestAgents(serving.deps, AGENTS_OFFERED_MAX))}
${live.length === 0 ? html`<p class="empty"><strong>${words.noGrants}</strong><br>${words.noGrantsMore}</p>` : html`<ul class="cards">${live.map((one) => grantHtml(view, one))}</ul>`}
${ended.length > 0 && html`<details><summary>${words.endedGrants} (${ended.length})</summary><ul class="cards ended">${ended.map((one) => grantHtml(view, one))}</ul></details>`}`;
  return page(view, { at: "/grants", title: words.grants, body });
}

function grantHtml(view: View, { grant, used }: HeldGrant): Html {
  const { words } = view;
  const { id, covers, tier, because, createdMs, grantedBy, fromApproval, state } = grant;
  const isLive = state === "live";
  return html`<li class="panel">
<p class="cover"><code>${shown(coverText(covers, sayIn(view.language)))}</code></p>
<p class="facts">${tierChip(tier)} <span>${words.forWhom} <b>${subjectText(view, grant.subject)}</b></span> <span>${words.grantedBy} <b>${"person" in grantedBy ? grantedBy.person : shown(grantedBy.callback)}</b> ${moment(view, createdMs)}</span> <span>${endText(view, { grant, used })}</span></p>
<p class="because">${shown(because)}</p>
<div class="acts"><a href="/activity?id=${id}">${words.history}</a>${fromApproval !== undefined && html` <a href="/approvals/${fromApproval}">${words.questionLink}</a>`}
${isLive && view.mayAct && button(`/grants/${id}/revoke`, words.revoke, { kind: "danger" })}</div></li>`;
}

function subjectText({ words }: View, { agent, session, run, person }: HeldGrant["grant"]["subject"]): string {
  const bounds = [agent ?? words.anybody, session, run, person].filter((one) => one !== undefined);
  return bounds.map(shown).join(", ");
}

function endText(view: View, { grant, used }: HeldGrant): Html {
  const { words } = view;
  const uses = grant.usesMax === undefined ? `${words.used} ${used}×` : `${words.used} ${used} / ${grant.usesMax}×`;
  if (grant.state === "revoked") return html`${words.revokedBy} ${grant.by} ${moment(view, grant.atMs)}, ${uses}`;
  if (grant.state === "expired") return html`${words.ended} ${moment(view, grant.atMs)}, ${uses}`;
  return html`${grant.untilMs !== undefined && html`${words.ends} ${moment(view, grant.untilMs)}, `}${uses}`;
}
