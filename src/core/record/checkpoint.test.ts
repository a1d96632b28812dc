import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { say } from "../messages/message.ts";
import {
  checkpointText,
  keyIdOf,
  openCheckpoint,
  openNote,
  originOf,
  parseVerifierKey,
  signedNote,
  verifierKeyOf,
} from "./checkpoint.ts";

/** The public example of a signed note and its key. */
const EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const EXAMPLE_NOTE =
  "This is an example message.\n\n" +
  "\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

function signer(name = "leeway") {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { name, publicKey: new Uint8Array(raw), sign: (text: string) => sign(null, Buffer.from(text), privateKey) };
}

const checkpoint = { origin: originOf("default"), size: 12, root: "ab".repeat(32) };

test("the public example of a signed note opens with its key", () => {
  const key = parseVerifierKey(EXAMPLE_KEY);
  if (key === undefined) throw new Error("the example's key does not parse");
  expect(keyIdOf(key)).toBe("530d903a");
  expect(verifierKeyOf(key)).toBe(EXAMPLE_KEY);
  expect(openNote(EXAMPLE_NOTE, key)).toEqual({ ok: true, value: "This is an example message.\n" });
});

test("the public example with one letter changed does not open", () => {
  const key = parseVerifierKey(EXAMPLE_KEY);
  if (key === undefined) throw new Error("the example's key does not parse");
  expect(openNote(EXAMPLE_NOTE.replace("example message", "exanple message"), key)).toEqual({
    ok: false,
    why: say("record.signature_wrong", { name: "example.com/foo" }),
  });
});

test("a key whose id does not belong to it is not parsed", () => {
  expect(parseVerifierKey(EXAMPLE_KEY.replace("530d903a", "530d903b"))).toBeUndefined();
  expect(parseVerifierKey("leeway")).toBeUndefined();
});

test("a checkpoint is three lines, a blank line and a signature", () => {
  const key = signer();
  const lines = signedNote(checkpointText(checkpoint), key).split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "leeway/default",
    "12",
    Buffer.from(checkpoint.root, "hex").toString("base64"),
    "",
  ]);
  expect(lines[4]?.startsWith("\u2014 leeway ")).toBe(true);
  expect(lines.length).toBe(6);
});

test("a checkpoint opens only with the key that signed it and for its own workspace", () => {
  const key = signer();
  const note = signedNote(checkpointText(checkpoint), key);
  expect(openCheckpoint(note, key, originOf("default"))).toEqual({ ok: true, value: checkpoint });
  expect(openCheckpoint(note, key, originOf("shop"))).toEqual({
    ok: false,
    why: say("record.checkpoint_of", { origin: "leeway/default" }),
  });
  expect(openCheckpoint(note, signer(), originOf("default")).ok).toBe(false);
});

test("signatures of unknown keys are ignored, and a note without our signature does not open", () => {
  const [ours, theirs] = [signer(), signer("witness")];
  const text = checkpointText(checkpoint);
  const note = signedNote(text, ours);
  const both = note + signedNote(text, theirs).slice(text.length + 1);
  expect(openNote(both, ours)).toEqual({ ok: true, value: text });
  expect(openNote(both, theirs)).toEqual({ ok: true, value: text });
  expect(openNote(signedNote(text, theirs), ours).ok).toBe(false);
});

test("text that is not a signed note is refused", () => {
  const key = signer();
  const note = signedNote(checkpointText(checkpoint), key);
  const broken = [
    "",
    "\n\n",
    note.slice(0, -1),
    note.replace("\n\n", "\n"),
    note.replace("leeway ", "leeway\t"),
    note + "x\n",
  ];
  for (const text of broken) expect(openNote(text, key).ok).toBe(false);
});

test("a signed text that is not a checkpoint is refused", () => {
  const key = signer();
  const root = Buffer.from(checkpoint.root, "hex").toString("base64");
  for (const text of ["leeway/default\n012\n", "leeway/default\n-1\n", "leeway/default\n1\nAAAA\n"]) {
    expect(openCheckpoint(signedNote(text, key), key, "leeway/default").ok).toBe(false);
  }
  expect(openCheckpoint(signedNote(`leeway/default\n01\n${root}\n`, key), key, "leeway/default").ok).toBe(false);
});
