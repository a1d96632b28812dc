import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSeals } from "../../src/config/signer.ts";
import type { Entry } from "../../src/core/ledger.ts";
import { keyFor, parseVerifierKey, verifierKeyOf } from "../../src/core/record/checkpoint.ts";
import { besideOf, passHash, startProving, verifyProof } from "../../src/core/record/proof.ts";
import { proveEntry } from "../../src/gate/record/prove-entry.ts";
import { sealLedger, signedBy } from "../../src/gate/record/sealing.ts";
import { root } from "../tidy/sources.ts";
import { type Chance, chanceOf, ledgerOf, noteOver, testSigner } from "./chains.ts";
import { policyOf, send, worldOf } from "./world.ts";

const PROOFS = process.env["LEEWAY_PROVE"] === undefined ? 300 : 3_000;
const signer = testSigner();
const key = verifierKeyOf(signer);
const folder = mkdtempSync(join(tmpdir(), "leeway-proof-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function proofOf(entries: readonly Entry[], index: number, size: number): string {
  const state = startProving(index, size);
  for (const { hash } of entries.slice(0, size)) passHash(state, hash);
  const entry = entries[index - 1];
  return JSON.stringify({ entry, beside: besideOf(state), checkpoint: noteOver([...entries], size, signer) });
}

/** A proof of any entry under any checkpoint over it. */
function anyProof(chance: Chance): string {
  const entries = ledgerOf(chance, 1 + chance.int(40), chance.of(["default", "shop & söhne"]));
  const index = 1 + chance.int(entries.length);
  return proofOf(entries, index, index + chance.int(entries.length - index + 1));
}

const FORGERIES: readonly ((proof: string, chance: Chance) => string)[] = [
  (proof) => proof,
  (proof, chance) => {
    const at = chance.int(proof.length);
    return proof.slice(0, at) + chance.of(["x", "0", "}", '"', " "]) + proof.slice(at + 1);
  },
  (proof) => proof.replace(/"actor":"[^"]*"/, '"actor":"person:mallory"'),
  (proof) => proof.replace(/"index":\d+/, '"index":1'),
  (proof) => JSON.stringify({ ...JSON.parse(proof), beside: [...JSON.parse(proof).beside, "0".repeat(64)] }),
  (proof) => JSON.stringify({ ...JSON.parse(proof), entry: null }),
  (proof) => JSON.stringify({ ...JSON.parse(proof), more: 1 }),
  (proof) => proof.replace('{"entry"', '{"entry":null,"entry"'),
  (proof) => proof.replace(/"index":(\d+)/, '"index":$1.0'),
];

const DRIVER = `
import json, sys
sys.path.insert(0, sys.argv[1])
import verify_entry
for line in sys.stdin:
    print(json.dumps(verify_entry.verify_entry(json.loads(line), sys.argv[2])["ok"]))
`;

test(`the verifier in Python agrees with ours on ${PROOFS} proofs of one entry, including forged ones`, () => {
  const proofs = Array.from({ length: PROOFS }, (_, seed) => {
    const chance = chanceOf(seed + 5);
    return (FORGERIES[seed % FORGERIES.length] ?? FORGERIES[0])?.(anyProof(chance), chance) ?? "";
  });
  const ours = proofs.map((proof) => verifyProof(proof, signer).ok);
  const input = proofs.map((proof) => JSON.stringify(proof)).join("\n");
  const ran = spawnSync("python3", ["-c", DRIVER, join(root, "tools"), key], { input, encoding: "utf8" });
  expect(ran.stderr).toBe("");
  expect(
    ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(ours);
  expect(new Set(ours)).toEqual(new Set([true, false]));
  // An unchanged proof is accepted, whatever the size; an edited one never is.
  expect(ours.filter((_, seed) => seed % FORGERIES.length === 0).every(Boolean)).toBe(true);
  expect(ours.filter((_, seed) => [4, 5, 6, 7, 8].includes(seed % FORGERIES.length)).some(Boolean)).toBe(false);
});

test("every entry of a ledger is proved by its checkpoint, and by no other key", async () => {
  const seals = openSeals(folder);
  const { deps } = await worldOf(policyOf({ "fs.write": "auto" }), { seals });
  for (let i = 0; i < 6; i++) await send(deps, "write_file", { path: "src/a.ts", text: `${i}` });
  const sealed = await sealLedger(deps);
  if (!sealed.ok) throw new Error(sealed.reason.say);
  const key = parseVerifierKey((await signedBy(deps)) ?? "") ?? seals.signer;
  const { index: last } = await deps.store.read({ ask: "head", workspace: deps.workspace });
  for (let index = 1; index <= last; index++) {
    const proved = await proveEntry(deps, index);
    if (!proved.ok) throw new Error(proved.reason.say);
    const text = JSON.stringify(proved.value);
    expect(verifyProof(text, key)).toMatchObject({ ok: true, entry: { index } });
    // The same key under the name of another ledger, or without the name of a ledger.
    expect(verifyProof(text, keyFor(key, "default", "0".repeat(32)))).toMatchObject({ ok: false });
    expect(verifyProof(text, seals.signer)).toMatchObject({ ok: false });
    expect(verifyProof(text, signer)).toMatchObject({ ok: false });
  }
  // The entry about the checkpoint is newer than the checkpoint: proving it made a new signature.
  expect(await deps.store.read({ ask: "head", workspace: deps.workspace })).toMatchObject({ index: last + 1 });
  expect(await proveEntry(deps, last + 9)).toMatchObject({ ok: false, code: "LEEWAY_NOT_FOUND" });
});
