import { inOrAgo } from "../../core/show/when.ts";
import { withGate } from "../gate/with-gate.ts";
import { itemMaker } from "../inbox/items.ts";
import { inboxLoop } from "../inbox/loop.ts";
import { hasPerson } from "../io.ts";
import { moreLines, toldLine } from "../notice-lines.ts";
import { AS_OPTION } from "../person.ts";
import type { CommandSpec } from "../spec.ts";
import { table } from "../table.ts";
import { shortId } from "../texts.ts";

export const inbox: CommandSpec = {
  name: "inbox",
  summary: "show the questions that wait for an answer, and the notices; in a terminal you can answer there",
  options: [AS_OPTION],
  examples: ["leeway inbox", "leeway inbox --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      if (hasPerson(given.io) && given.io.stdout.isTTY === true && !given.out.json) {
        await inboxLoop(given.io, gate);
        return 0;
      }
      const notices = await gate.told();
      const inbox = await gate.inbox();
      const { more } = inbox;
      const items = itemMaker()(inbox, given.out.width);
      const nowMs = gate.nowMs();
      given.out.answer({ questions: items.map(({ card, ...item }) => item), more, notices }, () =>
        [
          items.length === 0
            ? "Nothing is waiting for you."
            : table(
                given.out,
                ["ID", "AGENT", "ANSWER BY", "WHAT"],
                items.map((item) => [shortId(item.id), item.agent, inOrAgo(item.answerByMs, nowMs), item.title]),
              ),
          ...moreLines(more),
          toldLine(notices),
        ].join("\n"),
      );
      return 0;
    }),
};
