import { trustOf } from "../../gate/trust.ts";
import { trustText } from "../agent-view.ts";
import { withGate } from "../gate.ts";
import { type CommandSpec, first } from "../spec.ts";

export const trust: CommandSpec = {
  name: "trust",
  summary: "an agent's track record, per class of effect; it may suggest, never give",
  args: [["<agent>", "its name"]],
  examples: ["leeway trust coder", "leeway trust coder --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (deps) => {
      const record = await trustOf(deps, first(given));
      given.out.answer(record, () => trustText(given.out, record));
      return 0;
    }),
};
