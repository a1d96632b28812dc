import { eraseBody } from "../../../gate/record/ledger.ts";
import { orFail, usage } from "../../failure.ts";
import { withDatabase } from "../../gate/database.ts";
import { AS_OPTION, prove } from "../../person.ts";
import { type CommandInput, type CommandSpec, first, text } from "../../spec.ts";

export const erase: CommandSpec = {
  name: "erase",
  summary: "erase the content of an entry; the entry itself, who erased it and why stay in the record",
  args: [["<entry>", "its number, as `leeway log` shows it"]],
  options: [["--because <text>", "the reason; it is kept forever, so do not repeat what you erase"], AS_OPTION],
  examples: ["leeway erase 217 --because 'it named a customer'"],
  exits: [0, 1, 2, 5],
  act: (given) =>
    withDatabase(given, async (deps) => {
      const [index, because] = [entryOf(given), text(given, "because")];
      if (because === undefined) throw usage("the reason is kept in the record", "give --because");
      const { name: by } = await prove(given, deps, `erase the content of entry ${index}`);
      const erased = orFail(await eraseBody(deps, index, { by, assurance: "tty", because }));
      given.out.answer(erased.value, () => `erased the content of entry ${index}; the entry itself stays`);
      return 0;
    }),
};

function entryOf(given: CommandInput): number {
  const index = Number(first(given));
  if (Number.isSafeInteger(index) && index > 0) return index;
  throw usage(`${first(given)} is not the number of an entry`, "`leeway log` shows the numbers");
}
