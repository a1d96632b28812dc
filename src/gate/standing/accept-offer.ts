import type { PersonName } from "../../core/ids.ts";
import { inTurn } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Assurance } from "../../core/policy.ts";
import type { Offer } from "../../core/standing/pin.ts";
import { approvalAt } from "../approvals/approval-at.ts";
import { review } from "../approvals/review.ts";
import { execute } from "../calls/execute.ts";
import type { Deps } from "../deps.ts";
import { askForPin, pinRunner, readPins } from "./pins.ts";

/** A person who has just seen an offer accepts it: the question is opened, answered, and its call is done. */
export async function acceptOffer(
  deps: Deps,
  offer: Offer,
  { by, assurance }: { by: PersonName; assurance: Assurance },
): Promise<{ ok: true } | { ok: false; why: string }> {
  deps.runners.set(pinRunner().name, pinRunner());
  const pins = await readPins(deps, offer.upstream);
  const held = pins.of(offer);
  if (held?.state === "accepted") return { ok: true };
  const receipt = held?.state === "asked" ? undefined : await askForPin(deps, offer, pins.before(offer));
  const id = receipt?.approvalId ?? held?.approvalId;
  const asked = id === undefined ? undefined : (await approvalAt(deps, id))?.row;
  if (asked === undefined) return { ok: false, why: receipt?.decision.because.join("; ") ?? "nobody was asked" };
  const given = { by, assurance, verdict: "approve", digest: asked.digest, note: "", bulk: false } as const;
  const reviewed = await review(deps, asked.id, given);
  if (!reviewed.ok) return { ok: false, why: textOf(inTurn([reviewed.reason, reviewed.hint]), "en") };
  if (reviewed.value.state === "approved") await execute(deps, reviewed.value.executionId);
  return { ok: true };
}
