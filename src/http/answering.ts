import type { Approval } from "../core/approval.ts";
import type { Deps } from "../gate/deps.ts";
import { type ReviewInput, reviewFor } from "../service/reviews.ts";
import { actingOf } from "./person.ts";
import type { Asked } from "./request.ts";

/** One person's answer, by the API or by a page: who they are, and how fresh their proof is, was proved and not said. */
export function answeredBy(deps: Deps, asked: Asked, id: string, answer: Omit<ReviewInput, "by">): Promise<Approval> {
  const { by, ...sure } = actingOf(asked);
  return reviewFor(deps, id, { ...answer, by }, sure);
}
