import type { GrantCover } from "../core/grant.ts";
import { EN } from "../core/say/en.ts";
import { visible } from "../core/values/text.ts";
import type { Suggested } from "../gate/standing/grants.ts";
import type { QuestionView } from "../service/rows.ts";
import { Failure, usage } from "./failure.ts";

/** What "remember" would let pass, how much of it there was before, and the other open questions that it would answer. */
export type Offer = { text: string; covers: GrantCover; waiting: Suggested["waiting"] };

/** What can be remembered, the narrowest first; `none` says why there is nothing. */
export type Offers = { offers: readonly Offer[]; none?: string };

/** What a gate says could be remembered, in words. */
export function offersOf({ remember, notRemembered }: Pick<QuestionView, "remember" | "notRemembered">): Offers {
  const offers = remember.map(({ label, coveredBefore, outOf, covers, waiting }) => {
    const before = EN.cover.before(coveredBefore, outOf);
    const more = waiting.length === 0 ? "" : `; covers ${waiting.length} more waiting ${callsText(waiting.length)}`;
    return { text: `${visible(label)}; ${before}${more}`, covers, waiting };
  });
  return { offers, ...(notRemembered === undefined ? {} : { none: visible(notRemembered) }) };
}

function callsText(count: number): string {
  return count === 1 ? "call" : "calls";
}

/** The one of this number, counted from 1. */
export function offerAt({ offers, none }: Offers, width: string): Offer {
  if (offers.length === 0)
    throw new Failure(1, `this cannot be remembered: ${none ?? "no grant fits it"}`, "approve it without --remember");
  const offer = /^[1-9]$/.test(width) ? offers[Number(width) - 1] : undefined;
  if (offer === undefined)
    throw usage(`there is no offer ${width}`, `choose from 1 to ${offers.length}; \`leeway show\` lists them`);
  return offer;
}
