import type { Execution } from "../../core/execution.ts";
import { reconcile } from "../../gate/reconcile.ts";
import { cardOf, cardText } from "../card.ts";
import { Failure, orFail, usage } from "../failure.ts";
import { type Opened, withGate } from "../gate.ts";
import { findAny } from "../lookup.ts";
import { AS_OPTION, prove } from "../person.ts";
import { type CommandSpec, first, type Given, oneOf, text } from "../spec.ts";
import { rowText } from "../texts.ts";
import { keepTime } from "../timekeeping.ts";

export const show: CommandSpec = {
  name: "show",
  summary: "show a question, a call, an execution or a grant as it stands now",
  args: [["<id>", "its id, or a start of it that fits only one"]],
  options: [
    ["--settle <how>", "for an execution nobody knows the end of: ok or failed"],
    ["--note <text>", "how you know, for the record"],
    AS_OPTION,
  ],
  examples: ["leeway show apr_019a8b3c4d5e", "leeway show exe_019a8b3c4d5e --settle failed --note 'no such deploy'"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withGate(given, async (deps) => {
      await keepTime(deps);
      const found = await findAny(deps, first(given));
      if (text(given, "settle") !== undefined) return settle(given, deps, found);
      if (found.table === "approvals") {
        const card = await cardOf(deps, found.row);
        given.out.answer({ ...found.row, card }, () => cardText(given.out, card));
      } else {
        given.out.answer(found.row, () => rowText(given.out, found.row, given.io.clock.nowMs()));
      }
      return 0;
    }),
};

/** Only a person can say how something ended that nobody saw end. */
async function settle(given: Given, deps: Opened, found: Awaited<ReturnType<typeof findAny>>): Promise<number> {
  const how = oneOf(text(given, "settle") ?? "", ["ok", "failed"] as const, "--settle");
  const note = text(given, "note");
  if (note === undefined) throw usage("--note is missing", "say how you know, as in --note 'the release is online'");
  if (found.table !== "executions")
    throw new Failure(1, `${first(given)} is not an execution`, "give the id that starts with exe_");
  const { name } = await prove(given, deps, "settle an execution");
  const settled = orFail(await reconcile(deps, found.row.id, { by: name, ok: how === "ok", note, assurance: "tty" }));
  const row: Execution = settled.value;
  given.out.answer(row, () => `${row.id} is ${row.state}`);
  return 0;
}
