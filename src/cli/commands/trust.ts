import { visible } from "../../core/values/text.ts";
import { trustImport, trustOf } from "../../gate/record/trust.ts";
import { importedText, trustText } from "../agent-view.ts";
import { Failure, usage } from "../failure.ts";
import { fileText, withGate } from "../gate.ts";
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
  act: (given) => trackRecord(given, (agent) => withGate(given, (deps) => trustOf(deps, agent))),
};

type Recorded = Parameters<typeof trustText>[1];

/** `recordOf` asks the gate of this machine or a server; a file needs neither. */
export async function trackRecord(given: Given, recordOf: (agent: string) => Promise<Recorded>): Promise<number> {
  const file = text(given, "import");
  if ((file === undefined) === (given.args[0] === undefined))
    throw usage("a record is an agent's, or a file's", "name the agent, or give --import FILE");
  if (file !== undefined) return imported(given, file);
  const record = await recordOf(first(given));
  given.out.answer(record, () => trustText(given.out, record));
  return 0;
}

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
