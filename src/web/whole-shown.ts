import type { Approval } from "../core/approval.ts";
import type { Language } from "../core/messages/text.ts";
import type { Sealed } from "../core/secret.ts";
import type { Deps } from "../gate/deps.ts";
import { isOpenedBy, lockOf } from "../gate/people/secret-locks.ts";
import { cardOf } from "../service/cards.ts";
import { badInput } from "../service/refusal.ts";
import { isLong } from "./card.ts";

// What is too long is shown in part first, and only pages do that. So whoever approves it by a page has to bring what only
// the page with the whole hands out: a word of the server's own, for this question, these bytes and this person.

const WHOLE = "the whole was shown";

export function wholeShown(deps: Deps, approval: Approval, person: string): string {
  return lockOf(deps, WHOLE, aboutOf(approval, person));
}

/** Throws where somebody would approve what they were shown a part of; how long it is depends on the language. */
export async function needWhole(
  deps: Deps,
  approval: Approval,
  { person, language, shown = "" }: { person: string; language: Language; shown?: string | undefined },
): Promise<void> {
  if (isOpenedBy(deps, shown as Sealed, WHOLE, aboutOf(approval, person))) return;
  if (!isLong(await cardOf(deps, approval, language))) return;
  throw badInput("whole", "only a part of it was shown", "show everything, then approve it");
}

function aboutOf({ id, digest }: Approval, person: string): string {
  return `${id} ${digest} ${person}`;
}
