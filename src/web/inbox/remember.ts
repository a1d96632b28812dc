import type { Approval } from "../../core/approval.ts";
import { coverAdvice, coverText } from "../../core/decide/suggest/suggest.ts";
import { say } from "../../core/messages/message.ts";
import type { Language } from "../../core/messages/text.ts";
import { sayIn } from "../../core/say/languages.ts";
import { whyNotRemembered } from "../../core/say/not-remembered.ts";
import type { NotRemembered } from "../../core/standing/grant.ts";
import { parseDuration } from "../../core/values/duration.ts";
import type { Deps } from "../../gate/deps.ts";
import { type Suggested, suggestGrants } from "../../gate/standing/grants.ts";
import type { HttpRequest } from "../../http/request.ts";
import { approvalView } from "../../service/approvals.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import type { ReviewInput } from "../../service/shapes/review.ts";
import { headlineOf } from "../../service/views/cards.ts";
import { listField } from "../page/fields.ts";
import { choices } from "../page/forms.ts";
import { type Html, html } from "../page/html.ts";
import { saidIn, shown } from "../page/text.ts";
import type { View } from "../page/view.ts";

// What can be remembered with an approval. The choices are fields of the form that approves.

/** A choice, with the agent's other waiting calls that it covers and their effects. */
type Offer = Suggested & { others: readonly Other[] };
type Other = Suggested["waiting"][number] & { lead: string };

/** What can be remembered of a question, or why nothing can. */
export type GrantOffers = { offers: readonly Offer[]; none?: NotRemembered };

export async function offeredFor(deps: Deps, approval: Approval, language: Language): Promise<GrantOffers> {
  const { offers, none } = orThrow(await suggestGrants(deps, approval.id));
  const leads = new Map<string, string>();
  for (const { id } of offers.flatMap((offer) => offer.waiting)) {
    if (leads.has(id)) continue;
    leads.set(id, (await headlineOf(deps, await approvalView(deps, id), language)).lead);
  }
  const withOthers = (offer: Suggested): Offer => ({
    ...offer,
    others: offer.waiting.map((one) => ({ ...one, lead: leads.get(one.id) ?? one.id })),
  });
  return { offers: offers.map(withOthers), ...(none === undefined ? {} : { none }) };
}

/** `here`: the folder that the question's call runs in. */
export function rememberHtml(
  view: View,
  { query }: HttpRequest,
  { offers, none }: GrantOffers,
  here: string | undefined,
): Html {
  const { words, fresh, language } = view;
  if (none !== undefined)
    return html`<details id="remember"><summary>${words.remember}</summary><p>${words.cannotRemember} ${saidIn(language, whyNotRemembered(none))}</p></details>`;
  const chosen = /^[1-9]$/.test(query["remember"] ?? "") ? Number(query["remember"]) : 0;
  const also = (query["also"] ?? "").split(",");
  const lasts = [
    ["24h", words.forHours],
    ["7d", words.forDay],
    ["5x", words.forFive],
  ] as const;
  return html`<details id="remember"${chosen > 0 && html` open`}><summary>${words.remember}</summary>
<fieldset><legend>${words.rememberWhy}</legend>
<label><input type="radio" form="approve" name="remember" value=""${chosen === 0 && html` checked`}> ${words.justThis}</label>
${offers.map((offer, at) => offerHtml(view, offer, { number: at + 1, chosen, also, here }))}
<label class="inline">${words.rememberFor} <select form="approve" name="lasts">${choices(lasts, query["lasts"])}</select></label>
${!fresh && html`<p><small>${words.rememberProve}</small></p>`}
</fieldset></details>`;
}

/** `also`: the other calls that were ticked before the reviewer was asked for a proof. */
/** While only a part of the question is shown, nothing can be remembered yet. */
export function rememberLater({ words }: View, wholeAt: string): Html {
  return html`<details id="remember"><summary>${words.remember}</summary><p>${words.rememberLater} <a href="${wholeAt}">${words.showAll}</a></p></details>`;
}

type Place = { number: number; chosen: number; also: readonly string[]; here: string | undefined };

function offerHtml({ words, language }: View, offer: Offer, { number, chosen, also, here }: Place): Html {
  const say = sayIn(language);
  const { covers, coveredBefore, outOf, others } = offer;
  const advice = coverAdvice(covers, say);
  return html`<div class="offer"><label><input type="radio" form="approve" name="remember" value="${number}"${chosen === number && html` checked`}> <code>${shown(coverText(covers, say, here))}</code> <small>${say.cover.before(coveredBefore, outOf)}</small></label>
${advice !== undefined && html`<p class="advice"><small>${advice}</small></p>`}${others.length > 0 && html`<fieldset class="also"><legend>${words.alsoApprove}</legend>${others.map(({ id, lead }) => html`<label><input type="checkbox" form="approve" name="also${number}" value="${id}"${chosen === number && also.includes(id) && html` checked`}> <code>${shown(lead)}</code></label>`)}</fieldset>`}</div>`;
}

/** Uses the grant that was offered under this number; a form cannot widen it. */
export async function rememberedBy(
  deps: Deps,
  id: string,
  { remember, lasts, asked }: { remember: string; lasts: string; asked: HttpRequest },
): Promise<NonNullable<ReviewInput["remember"]>> {
  const { offers } = orThrow(await suggestGrants(deps, id));
  const offer = /^[1-9]$/.test(remember) ? offers[Number(remember) - 1] : undefined;
  if (offer === undefined) throw badInput("remember", say("refusal.not_offered"), say("hint.look_at_question"));
  const uses = /^([1-9]\d{0,3})x$/.exec(lasts)?.[1];
  if (uses === undefined && parseDuration(lasts) === undefined)
    throw badInput("lasts", say("refusal.not_a_time"), say("hint.choose_one"));
  const named = listField(asked, `also${remember}`);
  const also = offer.waiting.filter((one) => named.includes(one.id));
  if (also.length < named.length)
    throw badInput("also", say("refusal.no_longer_waiting"), say("hint.look_at_question"));
  return { covers: offer.covers, also, ...(uses === undefined ? { until: lasts } : { uses: Number(uses) }) };
}
