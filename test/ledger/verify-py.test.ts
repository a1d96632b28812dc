import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { verifierKeyOf } from "../../src/core/record/checkpoint.ts";
import { canonical } from "../../src/core/values/canonical.ts";
import { verifyLines } from "../../src/gate/record/ledger.ts";
import { root } from "../tidy/sources.ts";
import { bodyOf, type Chance, chanceOf, ledgerOf, linesOf, noteOver, testSigner } from "./chains.ts";
import { rechained, TAMPERS } from "./tampering.ts";

const CHAINS = process.env["LEEWAY_PROVE"] === undefined ? 60 : 1000;
const script = join(root, "tools", "verify.py");
const folder = mkdtempSync(join(tmpdir(), "leeway-verify-"));
const signer = testSigner();
const key = verifierKeyOf(signer);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Job = { lines: string[]; notes: string[] };

/** A ledger that is valid, changed, cut, rewritten or has a wrong signature, about a fifth each. */
function jobOf(chance: Chance, seed: number): Job {
  const workspace = chance.of(["default", "shop & söhne", "a/b+c"]);
  const entries = ledgerOf(chance, 3 + chance.int(25), workspace);
  const sizes = [1 + chance.int(entries.length), entries.length];
  const notes = chance.int(3) === 0 ? [] : sizes.map((size) => noteOver(entries, size, signer));
  switch (seed % 6) {
    case 0:
      return { lines: linesOf(entries), notes };
    case 1:
      return { lines: linesOf(entries.slice(0, chance.int(entries.length))), notes };
    case 2:
      return { lines: linesOf(rechained(entries, chance.int(entries.length))), notes };
    case 3:
      return { lines: linesOf(entries), notes: notes.map((note) => flipped(note, chance)) };
    case 4: {
      const lines = linesOf(entries);
      const at = chance.int(lines.length);
      return { lines: lines.with(at, flipped(lines[at] ?? "", chance)), notes };
    }
    default: {
      const [, tamper] = chance.of(TAMPERS);
      return { lines: linesOf(tamper(entries, chance)?.entries ?? entries), notes };
    }
  }
}

/** Replaces one letter by another, anywhere. */
function flipped(text: string, chance: Chance): string {
  const at = chance.int(text.length);
  return text.slice(0, at) + chance.of(["x", "0", "}", '"', "\\", " "]) + text.slice(at + 1);
}

const DRIVER = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify
for line in sys.stdin:
    job = json.loads(line)
    print(json.dumps(verify.verify(job["lines"], job["notes"], job["key"])))
`;

/** Python is required: without it nobody would notice that the two verifiers differ. */
function python(args: readonly string[], input = ""): string {
  const ran = spawnSync("python3", args, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (ran.error !== undefined)
    throw new Error(`python3 cannot be run (${ran.error.message}); install python3 3.8 or newer`);
  if (ran.status !== 0) throw new Error(`python3 failed: ${ran.stderr}`);
  return ran.stdout;
}

test(`the verifier in Python agrees with ours on ${CHAINS} ledgers, unchanged and changed`, async () => {
  const jobs = Array.from({ length: CHAINS }, (_, seed) => jobOf(chanceOf(seed + 1), seed));
  const input = jobs.map((job) => JSON.stringify({ ...job, key })).join("\n");
  const theirs = python(["-c", DRIVER, join(root, "tools")], input)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ours = await Promise.all(jobs.map((job) => verifyLines(job.lines, { notes: job.notes, key: signer })));
  const verdicts = ours.map((verdict) =>
    verdict.ok
      ? { ok: true, entries: verdict.entries, hash: verdict.hash, root: verdict.root }
      : { ok: false, index: verdict.fault.index, is: verdict.fault.is },
  );
  expect(theirs.map(({ why: _, ...verdict }) => verdict)).toEqual(verdicts);
  const kinds = new Set(verdicts.map((verdict) => verdict.is ?? "ok"));
  // Agreement means something only if disagreement was possible.
  for (const kind of ["ok", "hash", "index", "shape", "truncated", "checkpoint"]) expect(kinds).toContain(kind);
});

/** The same value for a parser that takes the last of two keys and rounds, but another text for a reader of the line. */
const REWRITTEN: { [how: string]: (line: string) => string } = {
  "a key twice": (line) => line.replace('{"actor"', '{"actor":"person:mallory","actor"'),
  "a key twice in the body": (line) => line.replace('"salt"', '"salt":"approved","salt"'),
  "a number that is rounded": (line) => line.replace(/"index":(\d+)/, '"index":$1.00000000000000000001'),
  "an exponent": (line) => line.replace(/"index":(\d+)/, '"index":$1e0'),
  "a space": (line) => line.replace(":", ": "),
  "keys in another order": (line) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse())),
  "an escape for a letter": (line) => line.replace('"actor"', '"\\u0061ctor"'),
  "a number beyond all": (line) => line.replace(/"index":\d+/, '"index":1e999'),
};

test("both verifiers report a line that is not in its canonical form", async () => {
  const lines = linesOf(ledgerOf(chanceOf(3), 5));
  for (const [how, rewrite] of Object.entries(REWRITTEN)) {
    const changed = lines.with(2, rewrite(lines[2] ?? ""));
    expect([how, changed[2] === lines[2]]).toEqual([how, false]);
    const ours = await verifyLines(changed, { notes: [] });
    expect([how, ours]).toMatchObject([how, { ok: false, fault: { index: 3, is: "shape" } }]);
    const theirs = python(["-c", DRIVER, join(root, "tools")], JSON.stringify({ lines: changed, notes: [], key }));
    expect([how, JSON.parse(theirs)]).toMatchObject([how, { ok: false, index: 3, is: "shape" }]);
  }
});

test("Python writes exactly the same canonical JSON", () => {
  const values = Array.from({ length: 300 }, (_, seed) => bodyOf(chanceOf(seed + 77)));
  const numbers = Array.from({ length: 2000 }, (_, i) => {
    const chance = chanceOf(i);
    return (chance.int(2) === 0 ? -1 : 1) * chance.int(1_000_000) * 10 ** (chance.int(60) - 30);
  });
  const input = JSON.stringify([...values, ...numbers]);
  const code = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify
for value in json.loads(sys.stdin.read()):
    sys.stdout.buffer.write((verify.canonical(value) + "\\n").encode())
`;
  const theirs = python(["-c", code, join(root, "tools")], input)
    .trim()
    .split("\n");
  expect(theirs).toEqual([...values, ...numbers].map((value) => canonical(JSON.parse(JSON.stringify(value)))));
});

test("the verifier prints one verdict and exits with 0 if the ledger is valid, or 1 if not", () => {
  const entries = ledgerOf(chanceOf(9), 12);
  const [ledger, note] = [join(folder, "ledger.jsonl"), join(folder, "12.note")];
  writeFileSync(
    ledger,
    linesOf(entries)
      .map((line) => `${line}\n`)
      .join(""),
  );
  writeFileSync(note, noteOver(entries, 12, signer));
  const whole = execFileSync("python3", [script, ledger, "--key", key, "--checkpoint", note], { encoding: "utf8" });
  expect(JSON.parse(whole)).toMatchObject({ ok: true, entries: 12, hash: entries[11]?.hash });
  writeFileSync(
    ledger,
    linesOf(entries)
      .slice(0, 11)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const cut = spawnSync("python3", [script, ledger, "--key", key, "--checkpoint", note], { encoding: "utf8" });
  expect([cut.status, JSON.parse(cut.stdout)]).toMatchObject([1, { ok: false, index: 12, is: "truncated" }]);
});

test("a checkpoint without a key to check it is refused as wrong usage", () => {
  const ledger = join(folder, "empty.jsonl");
  writeFileSync(ledger, "");
  expect(spawnSync("python3", [script, ledger, "--checkpoint", ledger]).status).toBe(2);
});

test("the verifier is short enough to read: at most 300 lines, using only the standard library", () => {
  const text = readFileSync(script, "utf8");
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(300);
  const imports = [...text.matchAll(/^(?:import|from) (\S+)/gm)].map((match) => match[1]);
  expect(imports).toEqual(["argparse", "base64", "hashlib", "json", "re", "sys", "urllib.parse"]);
});
