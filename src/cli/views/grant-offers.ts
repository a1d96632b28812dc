import { coverAdvice } from "../../core/decide/suggest/suggest.ts";
import { EN } from "../../core/say/en.ts";
import type { GrantCover } from "../../core/standing/grant.ts";
import { visible } from "../../core/values/text.ts";
import type { Suggested } from "../../gate/standing/grants.ts";
import type { QuestionView } from "../../service/views/rows.ts";
import { Failure, usage } from "../failure.ts";

/** What a grant would allow, how often such calls were made before, and the other open questions it covers. */
export type Offer = { text: string; covers: GrantCover; waiting: Suggested["waiting"] };

/** What can be remembered, the narrowest first; `none` says why there is nothing. */
export type Offers = { offers: readonly Offer[]; none?: string };

/** The choices of a gate as text. */
export function offersOf({ remember, notRemembered }: Pick<QuestionView, "remember" | "notRemembered">): Offers {
  const offers = remember.map(({ label, coveredBefore, outOf, covers, waiting }) => {
    const before = EN.cover.before(coveredBefore, outOf);
    const more = waiting.length === 0 ? "" : `; covers ${waiting.length} more waiting ${callsText(waiting.length)}`;
    const advice = coverAdvice(covers, EN);
    const text = `${visible(label)}; ${before}${more}${advice === undefined ? "" : `. ${advice}`}`;
    return { text, covers, waiting };
  });
  return { offers, ...(notRemembered === undefined ? {} : { none: visible(notRemembered) }) };
}

function callsText(count: number): string {
  return count === 1 ? "call" : "calls";
}

/** The choice with this number, counted from 1; or `project`, the code of the project. */
export function offerAt({ offers, none }: Offers, width: string): Offer {
  if (offers.length === 0)
    throw new Failure(
      1,
      `this call cannot be remembered: ${none ?? "no grant is possible for it"}`,
      "approve it without --remember",
    );
  const isProject = ({ covers }: Offer) => covers.projectCode !== undefined;
  if (width === "project" && !offers.some(isProject))
    throw usage("this call cannot be remembered as code of the project", "run `leeway show` to see what can");
  const numbered = /^[1-9]$/.test(width) ? offers[Number(width) - 1] : undefined;
  const offer = width === "project" ? offers.find(isProject) : numbered;
  if (offer === undefined)
    throw usage(`there is no choice ${width}`, `choose from 1 to ${offers.length}; run \`leeway show\` to see them`);
  return offer;
}
