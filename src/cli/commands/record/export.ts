import { once } from "node:events";
import { usage } from "../../failure.ts";
import type { CommandGate } from "../../gate/command-gate.ts";
import { withGate } from "../../gate/with-gate.ts";
import { type CommandInput, type CommandSpec, oneOf, text, whole } from "../../spec.ts";
import { progress } from "../../terminal/progress.ts";

const FORMATS = ["jsonl", "opentrustgraph"] as const;

export const exportRecord: CommandSpec = {
  name: "export",
  summary: "write the record to stdout, to keep a copy or for other programs",
  options: [
    ["--format <format>", `${FORMATS.join(" | ")} (default: jsonl)`],
    ["--agent <name>", "with --format opentrustgraph: the track record of this agent only"],
    ["--entry <index>", "one entry only, with the proof that it was signed"],
  ],
  examples: [
    "leeway export > record.jsonl",
    "leeway export --format opentrustgraph --agent coder > coder.json",
    "leeway export --entry 17 > entry-17.json",
  ],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (gate) => {
      const index = whole(given, "entry");
      if (index !== undefined) return exportEntry(given, gate, index);
      const format = oneOf(text(given, "format") ?? "jsonl", FORMATS, "format");
      if (format === "jsonl" && text(given, "agent") !== undefined)
        throw usage(
          "--agent needs --format opentrustgraph",
          "leave it out: the record can only be exported as a whole",
        );
      if (format === "jsonl") {
        for await (const line of gate.exportLines()) await write(given, `${line}\n`);
      } else {
        const agent = text(given, "agent");
        const chain = await gate.trustChain(agent === undefined ? {} : { agent });
        await write(given, `${JSON.stringify(chain, null, 2)}\n`);
      }
      return 0;
    }),
};

async function exportEntry(given: CommandInput, gate: CommandGate, index: number): Promise<number> {
  const beside = ["format", "agent"].find((name) => text(given, name) !== undefined);
  if (beside !== undefined)
    throw usage(`--entry and --${beside} cannot be used together`, "there is only one format for a single entry");
  const bar = progress(given.io, "reading");
  try {
    await write(given, `${JSON.stringify(await gate.proof(index, { onProgress: bar.at }))}\n`);
  } finally {
    bar.end();
  }
  return 0;
}

/** Waits for the reader, so that memory stays small however long the record is. */
async function write(given: CommandInput, chunk: string): Promise<void> {
  if (!given.io.stdout.write(chunk)) await once(given.io.stdout, "drain");
}
