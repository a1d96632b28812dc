import { type Approval, stateAt } from "../../core/approval.ts";
import { cardText } from "../card.ts";
import { Failure, usage } from "../failure.ts";
import type { CommandGate } from "../gate/command-gate.ts";
import { withGate } from "../gate/with-gate.ts";
import { idGiven, questionMeant } from "../lookup.ts";
import { AS_OPTION, needActor } from "../person.ts";
import { type Offer, offerAt, offersOf } from "../remembering.ts";
import { type CommandSpec, flag, type Given, needed, text } from "../spec.ts";
import { wrap } from "../table.ts";
import { answeredText, shortId } from "../texts.ts";
import { lasting } from "../time.ts";

const ID = ["<id>", "the question, or a start of its id that fits only one"] as const;

export const approve: CommandSpec = {
  name: "approve",
  summary: "say yes to exactly the call that a question shows",
  args: [ID],
  options: [
    ["--note <text>", "a word for the agent and the record"],
    ["--remember <span>", "do not ask again for a while: 24h, 5x, or both as 24h,5x"],
    ["--width <n>", "which of the offers that `leeway show` lists: 1, the narrowest, unless you say 2 or 3"],
    ["--also", "approve the agent's other waiting calls as well that what you remember covers"],
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
  // Read once now, so that a mistyped time is told before anybody types a passphrase.
  if (remember !== undefined) lasting(remember, 0);
  else
    for (const [option, isGiven] of [
      ["--width", text(given, "width") !== undefined],
      ["--also", flag(given, "also")],
    ] as const)
      if (isGiven) throw usage(`${option} is for --remember`, "say for how long, as in --remember 24h");
  needActor(given.io, `${verdict} a call`);
  return withGate(given, async (gate) => {
    if (remember !== undefined) gate.ensureFresh("--remember");
    const lasts = remember === undefined ? undefined : lasting(remember, gate.nowMs());
    const asked = await questionMeant(gate, idGiven(given));
    const { id } = asked.row;
    const state = stateAt(asked.row, gate.nowMs());
    if (state !== "pending") throw new Failure(1, `${id} is ${state} already`, "nothing is left to answer");
    const digest = seenDigest(given, asked.row);
    const offer = lasts === undefined ? undefined : offerAt(offersOf(asked), text(given, "width") ?? "1");
    given.out.note(cardText(given.out, asked.card));
    const also = flag(given, "also") ? (offer?.waiting ?? []) : [];
    if (offer !== undefined) await tellOffer(given, gate, offer, also);
    const person = await gate.prove(`${verdict} this`);
    const remembered = offer === undefined ? {} : { remember: { ...lasts, covers: offer.covers, also } };
    const reviewed = await person.review(id, { verdict, digest, note: text(given, "note") ?? "", ...remembered });
    given.out.answer(reviewed, () => wrap(answeredText(reviewed, gate.nowMs()), given.out.width));
    return 0;
  });
}

/** What will pass without asking, and which other waiting calls it covers: each is named before it is approved. */
async function tellOffer(given: Given, gate: CommandGate, offer: Offer, also: Offer["waiting"]): Promise<void> {
  given.out.note(wrap(`this will pass without asking: ${offer.text}`, given.out.width));
  if (offer.waiting.length === 0) return;
  given.out.note(
    also.length > 0 ? "approved with it:" : "waiting calls that it covers; add --also to approve them with it:",
  );
  for (const { id } of offer.waiting) {
    const { lead } = (await questionMeant(gate, id)).card;
    given.out.note(wrap(`  ${shortId(id)}  ${lead}`, given.out.width));
  }
}

/** What the person saw is what the card showed, unless they named it themselves. */
function seenDigest(given: Given, asked: Approval): Approval["digest"] {
  const named = text(given, "digest");
  if (named === undefined) return asked.digest;
  if (!/^sha256:[0-9a-f]{64}$/.test(named))
    throw usage(`\`${named}\` is not a digest`, "copy it whole from `leeway show`");
  return named as Approval["digest"];
}
