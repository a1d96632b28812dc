import type { Approval } from "../core/approval.ts";
import type { Deps } from "../gate/deps.ts";
import { reviewBy } from "../service/reviews.ts";
import type { TypeOf } from "../service/shape.ts";
import type { ANSWER } from "../service/shapes/review.ts";
import { actingOf } from "./person.ts";
import type { Asked } from "./request.ts";

/** One person's answer, by the API or by a page: who they are, and how fresh their proof is, was proved and not said. */
export function answeredBy(
  deps: Deps,
  asked: Pick<Asked, "who">,
  id: string,
  answer: TypeOf<typeof ANSWER>,
): Promise<Approval> {
  const { by, ...sure } = actingOf(asked);
  return reviewBy(deps, id, { ...answer, by }, sure);
}
