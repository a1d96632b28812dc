import { expect, test } from "vitest";
import { asDestination, isListed } from "./domains.ts";

test.each([
  ["a.example", ["a.example"], true],
  ["A.example.", ["a.EXAMPLE"], true],
  ["b.a.example", ["a.example"], false],
  ["b.a.example", ["*.a.example"], true],
  ["a.example", ["*.a.example"], false],
  ["xa.example", ["*.a.example"], false],
  ["a.example:8443", ["a.example"], true],
  ["a.example:8443", ["a.example:443"], false],
  ["127.0.0.1", ["localhost"], false],
  ["127.0.0.1", ["127.0.0.1"], true],
  ["[::1]:80", ["::1"], true],
  ["1.2.3.4", ["*.3.4"], false],
])("whether %s is in %j: %s", (text, listed, expected) => {
  const to = asDestination(text, 443);
  expect(to !== undefined && isListed(to, listed)).toBe(expected);
});

test.each(["2130706433", "127.1", "0x7f.1", "0177.0.0.1", "a b", "a@b", "a:99999", "*.a", "", "a/b"])(
  "%j is no destination",
  (text) => {
    expect(asDestination(text, 443)).toBe(undefined);
  },
);
