import type { GrantCover } from "../core/grant.ts";
import { visible } from "../core/values/text.ts";
import { suggestGrants } from "../gate/grants.ts";
import { orFail } from "./failure.ts";
import type { Opened } from "./gate.ts";

/** What "remember" would let pass, literally, and how much of it there was before. */
export type Offer = { text: string; covers: GrantCover };

/** The narrowest grant that would have let the call pass; none where the like of it cannot be told. */
export async function offerFor(deps: Opened, approvalId: string): Promise<Offer | undefined> {
  const [narrowest] = orFail(await suggestGrants(deps, approvalId)).value;
  if (narrowest === undefined) return undefined;
  const { label, coveredBefore, covers } = narrowest;
  const before = `${coveredBefore} earlier ${coveredBefore === 1 ? "call" : "calls"}`;
  return { text: `${visible(label)} (it would have covered ${before})`, covers };
}
