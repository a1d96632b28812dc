import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aesSealer } from "./system.ts";

const sealer = aesSealer(randomBytes(32));
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "binary", minLength: 2_000, maxLength: 20_000 }),
);

test("sealed text opens to the same text, of any length and in any script", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), (all) => {
      const sealed = all.map(([what, about]) => sealer.seal(what, about));
      expect(sealed.map((one, at) => sealer.open(one, all[at]?.[1] ?? ""))).toEqual(all.map(([what]) => what));
    }),
  );
  const long = "é".repeat(700_000);
  expect(sealer.open(sealer.seal(long, "row"), "row") === long).toBe(true);
});

test("sealed text does not open for another row, with another key, or with a single changed bit", () => {
  const sealed = sealer.seal("rm -rf /", "row");
  const bytes = Buffer.from(sealed.slice("sealed:".length), "base64");
  for (const about of ["", "ro", "row ", "rows"]) expect(() => sealer.open(sealed, about)).toThrow();
  expect(() => aesSealer(randomBytes(32)).open(sealed, "row")).toThrow();
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => sealer.open(`sealed:${changed.toString("base64")}`, "row")).toThrow();
  }
  for (let length = 0; length < bytes.length; length++) {
    expect(() => sealer.open(`sealed:${bytes.toString("base64", 0, length)}`, "row")).toThrow();
  }
});
