import { type Approval, stateAt } from "../../core/approval.ts";
import { review } from "../../gate/review.ts";
import { cardOf, cardText } from "../card.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { findApproval } from "../lookup.ts";
import { AS_OPTION, needTerminal, prove } from "../person.ts";
import { type Offer, offerFor } from "../remembering.ts";
import { type CommandSpec, first, type Given, needed, text } from "../spec.ts";
import { wrap } from "../table.ts";
import { answeredText } from "../texts.ts";
import { lasting } from "../time.ts";

const ID = ["<id>", "the question, or a start of its id that fits only one"] as const;

export const approve: CommandSpec = {
  name: "approve",
  summary: "say yes to exactly the call that a question shows",
  args: [ID],
  options: [
    ["--note <text>", "a word for the agent and the record"],
    ["--remember <span>", "let the like of it pass for a while: 24h, 5x, or both as 24h,5x"],
    ["--digest <digest>", "refuse unless the question is about this digest"],
    AS_OPTION,
  ],
  examples: ["leeway approve apr_019a8b3c4d5e", "leeway approve apr_019a8b3c4d5e --remember 24h --note 'go on today'"],
  exits: [0, 1, 2, 5],
  act: (given) => answer(given, "approve"),
};

export const deny: CommandSpec = {
  name: "deny",
  summary: "say no, and why",
  args: [ID],
  options: [["--note <text>", "why, for the agent and the record"], AS_OPTION],
  examples: ["leeway deny apr_019a8b3c4d5e --note 'not on a Friday'"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    needed(given, "note", "say why, so that the agent can do something else");
    return answer(given, "deny");
  },
};

async function answer(given: Given, verdict: "approve" | "deny"): Promise<number> {
  const remember = text(given, "remember");
  const lasts = remember === undefined ? undefined : lasting(remember, given.io.clock.nowMs());
  needTerminal(given.io, `${verdict} a call`);
  return withGate(given, async (deps) => {
    const asked = await findApproval(deps, first(given));
    const state = stateAt(asked, deps.clock.nowMs());
    if (state !== "pending") throw new Failure(1, `${asked.id} is ${state} already`, "nothing is left to answer");
    const digest = seenDigest(given, asked);
    const offer = lasts === undefined ? undefined : await offered(deps, asked);
    given.out.note(cardText(given.out, await cardOf(deps, asked)));
    if (offer !== undefined) given.out.note(wrap(`this will pass without asking: ${offer.text}`, given.out.width));
    const { name } = await prove(given, deps, `${verdict} this`);
    const reviewed = orFail(
      await review(deps, asked.id, {
        by: name,
        verdict,
        digest,
        note: text(given, "note") ?? "",
        assurance: "tty",
        bulk: false,
        ...(offer === undefined ? {} : { remember: { ...lasts, covers: offer.covers } }),
      }),
    );
    given.out.answer(reviewed.value, () => wrap(answeredText(reviewed.value, deps.clock.nowMs()), given.out.width));
    return 0;
  });
}

async function offered(deps: Opened, asked: Approval): Promise<Offer> {
  const offer = await offerFor(deps, asked.id);
  if (offer !== undefined) return offer;
  throw new Failure(1, "this cannot be remembered: the like of it cannot be told", "approve it without --remember");
}

/** What the person saw is what the card showed, unless they named it themselves. */
function seenDigest(given: Given, asked: Approval): Approval["digest"] {
  const named = text(given, "digest");
  if (named === undefined) return asked.digest;
  if (!/^sha256:[0-9a-f]{64}$/.test(named))
    throw usage(`\`${named}\` is not a digest`, "copy it whole from `leeway show`");
  return named as Approval["digest"];
}
