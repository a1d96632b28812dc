import type { PolicyFault } from "../ports.ts";
import { type Html, html } from "./html.ts";
import { shown } from "./shown.ts";

/** What is wrong with a policy's text: where, what, and how to repair it. */
export function faultList(faults: readonly PolicyFault[]): Html {
  return html`<ul class="plain">${faults.map(
    ({ file, line, column, message, hint }) =>
      html`<li><code>${shown(file)}:${line}:${column}</code> ${shown(message)}${hint !== undefined && html` – ${shown(hint)}`}</li>`,
  )}</ul>`;
}
