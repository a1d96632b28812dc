import type { Approval } from "../../core/approval.ts";
import { say } from "../../core/messages/message.ts";
import {
  type Declaration,
  kindOfClass,
  TOOL_KIND_NAMES,
  TOOL_KINDS,
  type ToolKind,
} from "../../core/standing/declaration.ts";
import { askedCall } from "../../gate/approvals/covering.ts";
import type { Deps } from "../../gate/deps.ts";
import {
  declareFromQuestion,
  forgetDeclaration,
  listDeclarations,
  type ToolQuestion,
  toolQuestion,
} from "../../gate/standing/declarations.ts";
import { circleFor } from "../../gate/standing/owner.ts";
import { seeOther } from "../../http/answer.ts";
import { actingOf } from "../../http/identity/person.ts";
import type { Route } from "../../http/route.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import { listQuery, narrowedOf } from "../inbox/waiting.ts";
import { fieldsOf } from "../page/fields.ts";
import { button, choices, provedOr } from "../page/forms.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";

// What an unknown tool does: asked on the card of its first call; shown and removed on the Agents page.

export const TOOL_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/approvals/:id/tool",
    for: ["act"],
    fresh: true,
    page: true,
    summary: "Declares what the tool of a question does.",
    act: async ({ deps }, request) => {
      const id = request.params["id"] ?? "";
      const { does = "", everybody = "" } = fieldsOf(request);
      if (!Object.hasOwn(TOOL_KINDS, does)) {
        throw badInput(
          "does",
          say("refusal.tool_does_what"),
          say("hint.one_of", { words: TOOL_KIND_NAMES.join(", ") }),
        );
      }
      const answer = { class: TOOL_KINDS[does as ToolKind], because: "", everybody: everybody === "yes" };
      orThrow(await declareFromQuestion(deps, id, { ...answer, ...actingOf(request) }));
      return seeOther(`/approvals/${id}${listQuery(narrowedOf(request.query), { told: "declaredTool" })}`);
    },
  },
  {
    method: "POST",
    path: "/tools/:id/forget",
    for: ["act"],
    page: true,
    summary: "Removes a declaration of a tool.",
    act: async ({ deps }, request) => {
      orThrow(await forgetDeclaration(deps, request.params["id"] ?? "", { by: actingOf(request).by }));
      return seeOther("/agents?told=forgotTool");
    },
  },
];

/**
 * The question about the tool itself, next to the one about its call; undefined if the tool is known. `list`: the
 * list to return to.
 */
export async function toolQuestionHtml(
  deps: Deps,
  view: View,
  approval: Approval,
  list: string,
): Promise<Html | undefined> {
  const { words } = view;
  const { call, effect } = await askedCall(deps, approval);
  const asked = await toolQuestion(deps, call, effect);
  if (asked === undefined) return undefined;
  if (asked.takesCommands) return html`<p class="tool-asked"><small>${words.toolTakesCommands}</small></p>`;
  const { owner } = await circleFor(deps, await deps.standing.current(), approval);
  const mayDeclare = view.admin || owner === view.person;
  const chosen = asked.suggestion === undefined ? undefined : kindOfClass(asked.suggestion.class);
  const kinds = TOOL_KIND_NAMES.map((kind) => [kind, words[`does_${kind}`]] as const);
  const form = html`<form method="post" action="/approvals/${approval.id}/tool${list}"><label>${words.toolDoes}<select name="does" required><option value="">–</option>${choices(kinds, chosen)}</select></label>${view.admin && html`<input type="hidden" name="everybody" value="yes">`}<button>${words.declareTool}</button>${suggestedHtml(view, asked)}</form>`;
  return html`<details class="tool-asked" open><summary>${words.whatIsTool}</summary>${asked.description !== undefined && html`<blockquote>${shown(asked.description)}</blockquote>`}<p><small>${words.toolWhy}</small></p>${mayDeclare ? provedOr(view, `/approvals/${approval.id}${list}`, words.declareTool, form) : html`<p>${words.toolAskOwner}</p>`}</details>`;
}

/** Which answer is preselected, and why. */
function suggestedHtml({ words, language }: View, { suggestion }: ToolQuestion): Html | undefined {
  const kind = suggestion && kindOfClass(suggestion.class);
  if (suggestion === undefined || kind === undefined) return undefined;
  return html`<p><small>${words.toolSuggested} ${words[`does_${kind}`]} (${saidIn(language, suggestion.because)})</small></p>`;
}

/** What people declared, for the page of agents. */
export async function declarationsHtml(deps: Deps, view: View): Promise<Html | undefined> {
  const live = (await listDeclarations(deps)).filter(({ state }) => state === "live");
  if (live.length === 0) return undefined;
  const { words } = view;
  return html`<h2>${words.declaredTools}</h2><div class="scroll"><table class="stack"><thead><tr><th scope="col">${words.tool}</th><th scope="col">${words.toolDoesHead}</th><th scope="col">${words.forWhom}</th><th scope="col">${words.grantedBy}</th><th scope="col">${words.acts}</th></tr></thead><tbody>${live.map((one) => declarationRow(view, one))}</tbody></table></div>`;
}

function declarationRow(view: View, { id, about, class: cls, agent, declaredBy }: Declaration): Html {
  const { words } = view;
  const kind = kindOfClass(cls);
  const name = about.of === "tool" ? about.tool : `${about.server}/*`;
  return html`<tr><td><code>${shown(name)}</code></td><td>${kind === undefined ? cls : words[`does_${kind}`]}</td><td data-label="${words.forWhom}">${agent === undefined ? words.everybody : shown(agent)}</td><td data-label="${words.grantedBy}">${shown(declaredBy)}</td><td>${view.mayAct && button(`/tools/${id}/forget`, words.forgetTool, { kind: "quiet" })}</td></tr>`;
}
