import { nameText } from "../../../core/letters/name-text.ts";
import { inOrAgo } from "../../../core/show/when.ts";
import { visible, visibleOnOneLine } from "../../../core/values/text.ts";
import type { DeadView } from "../../../service/views/channels.ts";
import { withGate } from "../../gate/with-gate.ts";
import { AS_OPTION } from "../../person.ts";
import { type CommandSpec, first } from "../../spec.ts";
import type { Out } from "../../terminal/io.ts";
import { wrap } from "../../terminal/table.ts";

const dead: CommandSpec = {
  name: "notices dead",
  summary: "list the messages to people that could not be delivered, and why",
  examples: ["leeway notices dead", "leeway notices dead --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const notices = await gate.deadNotices();
      given.out.answer(notices, () => deadText(given.out, notices, gate.nowMs()));
      return 0;
    }),
};

function deadText(out: Out, notices: readonly DeadView[], nowMs: number): string {
  if (notices.length === 0) return "No notice was given up.";
  return notices
    .flatMap(({ id, title, kind, to, channel, why, atMs }) => [
      `${out.colours.bold(id)}  ${visible(title === "" ? kind : title)}`,
      wrap(
        `to ${nameText(to)} by ${channel}, given up ${inOrAgo(atMs, nowMs)}: ${visibleOnOneLine(why)}`,
        out.width,
        "  ",
      ),
    ])
    .join("\n");
}

const retry: CommandSpec = {
  name: "notices retry",
  summary: "send a message again that was given up",
  args: [["<id>", "the id of the notice, as `leeway notices dead` shows it"]],
  options: [AS_OPTION],
  examples: ["leeway notices retry ntc_0197a1b2c3d4"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withGate(given, async (gate) => {
      const { id, state } = await (await gate.prove("send a notice again")).retryNotice(first(given));
      given.out.answer({ id, state }, () => `${id} will be sent again by the server`);
      return 0;
    }),
};

export const notices = [dead, retry];
