import { type Approval, stateAt } from "../../core/approval.ts";
import { cardText } from "../card.ts";
import { seenDigest } from "../commands/answer.ts";
import { Failure, usage } from "../failure.ts";
import { first, type Given, needed, text } from "../spec.ts";
import { wrap } from "../table.ts";
import { answeredText } from "../texts.ts";
import { questionAt } from "./questions.ts";
import { personThere, type There } from "./server.ts";

/** The token is the proof: whoever may answer here made it for that. */
export async function answerThere(given: Given, there: There, verdict: "approve" | "deny"): Promise<number> {
  if (verdict === "deny") needed(given, "note", "say why, so that the agent can do something else");
  for (const option of ["remember", "width", "also"])
    if (given.options[option] !== undefined)
      throw usage(`--${option} takes a fresh sign-in, and a token is none`, `remember it in ${there.pages.all}`);
  const asked = await questionAt(there, first(given));
  const nowMs = given.io.clock.nowMs();
  const state = stateAt(asked, nowMs);
  if (state !== "pending") throw new Failure(1, `${asked.id} is ${state} already`, "nothing is left to answer");
  const note = text(given, "note");
  const answer = { verdict, digest: seenDigest(given, asked), ...(note === undefined ? {} : { note }) };
  given.out.note(cardText(given.out, asked.card));
  const by = await personThere(there, given);
  const reviewed: Approval = await there.gate.review(asked.id, { ...answer, by });
  given.out.answer(reviewed, () => wrap(answeredText(reviewed, nowMs), given.out.width));
  return 0;
}
