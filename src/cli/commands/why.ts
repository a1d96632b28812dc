import { type Why, whyOf } from "../../service/why.ts";
import { callText } from "../call-view.ts";
import { Failure } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { callOfRow, findAny } from "../lookup.ts";
import { type CommandSpec, first, type Given } from "../spec.ts";
import { entryLine, shortId } from "../texts.ts";

export const why: CommandSpec = {
  name: "why",
  summary: "the whole explanation of a decision, and what came of it",
  args: [["<id>", "a call, question or execution, or the start of its id"]],
  examples: ["leeway why call_019a8b3c4d5e", "leeway why apr_019a8b3c4d5e --json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (deps) =>
      explain(given, await whyOf(deps, await callMeant(deps, first(given)), { withOutput: true })),
    ),
};

export function explain(given: Given, found: Why): number {
  const { out } = given;
  const { asks } = found;
  // What can be done about it now, while somebody still can.
  const next = asks && `answer it in \`leeway inbox\`, or with \`leeway approve ${shortId(asks)}\``;
  out.answer(found, () =>
    [
      callText(out, found, found.does, { next, came: found.came }),
      ...found.history.map((entry) => entryLine(out, entry)),
    ].join("\n"),
  );
  return 0;
}

async function callMeant(deps: Opened, id: string) {
  const found = await findAny(deps, id);
  switch (found.table) {
    case "calls":
      return found.row;
    case "approvals":
    case "executions":
      return callOfRow(deps, found.row.call);
    default:
      throw new Failure(1, `${id} was not decided`, "give the id of a call, a question or an execution");
  }
}
