import { inOrAgo } from "../../core/show/when.ts";
import { withGate } from "../gate.ts";
import { itemReader } from "../inbox/items.ts";
import { inboxLoop } from "../inbox/loop.ts";
import { hasPerson } from "../io.ts";
import { keyringOf } from "../keyring.ts";
import { moreLines, toldLine, toldTo } from "../notice-lines.ts";
import { AS_OPTION, personAt, personIfAny } from "../person.ts";
import { type CommandSpec, text } from "../spec.ts";
import { table } from "../table.ts";
import { shortId } from "../texts.ts";

export const inbox: CommandSpec = {
  name: "inbox",
  summary: "the questions that wait for a person, and what people were told; in a terminal, answer them there",
  options: [AS_OPTION],
  examples: ["leeway inbox", "leeway inbox --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (deps) => {
      if (hasPerson(given.io) && given.io.stdout.isTTY === true && !given.out.json) {
        const person = await personAt(deps, text(given, "as"));
        await inboxLoop(given.io, deps, keyringOf(deps, person.name));
        return 0;
      }
      const person = await personIfAny(deps, text(given, "as"));
      const told = await toldTo(deps, person?.name);
      const { items, more } = await itemReader(deps)(given.out.width);
      const nowMs = deps.clock.nowMs();
      given.out.answer({ questions: items.map(({ card, ...item }) => item), more, notices: told }, () =>
        [
          items.length === 0
            ? "Nobody is waiting for you."
            : table(
                given.out,
                ["ID", "AGENT", "ANSWER BY", "WHAT"],
                items.map((item) => [shortId(item.id), item.agent, inOrAgo(item.answerByMs, nowMs), item.title]),
              ),
          ...moreLines(more),
          toldLine(told),
        ].join("\n"),
      );
      return 0;
    }),
};
