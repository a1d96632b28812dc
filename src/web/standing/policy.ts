import { policyChange, type ShownLine } from "../../core/show/changes/policy-change.ts";
import type { Hash } from "../../core/values/hash.ts";
import { visible } from "../../core/values/text.ts";
import type { Deps } from "../../gate/deps.ts";
import {
  acceptedText,
  acceptPolicy,
  type LayerInForce,
  type PolicyInForce,
  policyInForce,
} from "../../gate/standing/policy.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import type { FoundPolicy } from "../../ports.ts";
import { orThrow } from "../../service/refusal.ts";
import { tierChip } from "../activity/why.ts";
import { fieldsOf } from "../page/fields.ts";
import { hidden, provedOr } from "../page/forms.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";
import { draftForm, faultList, POLICY_TRY_ROUTES, tryForm } from "./policy-try.ts";

export const POLICY_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/policy",
    for: ["read"],
    page: true,
    summary: "The policy layers in force, with their sources.",
    act: policyPage,
  },
  {
    method: "POST",
    path: "/policy/accept",
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Accepts the policy file as it was shown.",
    act: async ({ deps }, request) => {
      const { path = "", version = "" } = fieldsOf(request);
      orThrow(await acceptPolicy(deps, path, { ...actingOf(request), version: version as Hash }));
      return seeOther("/policy?told=accepted");
    },
  },
  ...POLICY_TRY_ROUTES,
];

async function policyPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, request);
  const { words } = view;
  const inForce = await policyInForce(deps);
  const { noPolicy } = (await deps.standing.current()).layers;
  const body = html`<h1>${words.policy}</h1>
<p class="lead">${words.policyLead}</p>
${faultsHtml(deps, view)}
<h2>${words.inForce}</h2>
${inForce.layers.map((layer) => layerHtml(view, layer))}
${noPolicy !== undefined && inForce.broken.length === 0 && html`<p class="warning grave">${saidIn(view.language, noPolicy)}</p>`}
${await waitingHtml(deps, view, inForce)}
<details><summary>${words.places}</summary><ul class="plain">${inForce.places.map((path) => html`<li><code>${shown(path)}</code></li>`)}</ul><p><small>${words.policyVersion} <code>${inForce.version}</code></small></p></details>
<div class="panels wide">
<section class="panel" id="try"><h2>${words.tryCall}</h2><p>${words.tryWhy}</p>${tryForm(words, {})}</section>
<section class="panel" id="draft"><h2>${words.tryDraft}</h2><p>${words.draftWhy}</p>${draftForm(words, "", "")}</section>
</div>`;
  return page(view, { at: "/policy", title: words.policy, body });
}

/** Files with errors, with places and fixes. */
function faultsHtml(deps: Deps, { words, language }: View): Html {
  const broken = deps.policies.current().files.filter(({ loaded }) => !loaded.ok);
  return html`${broken.map(
    ({ loaded }) =>
      !loaded.ok &&
      html`<div class="warning grave" role="alert"><strong>${words.doesNotLoad}</strong>${faultList(language, loaded.faults)}</div>`,
  )}`;
}

const FROM = {
  managed: "fromManaged",
  named: "fromNamed",
  accepted: "fromAccepted",
  beside: "fromBeside",
  preset: "fromPreset",
} as const;

function layerHtml(view: View, layer: LayerInForce): Html {
  const { words } = view;
  const { policy, by, atMs } = layer;
  const { preset, tier, tiers, agents, human, rules, limits } = policy;
  const marks = [...human.tools, ...human.classes, ...human.agents];
  return html`<section class="panel layer"><h3><code>${shown(layer.source)}</code> <small>${words[FROM[layer.from]]}${by !== undefined && html` (${by}${atMs !== undefined && html`, ${moment(view, atMs)}`})`}</small></h3>
<dl class="facts-list">${preset !== undefined && html`<dt>${words.preset}</dt><dd>${preset.name}</dd>`}${tier !== undefined && html`<dt>${words.tier}</dt><dd>${tierChip(tier.tier)}</dd>`}
${tiers.map((row) => html`<dt><code>${shown(row.name)}</code></dt><dd>${tierChip(row.tier)} <small>${words.lineWord} ${row.at.line}</small></dd>`)}
${agents.map((agent) => html`<dt>${words.agent} ${shown(agent.name)}</dt><dd>${agent.tier !== undefined && tierChip(agent.tier.tier)} ${agent.owner !== undefined && html`${words.owner} ${shown(agent.owner)}`}</dd>`)}
${(human.all || marks.length > 0) && html`<dt>${words.needsHuman}</dt><dd>${human.all ? words.everything : marks.map(shown).join(", ")}</dd>`}</dl>
${rules.length > 0 && html`<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.rule}</th><th scope="col">${words.tier}</th><th scope="col">${words.whyTitle}</th><th scope="col" class="number">${words.lineWord}</th></tr></thead><tbody>${rules.map((rule) => html`<tr><td>${shown(rule.name)}</td><td>${tierChip(rule.tier)}${rule.human && html` <span class="badge">${words.needsHuman}</span>`}</td><td>${shown(rule.because)}</td><td class="number" data-label="${words.lineWord}">${rule.at.line}</td></tr>`)}</tbody></table></div>`}
${limits.length > 0 && html`<ul class="plain">${limits.map((limit) => html`<li>${words.limit} <b>${shown(limit.name)}</b>: ${limit.max}, ${words.afterThat} ${tierChip(limit.then)}</li>`)}</ul>`}</section>`;
}

/** Valid files whose current version is not accepted: an admin can accept them. */
async function waitingHtml(deps: Deps, view: View, { layers }: PolicyInForce): Promise<Html> {
  const { named, files } = deps.policies.current();
  if (named) return html`<p><small>${view.words.namedOutright}</small></p>`;
  const isAccepted = (version: string) =>
    layers.some((layer) => layer.from === "accepted" && layer.version === version);
  const waiting = files.filter(({ loaded }) => loaded.ok && !isAccepted(loaded.policy.version));
  return html`${await Promise.all(waiting.map((file) => acceptHtml(deps, view, file)))}`;
}

async function acceptHtml(deps: Deps, view: View, { path, text, loaded }: FoundPolicy): Promise<Html> {
  const { words, admin } = view;
  const version = loaded.ok ? loaded.policy.version : "";
  const accept = html`<form method="post" action="/policy/accept">${hidden("path", path)}${hidden("version", version)}<button class="primary">${words.acceptDo}</button></form>`;
  const before = await acceptedText(deps, path);
  return html`<section class="panel waiting"><h3>${words.liesThere} <code>${shown(path)}</code></h3><p>${words.acceptWhy}</p>
<h4>${before === undefined ? words.acceptsAll : words.acceptsChange}</h4>${changeHtml(words, policyChange(before, text))}
${before !== undefined && html`<details><summary>${words.itsText}</summary><pre class="literal">${text}</pre></details>`}
<form method="post" action="/policy/draft" class="one" data-progress>${hidden("path", path)}${hidden("text", text)}<button>${words.whatWouldChange}</button></form>
${admin ? provedOr(view, "/policy", words.acceptWhy, accept) : html`<p><small>${words.askAdmin}</small></p>`}</section>`;
}

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

/** The signs are text, so that nobody needs the colours. Every line is written out, with its invisible characters. */
function changeHtml(words: View["words"], lines: readonly ShownLine[]): Html {
  if (lines.length === 0) return html`<p>${words.acceptsNothing}</p>`;
  const item = (line: ShownLine) =>
    line.is === "gap"
      ? html`<li class="same"><code>…</code></li>`
      : html`<li class="${line.is}"><code>${SIGNS[line.is]} ${visible(line.text)}</code></li>`;
  return html`<ul class="exact">${lines.map(item)}</ul>`;
}
