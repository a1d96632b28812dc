import fc from "fast-check";
import { expect, test } from "vitest";
import { classOf, EFFECT_CLASSES, type Effect, type EffectClass, graver, onlyReads, type Part } from "./effect.ts";

const part = (kind: EffectClass): Part => ({
  class: kind,
  capability: "test",
  level: "read",
  targets: [],
  reversible: false,
  reach: "local",
});

function effectOf(kinds: readonly EffectClass[]): Effect {
  const [first = "none", ...rest] = kinds;
  return { parts: [part(first), ...rest.map(part)], understood: "fully", notes: [] };
}

const anyClass = fc.constantFrom(...EFFECT_CLASSES);

test("the class of a call is the class of its most serious part, in any order of the parts", () => {
  fc.assert(
    fc.property(fc.array(anyClass, { minLength: 1, maxLength: 6 }), (kinds) => {
      const named = classOf(effectOf(kinds));
      expect(kinds).toContain(named);
      for (const kind of kinds) expect(graver(named, kind)).toBe(named);
      expect(classOf(effectOf([...kinds].reverse()))).toBe(named);
    }),
  );
});

test("a class that changes something is more serious than a class that only reads", () => {
  expect(classOf(effectOf(["fs.delete", "network.read"]))).toBe("fs.delete");
  fc.assert(
    fc.property(anyClass, anyClass, (a, b) => {
      fc.pre(onlyReads(a) && !onlyReads(b));
      expect(graver(a, b)).toBe(b);
    }),
  );
});
