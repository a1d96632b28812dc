import { inOrAgo } from "../../../core/show/when.ts";
import { withGate } from "../../gate/with-gate.ts";
import { itemMaker } from "../../inbox/items.ts";
import { inboxLoop } from "../../inbox/loop.ts";
import { AS_OPTION } from "../../person.ts";
import type { CommandSpec } from "../../spec.ts";
import { flag } from "../../spec.ts";
import { hasPerson } from "../../terminal/io.ts";
import { table } from "../../terminal/table.ts";
import { moreLines, toldLine } from "../../views/notice-lines.ts";
import { shortId } from "../../views/texts.ts";

export const inbox: CommandSpec = {
  name: "inbox",
  summary: "show the questions that wait for an answer, and the notices; in a terminal you can answer there",
  options: [["--snoozed", "list only what you have put aside, without the screen"], AS_OPTION],
  examples: ["leeway inbox", "leeway inbox --json", "leeway inbox --snoozed"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const isAside = flag(given, "snoozed");
      if (hasPerson(given.io) && given.io.stdout.isTTY === true && !given.out.json && !isAside) {
        await inboxLoop(given.io, gate);
        return 0;
      }
      const notices = await gate.told();
      const inbox = await gate.inbox(isAside ? "aside" : "waiting");
      const { more } = inbox;
      const nowMs = gate.nowMs();
      const items = itemMaker()(inbox, given.out.width, nowMs);
      given.out.answer({ questions: items.map(({ card, ...item }) => item), more, notices }, () =>
        [
          items.length === 0
            ? isAside
              ? "You have put nothing aside."
              : "Nothing is waiting for you."
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
