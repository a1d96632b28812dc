import { type Html, html, type Part } from "./html.ts";
import type { View } from "./view.ts";

/** The choices of a list: a value and its label. */
export function choices(of: readonly (readonly [value: string, shown: string])[], chosen?: string): Html {
  return html`${of.map(
    ([value, shown]) => html`<option value="${value}"${value === chosen && html` selected`}>${shown}</option>`,
  )}`;
}

/**
 * A form for an action that needs a fresh sign-in. Without one, a link to sign in is shown instead, so that nobody
 * fills in a form that is then lost.
 */
export function provedOr({ fresh, words }: View, at: string, does: string, form: Part): Html {
  if (fresh) return html`${form}`;
  const next = encodeURIComponent(at);
  return html`<p class="prove"><a class="button" href="/sign-in?next=${next}">${words.proveFirst}</a> <small>${does}</small></p>`;
}

/** A button with its own form. */
export function button(
  action: string,
  label: string,
  given: { kind?: "danger" | "quiet" | "primary"; hidden?: Part } = {},
): Html {
  return html`<form method="post" action="${action}" class="one">${given.hidden}<button class="${given.kind ?? ""}">${label}</button></form>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}
