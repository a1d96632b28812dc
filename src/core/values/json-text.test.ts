import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMsOf } from "../../../test/cpu.ts";
import { canonical } from "./canonical.ts";
import type { Json } from "./json.ts";
import { parseJsonText } from "./json-text.ts";

test("JSON that every parser reads in the same way is accepted", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const plain = JSON.parse(text);
      const read = parseJsonText(text);
      if (read.ok) expect(canonical(read.value)).toBe(canonical(plain));
      else expect(read.why).toMatch(/surrogate|exactly/);
    }),
    { numRuns: 3_000 },
  );
});

test("JSON that two parsers could read differently is a fault with its position", () => {
  const deep = "[".repeat(100) + "]".repeat(100);
  const faults: [string, number, number, string][] = [
    ['{"a": 1,\n "a": 2}', 2, 2, 'the key "a" is there twice'],
    ['{"a": 1, "\\u0061": 2}', 1, 10, 'the key "a" is there twice'],
    ["9007199254740993", 1, 1, "9007199254740993 is larger than a number can hold exactly; pass it as text"],
    ["1e400", 1, 1, "1e400 is too large for a number"],
    ["-1e400", 1, 1, "-1e400 is too large for a number"],
    ["1e-400", 1, 1, "1e-400 has too many digits for a number; pass it as text"],
    ["[1, -0.00001e-399]", 1, 5, "-0.00001e-399 has too many digits for a number; pass it as text"],
    ["4.9e-324", 1, 1, "4.9e-324 has too many digits for a number; pass it as text"],
    ["0.1234567890123456789", 1, 1, "0.1234567890123456789 has too many digits for a number; pass it as text"],
    ["1000000.00000000000001", 1, 1, "1000000.00000000000001 has too many digits for a number; pass it as text"],
    ['"\\ud800"', 1, 1, "a text has half of a surrogate pair"],
    ['"\ud800"', 1, 1, "a text has half of a surrogate pair"],
    ['{"\\udc00": 1}', 1, 2, "a text has half of a surrogate pair"],
    [deep, 1, 66, "nested deeper than 64 levels"],
    ["{} x", 1, 4, "there is text after the end of the value"],
    ["1 2", 1, 3, "there is text after the end of the value"],
    ["", 1, 1, "the JSON ends too early"],
    ["\ufeff{}", 1, 1, "a value is missing"],
    ["{'a': 1}", 1, 2, "a key in quotes is missing"],
    ['{"a" 1}', 1, 6, "a colon is missing"],
    ["[1,]", 1, 4, "a value is missing"],
    ['{"a":1,}', 1, 8, "a key in quotes is missing"],
    ["[1 2]", 1, 4, "a comma or a closing bracket is missing"],
    ['"a\nb"', 1, 3, "a text contains a control character; write it as an escape"],
    ['"a', 1, 1, "the closing quote of a text is missing"],
    ['"\\x41"', 1, 3, "this escape is not JSON"],
    ["01", 1, 2, "there is text after the end of the value"],
    ["+1", 1, 1, "a value is missing"],
    [".5", 1, 1, "a value is missing"],
    ["NaN", 1, 1, "a value is missing"],
    ["truex", 1, 5, "there is text after the end of the value"],
    ["// x\n1", 1, 1, "a value is missing"],
  ];
  expect(faults.map(([text]) => parseJsonText(text))).toEqual(
    faults.map(([, line, column, why]) => ({ ok: false, line, column, why, said: expect.anything() })),
  );
});

test("a key called __proto__ is an ordinary key and changes no object", () => {
  const read = parseJsonText('{"__proto__": {"polluted": true}, "constructor": 1}');
  expect(read.ok && canonical(read.value)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
  expect(({} as Record<string, Json>).polluted).toBeUndefined();
});

test("minus zero becomes zero, and escapes become the characters they stand for", () => {
  expect(parseJsonText('[-0, "\\u00e4\\n\\/\\ud83d\\ude00"]')).toEqual({ ok: true, value: [0, "ä\n/😀"] });
});

test("a number in another notation, or with the digits that programs usually write, is the same number", () => {
  for (const text of [
    "0.0",
    "-0",
    "0e-400",
    "1.50",
    "1e2",
    "100e-2",
    "0.1",
    "0.10000000000000001",
    "0.30000000000000004",
    "5e-324",
    "2.2250738585072014e-308",
    "1.7976931348623157e-300",
    "1.000000000000000000000000",
    "12345678.9",
  ])
    expect(parseJsonText(text)).toEqual({ ok: true, value: Number(text) === 0 ? 0 : Number(text) });
});

test("a long row of zeros inside a number is scanned only once", () => {
  const tookMs = cpuMsOf(() => {
    const read = parseJsonText(`1.${"0".repeat(60_000)}1`);
    expect(!read.ok && read.why).toMatch(/01 has too many digits for a number; pass it as text$/);
  });
  expect(tookMs).toBeLessThan(3_000);
});
