import { once } from "node:events";
import { exportLedger } from "../../gate/ledger.ts";
import { trustExport } from "../../gate/trust.ts";
import { usage } from "../failure.ts";
import { withGate } from "../gate.ts";
import { type CommandSpec, type Given, oneOf, text } from "../spec.ts";

const FORMATS = ["jsonl", "opentrustgraph"] as const;

export const exportRecord: CommandSpec = {
  name: "export",
  summary: "write the record to stdout, for keeping elsewhere or for other programs",
  options: [
    ["--format <format>", `${FORMATS.join(" | ")} (default: jsonl)`],
    ["--agent <name>", "opentrustgraph: the track record of this agent only"],
  ],
  examples: ["leeway export > record.jsonl", "leeway export --format opentrustgraph --agent coder > coder.json"],
  exits: [0, 1, 2],
  act: (given) =>
    withGate(given, async (deps) => {
      const format = oneOf(text(given, "format") ?? "jsonl", FORMATS, "format");
      if (format === "jsonl" && text(given, "agent") !== undefined)
        throw usage(
          "--agent is for --format opentrustgraph",
          "the record is exported whole: a part of it proves nothing",
        );
      if (format === "jsonl") {
        for await (const line of exportLedger(deps)) await write(given, `${line}\n`);
      } else {
        const agent = text(given, "agent");
        await write(
          given,
          `${JSON.stringify(await trustExport(deps, agent === undefined ? {} : { agent }), null, 2)}\n`,
        );
      }
      return 0;
    }),
};

/** As fast as the reader reads, however long the record is. */
async function write(given: Given, chunk: string): Promise<void> {
  if (!given.io.stdout.write(chunk)) await once(given.io.stdout, "drain");
}
