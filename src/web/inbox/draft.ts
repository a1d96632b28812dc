import { maskArgs } from "../../core/masking/redact.ts";
import { say } from "../../core/messages/message.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { hasHidden } from "../../core/values/text.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Serving } from "../../http/route.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { button } from "../page/forms.ts";
import { type Html, html, type Part } from "../page/html.ts";
import type { View } from "../page/view.ts";

// A person's own version of a call, before it is approved. The page with the version has no button that approves the agent's
// version, and the page with that button has no field for another version. So nobody approves one while looking at the other.

/** The version as it was typed. */
export type Draft = { args: string; note: string };

const editForm = (id: string) => `/approvals/${id}/edit`;

/** The version that this browser sent and that was not approved: it needed a sign-in first, or it was refused. */
export function unsentDraft({ kept }: Pick<Serving, "kept">, request: HttpRequest, id: string): Draft | undefined {
  const fields = kept.refusalAt(request, editForm(id))?.fields;
  return fields?.["args"] === undefined ? undefined : { args: fields["args"], note: fields["note"] ?? "" };
}

export function dropDraft({ kept }: Pick<Serving, "kept">, request: HttpRequest, id: string): void {
  kept.forget(request, editForm(id));
}

/** Throws if this browser has an unsent version of the call: another window of it may still show the agent's. */
export function needNoDraft(serving: Pick<Serving, "kept">, request: HttpRequest, id: string): void {
  if (unsentDraft(serving, request, id) === undefined) return;
  const [reason, hint] = [say("refusal.version_unsent", { id }), say("hint.approve_or_discard_version")];
  throw new LeewayRefusal({ code: "LEEWAY_BAD_INPUT", reason, hint });
}

/** Whether the arguments can be shown, and so be changed. */
export function isShowable(args: JsonObject): boolean {
  return canonical(maskArgs(args)) === canonical(args);
}

/** The link to the page on which the call can be changed. */
export function editLink({ words }: View, id: string, href: string, args: JsonObject): Html {
  if (isShowable(args))
    return html`<p class="link"><a id="edit" href="${href}" data-open="${id}">${words.edit}</a></p>`;
  return html`<details id="edit"><summary>${words.edit}</summary><p>${words.editSecret}</p></details>`;
}

type Editing = { args: JsonObject; draft: Draft | undefined; fields: Part; action: string };

/** The field for the version, above what the agent sent. Its button is in the foot, where it is always visible. */
export function versionHtml({ words }: View, { args, draft, fields, action }: Editing): Html {
  return html`<form method="post" action="${action}" id="editing" class="stacked panel version"><h2>${words.yourVersion}</h2>
<p class="warning" id="unsent">${draft === undefined ? words.versionOnly : words.versionUnsent}</p>${fields}
<label>${words.argsJson}<textarea name="args" rows="${rowsOf(draft?.args ?? argsText(args))}" spellcheck="false" autocapitalize="none">${draft?.args ?? argsText(args)}</textarea></label>
<label>${words.note}<input name="note" maxlength="2000" autocomplete="off" value="${draft?.note ?? ""}"></label></form>
<h2 class="theirs">${words.agentsVersion}</h2>`;
}

/** What is left of a version whose question is closed. */
export function lostVersionHtml({ words }: View, { args }: Draft, discard: string): Html {
  return html`<div class="panel given version"><p>${words.versionTooLate}</p><pre>${args}</pre>${button(discard, words.discardVersion, { kind: "quiet" })}</div>`;
}

/** The only two buttons of the page with a version. */
export function versionBar(
  { words }: View,
  given: { id: string; discard: string; follows: string; isKept: boolean; href: string },
): Html {
  const { id, discard, follows, isKept, href } = given;
  const back = isKept
    ? html`<form method="post" action="${discard}" id="discard"><button class="discard">${words.discardVersion}</button></form>`
    : html`<a class="button discard" id="discard" href="${href}" data-open="${id}">${words.discardVersion}</a>`;
  return html`<div class="answer" id="answer"><button form="editing" class="primary" data-key="a" aria-describedby="follows-version">${words.editDo}</button>
${back}<p class="follows" id="follows-version">${follows}</p></div>`;
}

function rowsOf(text: string): number {
  return Math.min(14, Math.max(4, text.split("\n").length));
}

/** JSON with all characters visible: invisible ones are written as numbers. */
function argsText(args: JsonObject): string {
  const text = JSON.stringify(args, null, 2);
  return [...text].map((char) => (char !== "\n" && hasHidden(char) ? escapedUnits(char) : char)).join("");
}

function escapedUnits(char: string): string {
  return char
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
