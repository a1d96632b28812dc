import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type NoteKey, parseVerifierKey } from "../../core/record/checkpoint.ts";
import { type Proved, verifyProof } from "../../core/record/proof.ts";
import { rowFaultText } from "../../core/record/row-fault.ts";
import type { Verified } from "../../core/record/verify.ts";
import { visible } from "../../core/values/text.ts";
import { verifyLedger, verifyLines } from "../../gate/record/ledger.ts";
import { Failure, usage } from "../failure.ts";
import { fileText } from "../files.ts";
import { withDatabase } from "../gate/database.ts";
import type { Out } from "../io.ts";
import { progress } from "../progress.ts";
import { type CommandSpec, type Given, needed, text } from "../spec.ts";
import { cut, wrap } from "../table.ts";

export const verify: CommandSpec = {
  name: "verify",
  summary: "prove that the record is whole: nothing changed, left out or cut off",
  options: [
    ["--file <export>", "verify an exported record instead of the database"],
    ["--proof <file>", "verify one entry, as `leeway export --entry` writes it; takes --key"],
    ["--checkpoint <note>", "with --file: compare it with this signed checkpoint"],
    ["--key <key>", "who must have signed the checkpoint or the proof, as `leeway status` prints it"],
  ],
  examples: [
    "leeway verify",
    "leeway export > record.jsonl && leeway verify --file record.jsonl",
    "leeway verify --file record.jsonl --checkpoint 1000.note --key leeway/default/9f2c+1a2b3c4d+AbC",
    "leeway verify --proof entry-17.json --key leeway/default/9f2c+1a2b3c4d+AbC",
  ],
  exits: [0, 1, 2],
  act: async (given) => {
    const proof = text(given, "proof");
    if (proof !== undefined) return verifyEntry(given, proof);
    const file = text(given, "file");
    const against = notesOf(given, file);
    const verified = await verifiedOf(given, file, against);
    if (!verified.ok) throw brokenBy(given.out, verified);
    const hasNotes = file === undefined || against.notes.length > 0;
    given.out.answer(verified, () => verifiedText(given.out, verified, { hasNotes }));
    return 0;
  },
};

/** What an export is compared with. A signature proves nothing to who does not say whose it must be. */
function notesOf(given: Given, file: string | undefined): { notes: readonly string[]; key?: NoteKey } {
  const [checkpoint, key] = [text(given, "checkpoint"), text(given, "key")];
  if (checkpoint === undefined && key === undefined) return { notes: [] };
  if (file === undefined) {
    throw usage("a checkpoint is compared with an export", "add --file; the database is compared with its own");
  }
  if (checkpoint === undefined || key === undefined) {
    throw usage("--checkpoint and --key belong together", "`leeway status` prints the key after `signed by`");
  }
  return { notes: [fileText(checkpoint)], key: keyFrom(key) };
}

function keyFrom(text: string): NoteKey {
  const key = parseVerifierKey(text);
  if (key === undefined) throw usage(`${text} is not a key`, "copy it whole: name+id+key");
  return key;
}

function verifyEntry(given: Given, path: string): number {
  const beside = ["file", "checkpoint"].find((name) => text(given, name) !== undefined);
  if (beside !== undefined) throw usage(`--proof and --${beside} exclude each other`, "a proof holds its checkpoint");
  const key = keyFrom(needed(given, "key", "`leeway status` prints it after `signed by`"));
  const proved = verifyProof(fileText(path), key);
  if (!proved.ok) {
    if (given.out.json) given.out.answer(proved, () => "");
    throw new Failure(1, `the entry is not proved: ${proved.why}`, "do not trust what it says");
  }
  given.out.answer(proved, () => provedText(given.out, proved));
  return 0;
}

function provedText(out: Out, { entry, size }: Extract<Proved, { ok: true }>): string {
  const at = new Date(entry.atMs).toISOString();
  const said = `✓ entry ${entry.index} of ${size} that were signed: ${at} ${entry.kind} by ${visible(entry.actor)}`;
  return wrap(said, out.width).replace("✓", out.colours.green("✓"));
}

/** For people every row that disagrees is a line of its own; programs read them in the answer. */
function brokenBy(out: Out, verified: Extract<Verified, { ok: false }>): Failure {
  if (out.json) out.answer(verified, () => "");
  const { fault, rows } = verified;
  if (rows !== undefined) {
    if (!out.json) for (const row of rows) out.note(`${out.colours.red("✗")} ${rowFaultText(row)}`);
    const count = rows.length === 1 ? "1 row is" : `${rows.length} rows are`;
    return new Failure(1, `the chain is whole, but ${count} not what it recorded`, rows[0]?.hint ?? "");
  }
  const upTo = fault.upTo === undefined ? "" : ` to ${fault.upTo}`;
  const hint =
    fault.is === "truncated" || fault.is === "checkpoint"
      ? "find out who put it there; nothing runs until an admin says what happened with `leeway recover`"
      : "restore a backup elsewhere and compare; do not trust what follows that entry";
  return new Failure(1, `the record is broken at entry ${fault.index}${upTo}: ${fault.why}`, hint);
}

async function verifiedOf(
  given: Given,
  file: string | undefined,
  against: { notes: readonly string[]; key?: NoteKey },
): Promise<Verified> {
  if (file !== undefined) {
    fileText(file);
    const input = createReadStream(file);
    return verifyLines(createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }), against);
  }
  return withDatabase(given, async (deps) => {
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
  const whole = `✓ ${entries} ${entries === 1 ? "entry" : "entries"}, every hash right, ${signed}${rowsText(verified)}`;
  return `${wrap(whole, out.width).replace("✓", out.colours.green("✓"))}\n${cut(`  head ${hash}`, out.width)}`;
}

function rowsText({ rows }: Extract<Verified, { ok: true }>): string {
  if (rows === undefined) return "";
  const unproved = rows.unproved === 0 ? "" : ` (${rows.unproved} not proved: what made them was erased)`;
  return `, ${rows.compared} ${rows.compared === 1 ? "row" : "rows"} as recorded${unproved}`;
}

function signedText(checkpoints: number): string {
  if (checkpoints === 0) return "no checkpoint yet";
  return checkpoints === 1 ? "1 signed checkpoint agrees" : `${checkpoints} signed checkpoints agree`;
}
