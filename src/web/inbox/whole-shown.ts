import type { Approval } from "../../core/approval.ts";
import { say } from "../../core/messages/message.ts";
import type { Language } from "../../core/messages/text.ts";
import type { Sealed } from "../../core/secret.ts";
import type { Deps } from "../../gate/deps.ts";
import { isOpenedBy, lockOf } from "../../gate/people/secret-locks.ts";
import { badInput } from "../../service/refusal.ts";
import { cardOf } from "../../service/views/cards.ts";
import { isLong } from "./card.ts";

// Only pages show long questions in parts. So to approve one on a page, the form must contain a proof that only the
// full view has: made by the server for this question, this content and this person.

const WHOLE = "the whole was shown";

export function wholeShown(deps: Deps, approval: Approval, person: string): string {
  return lockOf(deps, WHOLE, aboutOf(approval, person));
}

/** Throws if a person would approve something that they saw only in part; the length depends on the language. */
export async function needWhole(
  deps: Deps,
  approval: Approval,
  { person, language, shown = "" }: { person: string; language: Language; shown?: string | undefined },
): Promise<void> {
  if (isOpenedBy(deps, shown as Sealed, WHOLE, aboutOf(approval, person))) return;
  if (!isLong(await cardOf(deps, approval, language))) return;
  throw badInput("whole", say("refusal.part_shown"), say("hint.show_all"));
}

function aboutOf({ id, digest }: Approval, person: string): string {
  return `${id} ${digest} ${person}`;
}
