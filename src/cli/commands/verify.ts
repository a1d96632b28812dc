import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Verified } from "../../core/record/verify.ts";
import { verifyLedger, verifyLines } from "../../gate/ledger.ts";
import { Failure } from "../failure.ts";
import { fileText, withGate } from "../gate.ts";
import { progress } from "../progress.ts";
import { type CommandSpec, type Given, type Out, text } from "../spec.ts";
import { cut, wrap } from "../table.ts";

export const verify: CommandSpec = {
  name: "verify",
  summary: "prove that the record is whole: nothing changed, left out or cut off",
  options: [["--file <export>", "verify an exported record instead of the database"]],
  examples: ["leeway verify", "leeway export > record.jsonl && leeway verify --file record.jsonl"],
  exits: [0, 1, 2],
  act: async (given) => {
    const verified = await verifiedOf(given, text(given, "file"));
    if (!verified.ok) {
      if (given.out.json) given.out.answer(verified, () => "");
      const upTo = verified.fault.upTo === undefined ? "" : ` to ${verified.fault.upTo}`;
      throw new Failure(
        1,
        `the record is broken at entry ${verified.fault.index}${upTo}: ${verified.fault.why}`,
        "restore a backup elsewhere and compare; do not trust what follows that entry",
      );
    }
    const hasNotes = text(given, "file") === undefined;
    given.out.answer(verified, () => verifiedText(given.out, verified, { hasNotes }));
    return 0;
  },
};

async function verifiedOf(given: Given, file: string | undefined): Promise<Verified> {
  if (file !== undefined) {
    fileText(file);
    return verifyLines(createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }), {
      notes: [],
    });
  }
  return withGate(given, async (deps) => {
    const bar = progress(given.io, "verifying");
    try {
      return await verifyLedger(deps, { onProgress: bar.at });
    } finally {
      bar.end();
    }
  });
}

/** `hasNotes`: the checkpoints lie beside what was read, so that they could be compared with it. */
export function verifiedText(
  out: Out,
  verified: Extract<Verified, { ok: true }>,
  { hasNotes }: { hasNotes: boolean },
): string {
  const { entries, checkpoints, hash } = verified;
  if (entries === 0) return "The record is empty, and that is whole.";
  const signed = hasNotes ? signedText(checkpoints) : "checkpoints were not looked at";
  const whole = `✓ ${entries} ${entries === 1 ? "entry" : "entries"}, every hash right, ${signed}`;
  return `${wrap(whole, out.width).replace("✓", out.colours.green("✓"))}\n${cut(`  head ${hash}`, out.width)}`;
}

function signedText(checkpoints: number): string {
  if (checkpoints === 0) return "no checkpoint yet";
  return checkpoints === 1 ? "1 signed checkpoint agrees" : `${checkpoints} signed checkpoints agree`;
}
