import type { GrantCover } from "../core/grant.ts";
import { visible } from "../core/values/text.ts";
import { type Suggested, suggestGrants } from "../gate/grants.ts";
import { Failure, orFail, usage } from "./failure.ts";
import type { Opened } from "./gate.ts";

/** What "remember" would let pass, literally, and how much of it there was before. */
export type Offer = { text: string; covers: GrantCover };

/** Grants that would have let the call pass, the narrowest first; none where the like of it cannot be told. */
export async function offersFor(deps: Opened, approvalId: string): Promise<readonly Offer[]> {
  return offersOf(orFail(await suggestGrants(deps, approvalId)).value);
}

export function offersOf(suggested: readonly Suggested[]): readonly Offer[] {
  return suggested.map(({ label, coveredBefore, outOf, covers }) => {
    const last = outOf === 1 ? "call" : `${outOf} calls`;
    return { text: `${visible(label)} (it would have covered ${coveredBefore} of the last ${last})`, covers };
  });
}

/** The one of this number, counted from 1. */
export function offerAt(offers: readonly Offer[], width: string): Offer {
  if (offers.length === 0)
    throw new Failure(1, "this cannot be remembered: the like of it cannot be told", "approve it without remembering");
  const offer = /^[1-9]$/.test(width) ? offers[Number(width) - 1] : undefined;
  if (offer === undefined)
    throw usage(`there is no offer ${width}`, `choose from 1 to ${offers.length}; \`leeway show\` lists them`);
  return offer;
}
