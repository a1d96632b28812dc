import { visible } from "../../../core/values/text.ts";
import { trustImport } from "../../../gate/record/trust.ts";
import { Failure, usage } from "../../failure.ts";
import { withGate } from "../../gate/with-gate.ts";
import { type CommandInput, type CommandSpec, first, text } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import { importedText, trustText } from "../../views/agent-view.ts";

export const trust: CommandSpec = {
  name: "trust",
  summary: "show the track record of an agent, by class of effect; it can suggest a tier, but never change one",
  args: [["[agent]", "its name"]],
  options: [
    ["--import <file>", "check an exported track record instead: every hash and link is checked, nothing is stored"],
  ],
  examples: ["leeway trust coder", "leeway trust coder --json", "leeway trust --import their-coder.json"],
  exits: [0, 1, 2],
  act: async (given) => {
    const file = text(given, "import");
    if ((file === undefined) === (given.args[0] === undefined))
      throw usage("name either an agent or a file", "give the name of the agent, or --import FILE");
    if (file !== undefined) return imported(given, file);
    const record = await withGate(given, (gate) => gate.trust(first(given)));
    given.out.answer(record, () => trustText(given.out, record));
    return 0;
  },
};

/** An exported record of somebody else: it is only checked for changes, and not trusted in any other way. */
async function imported(given: CommandInput, file: string): Promise<number> {
  const read = trustImport(fileText(file));
  if (!read.ok) {
    const where = read.at === 0 ? "the file" : `record ${read.at}`;
    throw new Failure(
      1,
      `${visible(file)} is not valid: ${where}: ${read.why}`,
      "ask the person who exported it for a new export",
    );
  }
  given.out.answer(read, () => importedText(given.out, read.records));
  return 0;
}
