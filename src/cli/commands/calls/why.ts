import { withGate } from "../../gate/with-gate.ts";
import { idGiven } from "../../lookup.ts";
import type { CommandSpec } from "../../spec.ts";
import { boxedIn, callText } from "../../views/call-view.ts";
import { entryLine, shortId } from "../../views/texts.ts";

export const why: CommandSpec = {
  name: "why",
  summary: "explain a decision in full, and show what happened then",
  args: [["<id>", "the id of a call, question or execution, or the start of it"]],
  examples: ["leeway why call_019a8b3c4d5e", "leeway why apr_019a8b3c4d5e --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const { out } = given;
      const found = await gate.why(idGiven(given));
      const { asks } = found;
      // The next step, as long as the question is open.
      const next = asks && `answer it in \`leeway inbox\`, or with \`leeway approve ${shortId(asks)}\``;
      out.answer(found, () =>
        [
          callText(out, found, found.does, { next, ...boxedIn(found), came: found.came }),
          ...found.history.map((entry) => entryLine(out, entry)),
        ].join("\n"),
      );
      return 0;
    }),
};
