import { sayIn } from "../core/say/languages.ts";
import type { Language } from "../core/say/say.ts";
import type { PolicyFault } from "../ports.ts";
import { type Html, html } from "./html.ts";
import { shown } from "./shown.ts";

/** What is wrong with a policy's text: where, what, and how to repair it. */
export function faultList(language: Language, faults: readonly PolicyFault[]): Html {
  const said = (text: string) => shown(sayIn(language).fault(text));
  return html`<ul class="plain">${faults.map(
    ({ file, line, column, message, hint }) =>
      html`<li><code>${shown(file)}:${line}:${column}</code> ${said(message)}${hint !== undefined && html` – ${said(hint)}`}</li>`,
  )}</ul>`;
}
