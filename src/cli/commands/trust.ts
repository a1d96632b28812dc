import { visible } from "../../core/values/text.ts";
import { trustImport } from "../../gate/record/trust.ts";
import { importedText, trustText } from "../agent-view.ts";
import { Failure, usage } from "../failure.ts";
import { fileText } from "../files.ts";
import { withGate } from "../gate/with-gate.ts";
import { type CommandSpec, first, type Given, text } from "../spec.ts";

export const trust: CommandSpec = {
  name: "trust",
  summary: "an agent's track record, per class of effect; it may suggest, never give",
  args: [["[agent]", "its name"]],
  options: [
    ["--import <file>", "a record that somebody exported, instead: every hash and link is checked, nothing is stored"],
  ],
  examples: ["leeway trust coder", "leeway trust coder --json", "leeway trust --import their-coder.json"],
  exits: [0, 1, 2],
  act: async (given) => {
    const file = text(given, "import");
    if ((file === undefined) === (given.args[0] === undefined))
      throw usage("a record is an agent's, or a file's", "name the agent, or give --import FILE");
    if (file !== undefined) return imported(given, file);
    const record = await withGate(given, (gate) => gate.trust(first(given)));
    given.out.answer(record, () => trustText(given.out, record));
    return 0;
  },
};

/** Somebody else's word, read and believed in nothing but that nobody changed it. */
async function imported(given: Given, file: string): Promise<number> {
  const read = trustImport(fileText(file));
  if (!read.ok) {
    const where = read.at === 0 ? "the file" : `record ${read.at}`;
    throw new Failure(
      1,
      `${visible(file)} does not hold: ${where}: ${read.why}`,
      "ask whoever exported it for another",
    );
  }
  given.out.answer(read, () => importedText(given.out, read.records));
  return 0;
}
