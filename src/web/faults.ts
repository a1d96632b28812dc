import type { Language } from "../core/messages/text.ts";
import { type Fault, renderFault } from "../core/policy/tree.ts";
import { type Html, html } from "./html.ts";
import { shown } from "./shown.ts";

/** What is wrong with a policy's text: where, what, and how to repair it. */
export function faultList(language: Language, faults: readonly Fault[]): Html {
  const rendered = faults.map((fault) => renderFault(fault, language));
  return html`<ul class="plain">${rendered.map(
    ({ file, line, column, message, hint }) =>
      html`<li><code>${shown(file)}:${line}:${column}</code> ${shown(message)}${hint !== undefined && html` – ${shown(hint)}`}</li>`,
  )}</ul>`;
}
