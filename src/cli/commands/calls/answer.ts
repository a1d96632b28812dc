import { type Approval, stateAt } from "../../../core/approval.ts";
import { Failure, usage } from "../../failure.ts";
import type { CommandGate } from "../../gate/command-gate.ts";
import { withGate } from "../../gate/with-gate.ts";
import { idGiven, questionMeant } from "../../lookup.ts";
import { AS_OPTION, needActor } from "../../person.ts";
import { type CommandInput, type CommandSpec, flag, needed, text } from "../../spec.ts";
import { wrap } from "../../terminal/table.ts";
import { lasting } from "../../terminal/time.ts";
import { cardText } from "../../views/card.ts";
import { type Offer, offerAt, offersOf } from "../../views/grant-offers.ts";
import { answeredText, shortId } from "../../views/texts.ts";

const ID = ["<id>", "the id of the question, or its beginning, if no other id begins like that"] as const;

export const approve: CommandSpec = {
  name: "approve",
  summary: "approve exactly the call that a question shows",
  args: [ID],
  options: [
    ["--note <text>", "a note for the agent and the record"],
    [
      "--remember <span>",
      "approve the same kind of call in advance: for a time (24h), a number of uses (5x), or both (24h,5x)",
    ],
    [
      "--width <width>",
      "what to remember: 1 (the narrowest) or another number, as `leeway show` lists them, or project: the code of this project (default: 1)",
    ],
    ["--also", "also approve the agent's other waiting calls that the new grant covers"],
    ["--digest <digest>", "approve only if the question has this digest"],
    AS_OPTION,
  ],
  examples: [
    "leeway approve apr_019a8b3c4d5e",
    "leeway approve apr_019a8b3c4d5e --remember 24h --note 'fine for today'",
    "leeway approve apr_019a8b3c4d5e --remember 7d --width project",
  ],
  exits: [0, 1, 2, 5],
  act: (given) => answer(given, "approve"),
};

export const deny: CommandSpec = {
  name: "deny",
  summary: "deny a call, with a reason",
  args: [ID],
  options: [["--note <text>", "the reason, for the agent and the record"], AS_OPTION],
  examples: ["leeway deny apr_019a8b3c4d5e --note 'not on a Friday'"],
  exits: [0, 1, 2, 5],
  act: async (given) => {
    needed(given, "note", "give a reason, so that the agent can do something else");
    return answer(given, "deny");
  },
};

async function answer(given: CommandInput, verdict: "approve" | "deny"): Promise<number> {
  const remember = text(given, "remember");
  // Parsed once before the passphrase prompt, so that a wrong time is reported first.
  if (remember !== undefined) lasting(remember, 0);
  else
    for (const [option, isGiven] of [
      ["--width", text(given, "width") !== undefined],
      ["--also", flag(given, "also")],
    ] as const)
      if (isGiven) throw usage(`${option} needs --remember`, "add how long, as in --remember 24h");
  needActor(given.io, `${verdict} a call`);
  return withGate(given, async (gate) => {
    if (remember !== undefined) gate.ensureFresh("--remember");
    const lasts = remember === undefined ? undefined : lasting(remember, gate.nowMs());
    const asked = await questionMeant(gate, idGiven(given));
    const { id } = asked.row;
    const state = stateAt(asked.row, gate.nowMs());
    if (state !== "pending") throw new Failure(1, `${id} is ${state} already`, "the question is already closed");
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

/** Shows what the grant will allow, and which other waiting calls it covers, before anything is approved. */
async function tellOffer(given: CommandInput, gate: CommandGate, offer: Offer, also: Offer["waiting"]): Promise<void> {
  given.out.note(wrap(`calls like this will run without a question: ${offer.text}`, given.out.width));
  if (offer.waiting.length === 0) return;
  given.out.note(
    also.length > 0 ? "also approved:" : "the grant also covers these waiting calls; add --also to approve them too:",
  );
  for (const { id } of offer.waiting) {
    const { lead } = (await questionMeant(gate, id)).card;
    given.out.note(wrap(`  ${shortId(id)}  ${lead}`, given.out.width));
  }
}

/** The digest of what the card showed, unless the person named a digest. */
function seenDigest(given: CommandInput, asked: Approval): Approval["digest"] {
  const named = text(given, "digest");
  if (named === undefined) return asked.digest;
  if (!/^sha256:[0-9a-f]{64}$/.test(named))
    throw usage(`\`${named}\` is not a digest`, "copy the whole digest from `leeway show`");
  return named as Approval["digest"];
}
