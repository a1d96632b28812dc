import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonical } from "./canonical.ts";
import { type Json, toJson } from "./json.ts";
import { parseJsonText } from "./json-text.ts";

const RUNS = process.env.LEEWAY_PROVE === undefined ? 4_000 : 1_000_000;

test("the examples of RFC 8785 give the results printed there", () => {
  const numbers = [Number("333333333.33333329"), 1e30, 4.5, 2e-3, 0.000000000000000000000000001];
  expect(
    canonical({
      numbers,
      string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    } as Json),
  ).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

test("keys are sorted by UTF-16 units as RFC 8785 requires", () => {
  const keys = ["\u20ac", "\r", "\ufb33", "1", "\u{1f600}", "\u0080", "\u00f6"];
  const object = Object.fromEntries(keys.map((key) => [key, key]));
  expect(Object.keys(JSON.parse(canonical(object)))).toEqual([
    "1",
    "\r",
    "\u0080",
    "\u00f6",
    "\u20ac",
    "\u{1f600}",
    "\ufb33",
  ]);
  expect(canonical(object).startsWith('{"\\r":"\\r","1":"1"')).toBe(true);
});

test("numbers are written as RFC 8785 lists them", () => {
  const vectors: [string, string][] = [
    ["0000000000000000", "0"],
    ["0000000000000001", "5e-324"],
    ["8000000000000001", "-5e-324"],
    ["7fefffffffffffff", "1.7976931348623157e+308"],
    ["ffefffffffffffff", "-1.7976931348623157e+308"],
    ["4340000000000000", "9007199254740992"],
    ["c340000000000000", "-9007199254740992"],
    ["4430000000000000", "295147905179352830000"],
    ["44b52d02c7e14af5", "9.999999999999997e+22"],
    ["44b52d02c7e14af6", "1e+23"],
    ["44b52d02c7e14af7", "1.0000000000000001e+23"],
    ["444b1ae4d6e2ef4e", "999999999999999700000"],
    ["444b1ae4d6e2ef4f", "999999999999999900000"],
    ["444b1ae4d6e2ef50", "1e+21"],
    ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
    ["3eb0c6f7a0b5ed8d", "0.000001"],
    ["41b3de4355555553", "333333333.3333332"],
    ["41b3de4355555557", "333333333.33333343"],
    ["becbf647612f3696", "-0.0000033333333333333333"],
    ["43143ff3c1cb0959", "1424953923781206.2"],
  ];
  const number = (hex: string) => new DataView(Uint8Array.from(Buffer.from(hex, "hex")).buffer).getFloat64(0);
  expect(vectors.map(([hex]) => canonical(number(hex)))).toEqual(vectors.map(([, text]) => text));
});

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 4 }),
  fc.constantFrom("e\u0301", "\u00e9", "__proto__", "a", "", "1"),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom(-0, 0.1, 0.5, 5e-324),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(text, tie("json"), { maxKeys: 3, noNullPrototype: false }),
  ),
}));

test("two values have the same canonical text exactly when they are equal", () => {
  fc.assert(
    fc.property(json, json, fc.boolean(), (first, second, twin) => {
      const a = toJson(first);
      const b = toJson(twin ? shuffled(first) : second);
      if (!a.ok || !b.ok) throw new Error("generated values are JSON");
      expect(canonical(a.value) === canonical(b.value)).toBe(isDeepStrictEqual(a.value, b.value));
      const read = parseJsonText(canonical(a.value));
      expect(read.ok && canonical(read.value)).toBe(canonical(a.value));
    }),
    { numRuns: RUNS },
  );
});

/** The same value with its keys in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value).reverse()) copy[key] = shuffled(member);
  return copy;
}
