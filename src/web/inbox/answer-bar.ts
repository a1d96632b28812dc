import { type Html, html, type Part } from "../page/html.ts";
import type { View } from "../page/view.ts";

/** One of the two forms: where it is sent, its hidden fields, and the label of its button. */
type AnswerForm = { action: string; fields: Part; label: string };

type AnswerBar = {
  approve: AnswerForm & { isDisabled?: boolean; describedBy?: string };
  /** `note`: the reason that was typed before the form was refused. */
  deny: AnswerForm & { note?: string };
  follows: Part;
};

/**
 * Approving and denying are two forms, so that no key or button gives another answer than its label. Only a denial sends the
 * reason: as soon as one is typed, Approve sends nothing and asks which of the two was meant. Style sheets alone do this, so
 * it is true without the script too; an empty placeholder tells them whether the field is empty.
 */
export function answerBar({ words }: View, { approve, deny, follows }: AnswerBar): Html {
  const off = approve.isDisabled === true && html` disabled`;
  const described = approve.describedBy ?? "follows";
  return html`<div class="answer" id="answer">
<form method="post" action="${approve.action}" id="approve">${approve.fields}<button class="primary" data-key="a" aria-describedby="${described}"${off}>${approve.label}</button></form>
<details class="which"><summary class="button primary">${approve.label}</summary><div class="panel"><p>${words.whichMeant}</p><button form="deny" class="danger">${words.denyWithReason}</button> <button form="approve"${off}>${words.approveWithoutReason}</button></div></details>
<form method="post" action="${deny.action}" id="deny">${deny.fields}<button class="danger" data-key="d">${deny.label}</button><label class="note">${words.denyWhy}<input name="note" maxlength="2000" autocomplete="off" placeholder=" " value="${deny.note ?? ""}"></label></form>
${follows}</div>`;
}
