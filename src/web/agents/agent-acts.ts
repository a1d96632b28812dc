import { EFFECT_CLASSES } from "../../core/effect.ts";
import { say } from "../../core/messages/message.ts";
import type { Agent } from "../../core/people.ts";
import type { Pause } from "../../core/standing/standing.ts";
import { TIERS } from "../../core/tier.ts";
import { parseDuration } from "../../core/values/duration.ts";
import { type Move, setOwner } from "../../gate/standing/agents.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { agentsOf, pausesOf } from "../../service/people.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import { fieldsOf } from "../page/fields.ts";
import { button, choices, provedOr } from "../page/forms.ts";
import { type Html, html } from "../page/html.ts";
import type { View } from "../page/view.ts";
import type { Words } from "../words/words.ts";

// Actions of a person on an agent: allow more, allow less, pause, change the owner.

type Acted = (serving: Serving, request: HttpRequest, name: string) => Promise<string>;

function agentAct(
  does: string,
  summary: string,
  act: Acted,
  more: Pick<Route, "for"> & Partial<Route> = { for: ["act"] },
): Route {
  return {
    method: "POST",
    path: `/agents/:name/${does}`,
    page: true,
    summary,
    ...more,
    act: async (serving, request): Promise<Answer> => {
      const name = request.params["name"] ?? "";
      return seeOther(`/agents/${encodeURIComponent(name)}?told=${await act(serving, request, name)}`);
    },
  };
}

export const AGENT_ACT_ROUTES: readonly Route[] = [
  agentAct(
    "promote",
    "Promotes an agent to a looser tier.",
    async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      await agentsOf(deps, sure).promote({ ...moveOf(deps.clock.nowMs(), request), by });
      return "promoted";
    },
    { for: ["act"], fresh: true },
  ),
  agentAct("demote", "Less leeway for an agent.", async ({ deps }, request) => {
    await agentsOf(deps).demote({ ...moveOf(deps.clock.nowMs(), request), by: actingOf(request).by });
    return "demoted";
  }),
  agentAct("pause", "Stops an agent.", async ({ deps }, request, name) => {
    const { because = "" } = fieldsOf(request);
    await pausesOf(deps).pause({ of: "agent", name }, { because, by: actingOf(request).by });
    return "pausedNow";
  }),
  agentAct(
    "resume",
    "Lets an agent go on.",
    async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      await pausesOf(deps, sure).resume(fieldsOf(request)["pause"] ?? "", { by });
      return "resumed";
    },
    { for: ["act"], fresh: true },
  ),
  agentAct(
    "owner",
    "Changes the owner of an agent.",
    async ({ deps }, request, agent) => {
      orThrow(await setOwner(deps, { agent, owner: fieldsOf(request)["owner"] ?? "", ...actingOf(request) }));
      return "handedOver";
    },
    { for: ["admin"], fresh: true },
  ),
];

function moveOf(nowMs: number, request: HttpRequest): Omit<Move, "by"> {
  const { tier = "", class: effectClass = "", because = "", lasts = "" } = fieldsOf(request);
  const forMs = lasts === "" ? undefined : parseDuration(lasts);
  if (lasts !== "" && forMs === undefined) throw badInput("lasts", say("refusal.not_a_time"), say("hint.choose_one"));
  return {
    agent: request.params["name"] ?? "",
    tier: tier as Move["tier"],
    ...(effectClass === "" ? {} : { class: effectClass as (typeof EFFECT_CLASSES)[number] }),
    because,
    ...(forMs === undefined ? {} : { untilMs: nowMs + forMs }),
  };
}

export function actForms(view: View, agent: Agent, pauses: readonly Pause[], people: readonly string[]): Html {
  const { words, admin } = view;
  const at = `/agents/${encodeURIComponent(agent.name)}`;
  return html`<h2>${words.changeLeeway}</h2>
<div class="panels">
<section class="panel"><h3>${words.promote}</h3>${provedOr(view, at, words.promoteWhy, html`<p>${words.promoteWhy}</p>${moveForm(words, `${at}/promote`, { tiers: TIERS.slice(1).reverse(), does: words.promoteDo })}`)}</section>
<section class="panel"><h3>${words.demote}</h3><p>${words.demoteWhy}</p>${moveForm(words, `${at}/demote`, { tiers: TIERS.slice(0, -1), does: words.demoteDo })}</section>
<section class="panel"><h3>${pauses.length === 0 ? words.pause : words.resume}</h3>${
    pauses.length === 0
      ? pauseForm(words, at)
      : provedOr(
          view,
          at,
          words.resumeWhy,
          pauses.map(({ id }) =>
            button(`${at}/resume`, words.resumeDo, {
              kind: "primary",
              hidden: html`<input type="hidden" name="pause" value="${id}">`,
            }),
          ),
        )
  }</section>
${
  admin &&
  html`<section class="panel"><h3>${words.handOver}</h3>${provedOr(
    view,
    at,
    words.handOverWhy,
    html`<p>${words.handOverWhy}</p><form method="post" action="${at}/owner" class="stacked"><label>${words.owner}<select name="owner">${choices(
      people.map((name) => [name, name] as const),
      agent.owner,
    )}</select></label><button>${words.handOverDo}</button></form>`,
  )}</section>`
}</div>`;
}

/** Nothing is preselected: the person must choose the tier. */
function moveForm(words: Words, action: string, { tiers, does }: { tiers: readonly string[]; does: string }): Html {
  const classes = EFFECT_CLASSES.map((one) => [one, one] as const);
  return html`<form method="post" action="${action}" class="stacked">
<label>${words.tier}<select name="tier" required>${choices([["", words.chooseOne], ...tiers.map((tier) => [tier, tier] as const)])}</select></label>
<label>${words.forClass}<select name="class">${choices([["", words.ingeneral], ...classes])}</select></label>
<label>${words.lasts}<select name="lasts">${choices([
    ["24h", words.forHours],
    ["7d", words.forDay],
    ["30d", words.forMonth],
    ["", words.untilChanged],
  ])}</select></label>
<label>${words.because}<input name="because" required maxlength="2000" autocomplete="off"></label>
<button>${does}</button></form>`;
}

function pauseForm(words: Words, at: string): Html {
  return html`<p>${words.pauseWhy}</p><form method="post" action="${at}/pause" class="stacked">
<label>${words.because}<input name="because" required maxlength="2000" autocomplete="off"></label>
<button class="danger">${words.pauseDo}</button></form>`;
}
