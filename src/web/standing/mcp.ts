import type { Answer } from "../../http/answer.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { type LoginView, loginViews, type OfferView, offerViews } from "../../service/views/mcp.ts";
import { moment, page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";

// The MCP servers behind the gateway: what people accepted of each, what waits for an answer, and what was refused.

const AT = "/mcp";

export const MCP_PAGE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: AT,
    for: ["read"],
    page: true,
    summary: "The MCP servers, and what people accepted of them.",
    act: mcpPage,
  },
];

async function mcpPage(serving: Serving, request: HttpRequest): Promise<Answer> {
  const view = await viewOf(serving, request);
  const { words } = view;
  const servers = serversIn(await offerViews(serving.deps));
  const logins = loginViews(serving.deps);
  const waiting = servers.reduce((sum, { offers }) => sum + offers.filter(isAsked).length, 0);
  const body = html`<h1>${words.mcpServers} <small>${waiting > 0 && `${waiting} ${words.mcpWaiting}`}</small></h1>
<p>${words.mcpLead}</p>
${logins.length > 0 && loginsHtml(view, logins)}
${servers.length === 0 ? html`<p class="empty">${words.noMcp} <code>leeway init mcp</code></p>` : servers.map((server) => serverHtml(view, server))}`;
  return page(view, { at: AT, title: words.mcpServers, body });
}

/** A server as it is started in one way: what was accepted is valid for this way only. */
type Server = { name: string; starts: readonly string[]; offers: readonly OfferView[] };

/** Servers with something that waits first; then by name. */
function serversIn(offers: readonly OfferView[]): readonly Server[] {
  const groups = new Map<string, Server & { offers: OfferView[] }>();
  for (const offer of offers) {
    const { upstream: name, starts } = offer;
    const key = JSON.stringify([name, starts]);
    const group = groups.get(key) ?? { name, starts, offers: [] };
    group.offers.push(offer);
    groups.set(key, group);
  }
  const rank = ({ offers: held }: Server) => (held.some(isAsked) ? 0 : 1);
  return [...groups.values()].sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
}

function isAsked({ state }: OfferView): boolean {
  return state === "asked";
}

const ORDER = { start: 0, instructions: 1, tool: 2 } as const;

function serverHtml(view: View, { name, starts, offers }: Server): Html {
  const { words } = view;
  // Of one tool the newest definition is first.
  const rows = [...offers].sort(
    (one, other) =>
      Number(isAsked(other)) - Number(isAsked(one)) ||
      ORDER[one.of] - ORDER[other.of] ||
      (one.name === other.name ? other.atMs - one.atMs : one.name < other.name ? -1 : 1),
  );
  const isOlder = (offer: OfferView) =>
    offer.state === "accepted" &&
    offers.some((other) => other.state === "accepted" && isSame(other, offer) && other.atMs > offer.atMs);
  const tools = new Set(offers.flatMap((offer) => (offer.of === "tool" ? [offer.name] : []))).size;
  return html`<section class="mcp"><h2>${shown(name)} ${tools > 0 && html`<small>${words.mcpTools} ${tools}</small>`}</h2>
<p class="starts">${starts.map((line) => html`<code>${shown(line)}</code>`)}</p>
<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.mcpOffer}</th><th scope="col">${words.sessionState}</th><th scope="col">${words.grantedBy}</th><th scope="col">${words.when}</th><th scope="col">${words.mcpDefinition}</th></tr></thead>
<tbody>${rows.map((offer) => offerRow(view, offer, isOlder(offer)))}</tbody></table></div></section>`;
}

function isSame(one: OfferView, other: OfferView): boolean {
  return one.of === other.of && one.name === other.name;
}

function offerRow(view: View, offer: OfferView, isOlder: boolean): Html {
  const { words, language } = view;
  const { of, name, by, note, atMs, approvalId } = offer;
  const what =
    of === "tool" ? html`<code>${shown(name)}</code>` : of === "start" ? words.mcpStart : words.mcpInstructions;
  return html`<tr class="${offer.state}"><td>${what}${isOlder && html` <small>${words.mcpOlder}</small>`}</td><td>${stateHtml(view, offer)}${note !== undefined && html` ${saidIn(language, note)}`}</td><td${by.length > 0 && html` data-label="${words.grantedBy}"`}>${by.map(shown).join(", ")}</td><td>${moment(view, atMs)}</td><td>${!isAsked(offer) && html`<a href="/approvals/${approvalId}" aria-label="${words.mcpSee} ${shown(name)}">${words.mcpSee}</a>`}</td></tr>`;
}

function loginsHtml(view: View, logins: readonly LoginView[]): Html {
  const { words } = view;
  return html`<section class="mcp"><h2>${words.mcpLogins}</h2><p>${words.mcpLoginsLead}</p>
<div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.mcpServer}</th><th scope="col">${words.sessionState}</th><th scope="col">${words.mcpLoginBy}</th><th scope="col">${words.when}</th></tr></thead>
<tbody>${logins.map((login) => loginRow(view, login))}</tbody></table></div></section>`;
}

/** What somebody has to do in a terminal stands beside the state. */
function loginRow(view: View, { upstream, url, state, by, atMs }: LoginView): Html {
  const { words } = view;
  const isGood = state === "signed-in";
  const badge = html`<span class="badge${isGood && " quiet"}">${words[STATE_WORDS[state]]}</span>`;
  return html`<tr><td>${shown(upstream)} <small>${shown(url)}</small></td><td>${badge}${!isGood && html` <code>leeway mcp login ${shown(upstream)}</code>`}</td><td${by !== undefined && html` data-label="${words.mcpLoginBy}"`}>${by !== undefined && shown(by)}</td><td>${moment(view, atMs)}</td></tr>`;
}

const STATE_WORDS = {
  "signed-in": "mcpSignedIn",
  "needs-sign-in": "mcpNeedsSignIn",
  expired: "mcpExpired",
  "needs-more-rights": "mcpNeedsRights",
} as const;

/** Only what waits for somebody is in colour, and leads to its question. */
function stateHtml({ words }: View, { state, changed, approvalId }: OfferView): Html {
  if (state === "asked")
    return html`<a class="badge" href="/approvals/${approvalId}">${changed ? words.mcpChanged : words.mcpNew}</a>`;
  return state === "refused"
    ? html`<span class="badge">${words.mcpRefused}</span>`
    : html`<span class="badge quiet">${words.mcpAccepted}</span>`;
}
