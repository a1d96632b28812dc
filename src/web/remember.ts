import type { Approval } from "../core/approval.ts";
import { coverText } from "../core/decide/suggest.ts";
import { sayIn } from "../core/show/say/say.ts";
import { parseDuration } from "../core/values/duration.ts";
import type { Deps } from "../gate/deps.ts";
import { type Suggested, suggestGrants } from "../gate/grants.ts";
import type { Asked } from "../http/asked.ts";
import { badInput, orThrow } from "../library/refusal.ts";
import type { ReviewInput } from "../library/reviews.ts";
import { choices } from "./forms.ts";
import type { View } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { shown } from "./shown.ts";

// What can be remembered together with an approval. Its choices belong to the form that approves.

export async function offersOf(deps: Deps, approval: Approval): Promise<readonly Suggested[]> {
  if (approval.needsHuman) return [];
  const suggested = await suggestGrants(deps, approval.id);
  return suggested.ok ? suggested.value.offers : [];
}

export function rememberHtml({ words, fresh, language }: View, { query }: Asked, offers: readonly Suggested[]): Html {
  const chosen = /^[1-9]$/.test(query["remember"] ?? "") ? Number(query["remember"]) : 0;
  const lasts = [
    ["24h", words.forHours],
    ["7d", words.forDay],
    ["5x", words.forFive],
  ] as const;
  return html`<details id="remember"${chosen > 0 && html` open`}><summary>${words.remember}</summary>
<fieldset><legend>${words.rememberWhy}</legend>
<label><input type="radio" form="approve" name="remember" value=""${chosen === 0 && html` checked`}> ${words.justThis}</label>
${offers.map(
  ({ covers, coveredBefore, outOf }, at) =>
    html`<label><input type="radio" form="approve" name="remember" value="${at + 1}"${chosen === at + 1 && html` checked`}> <code>${shown(coverText(covers, sayIn(language)))}</code> <small>${words.wouldHavePassed} ${coveredBefore} / ${outOf}</small></label>`,
)}
<label class="inline">${words.rememberFor} <select form="approve" name="lasts">${choices(lasts, query["lasts"])}</select></label>
${!fresh && html`<p><small>${words.rememberProve}</small></p>`}
</fieldset></details>`;
}

/** The grant is the one that was offered under this number: nothing a form says widens it. */
export async function rememberedBy(
  deps: Deps,
  id: string,
  { remember, lasts }: { remember: string; lasts: string },
): Promise<NonNullable<ReviewInput["remember"]>> {
  const { offers } = orThrow(await suggestGrants(deps, id));
  const offer = /^[1-9]$/.test(remember) ? offers[Number(remember) - 1] : undefined;
  if (offer === undefined) throw badInput("remember", "that was not offered", "look at the question again");
  const uses = /^([1-9]\d{0,3})x$/.exec(lasts)?.[1];
  if (uses === undefined && parseDuration(lasts) === undefined)
    throw badInput("lasts", "that is no time", "choose one");
  return { covers: offer.covers, ...(uses === undefined ? { until: lasts } : { uses: Number(uses) }) };
}
