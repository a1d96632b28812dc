import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { nameText } from "../../../core/letters/name-text.ts";
import { inEnglish, textOf } from "../../../core/messages/text.ts";
import { type NoteKey, parseVerifierKey } from "../../../core/record/checkpoint.ts";
import { type Proved, verifyProof } from "../../../core/record/proof.ts";
import { rowFaultMessage } from "../../../core/record/row-fault.ts";
import type { Verified } from "../../../core/record/verify.ts";
import { verifyLedger, verifyLines } from "../../../gate/record/ledger.ts";
import { inWorkspace } from "../../authority.ts";
import { Failure, usage } from "../../failure.ts";
import { withDatabase } from "../../gate/database.ts";
import { type CommandInput, type CommandSpec, flag, needed, text } from "../../spec.ts";
import { fileText } from "../../terminal/files.ts";
import type { Out } from "../../terminal/io.ts";
import { progress } from "../../terminal/progress.ts";
import { cut, wrap } from "../../terminal/table.ts";

export const verify: CommandSpec = {
  name: "verify",
  summary: "check that the record is complete: nothing was changed, left out or cut off",
  options: [
    ["--all", "verify the record of every workspace that `leeway workspaces list` shows"],
    ["--file <export>", "verify an exported record instead of the database"],
    ["--proof <file>", "verify one entry that `leeway export --entry` wrote; needs --key"],
    ["--checkpoint <note>", "with --file: compare the file with this signed checkpoint"],
    ["--key <key>", "the key that must have signed the checkpoint or the proof, as `leeway status` prints it"],
  ],
  examples: [
    "leeway verify",
    "leeway verify --all",
    "leeway export > record.jsonl && leeway verify --file record.jsonl",
    "leeway verify --file record.jsonl --checkpoint 1000.note --key leeway/default/9f2c+1a2b3c4d+AbC",
    "leeway verify --proof entry-17.json --key leeway/default/9f2c+1a2b3c4d+AbC",
  ],
  exits: [0, 1, 2],
  act: async (given) => {
    const proof = text(given, "proof");
    if (proof !== undefined) return verifyEntry(given, proof);
    const file = text(given, "file");
    if (flag(given, "all")) return verifyAll(given, file);
    const against = notesOf(given, file);
    const verified = await verifiedOf(given, file, against);
    if (!verified.ok) throw brokenBy(given.out, verified);
    const hasNotes = file === undefined || against.notes.length > 0;
    given.out.answer(verified, () => verifiedText(given.out, verified, { hasNotes }));
    return 0;
  },
};

/** Each workspace has its own record. All are verified, also if one is broken. */
async function verifyAll(given: CommandInput, file: string | undefined): Promise<number> {
  if (file !== undefined) throw usage("--all and --file cannot be used together", "give one of them");
  // Few commands need it.
  const { workspaceNames } = await import("../workspaces.ts");
  const found: ({ workspace: string } & Verified)[] = [];
  for (const workspace of workspaceNames(given)) {
    const verified = await verifiedOf(inWorkspace(given, workspace), undefined, { notes: [] });
    found.push({ workspace, ...verified });
  }
  const { out } = given;
  out.answer(inEnglish(found), () => found.map((one) => `${one.workspace}: ${recordText(out, one)}`).join("\n"));
  const broken = found.filter(({ ok }) => !ok).map(({ workspace }) => workspace);
  if (broken.length === 0) return 0;
  const hint = "`LEEWAY_WORKSPACE=NAME leeway verify` says what is wrong";
  throw new Failure(1, `the record is broken in: ${broken.join(", ")}`, hint);
}

function recordText(out: Out, verified: Verified): string {
  return verified.ok ? verifiedText(out, verified, { hasNotes: true }) : out.colours.red("broken");
}

/** The checkpoint and the key for an export. A signature proves nothing unless the reader says whose key it must be. */
function notesOf(given: CommandInput, file: string | undefined): { notes: readonly string[]; key?: NoteKey } {
  const [checkpoint, key] = [text(given, "checkpoint"), text(given, "key")];
  if (checkpoint === undefined && key === undefined) return { notes: [] };
  if (file === undefined) {
    throw usage("--checkpoint needs --file", "add --file; the database is compared with its own checkpoints");
  }
  if (checkpoint === undefined || key === undefined) {
    throw usage("--checkpoint and --key must be used together", "`leeway status` prints the key after `signed by`");
  }
  return { notes: [fileText(checkpoint)], key: keyFrom(key) };
}

function keyFrom(text: string): NoteKey {
  const key = parseVerifierKey(text);
  if (key === undefined) throw usage(`${text} is not a key`, "copy the whole key: name+id+key");
  return key;
}

function verifyEntry(given: CommandInput, path: string): number {
  const beside = ["file", "checkpoint"].find((name) => text(given, name) !== undefined);
  if (beside !== undefined)
    throw usage(`--proof and --${beside} cannot be used together`, "a proof already contains its checkpoint");
  const key = keyFrom(needed(given, "key", "`leeway status` prints it after `signed by`"));
  const proved = verifyProof(fileText(path), key);
  if (!proved.ok) {
    if (given.out.json) given.out.answer(inEnglish(proved), () => "");
    throw new Failure(
      1,
      `the proof of the entry is not valid: ${textOf(proved.why, "en")}`,
      "do not trust what it says",
    );
  }
  given.out.answer(proved, () => provedText(given.out, proved));
  return 0;
}

function provedText(out: Out, { entry, size }: Extract<Proved, { ok: true }>): string {
  const at = new Date(entry.atMs).toISOString();
  const said = `✓ entry ${entry.index} of ${size} signed entries: ${at} ${entry.kind} by ${nameText(entry.actor)}`;
  return wrap(said, out.width).replace("✓", out.colours.green("✓"));
}

/** People get one line for each row that does not match; programs find them in the answer. */
function brokenBy(out: Out, verified: Extract<Verified, { ok: false }>): Failure {
  if (out.json) out.answer(inEnglish(verified), () => "");
  const { fault, rows } = verified;
  if (rows !== undefined) {
    if (!out.json) for (const row of rows) out.note(`${out.colours.red("✗")} ${textOf(rowFaultMessage(row), "en")}`);
    const count = rows.length === 1 ? "1 row is" : `${rows.length} rows are`;
    return new Failure(
      1,
      `the chain is complete, but ${count} different from what it recorded`,
      rows[0] === undefined ? "" : textOf(rows[0].hint, "en"),
    );
  }
  if (fault.is === "place") {
    const whole = `all ${fault.index} entries are whole, but ${textOf(fault.why, "en")}`;
    return new Failure(1, whole, PLACE_HINT);
  }
  const upTo = fault.upTo === undefined ? "" : ` to ${fault.upTo}`;
  const hint =
    fault.is === "truncated" || fault.is === "checkpoint"
      ? "find out who replaced it; nothing runs until an admin records what happened with `leeway recover`"
      : "restore a backup in another place and compare; do not trust the entries after that one";
  return new Failure(1, `the record is broken at entry ${fault.index}${upTo}: ${textOf(fault.why, "en")}`, hint);
}

const PLACE_HINT =
  "if you copied it to look at it, leave it at that; to go on with it, an admin records what happened with `leeway recover`";

async function verifiedOf(
  given: CommandInput,
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

/** `hasNotes`: the checkpoints were available and could be compared. */
export function verifiedText(
  out: Out,
  verified: Extract<Verified, { ok: true }>,
  { hasNotes }: { hasNotes: boolean },
): string {
  const { entries, checkpoints, hash } = verified;
  if (entries === 0) return "The record is empty and valid.";
  const signed = hasNotes ? signedText(checkpoints) : "checkpoints were not checked";
  const whole = `✓ ${entries} ${entries === 1 ? "entry" : "entries"}, all hashes correct, ${signed}${rowsText(verified)}`;
  return `${wrap(whole, out.width).replace("✓", out.colours.green("✓"))}\n${cut(`  head ${hash}`, out.width)}`;
}

function rowsText({ rows }: Extract<Verified, { ok: true }>): string {
  if (rows === undefined) return "";
  const unproved = rows.unproved === 0 ? "" : ` (${rows.unproved} could not be checked: their entries were erased)`;
  return `, ${rows.compared} ${rows.compared === 1 ? "row matches" : "rows match"}${unproved}`;
}

function signedText(checkpoints: number): string {
  if (checkpoints === 0) return "no checkpoint yet";
  return checkpoints === 1 ? "1 signed checkpoint matches" : `${checkpoints} signed checkpoints match`;
}
