import { expect, test } from "vitest";
import { textOf } from "../../src/core/messages/text.ts";
import { isFalseAsk, isFalseAuto, type Judged, judge, readCases } from "./cases.ts";

const cases = readCases();
const judged = cases.map(judge);
const shown = ({ one, tier, effect }: Judged) =>
  `${one.command ?? `${one.tool} ${JSON.stringify(one.args)}`} is ${tier}, ${effect.understood}: ${effect.notes.map((note) => textOf(note, "en")).join("; ")}`;

test("no dangerous call runs without a question under preset standard", () => {
  expect(judged.filter(isFalseAuto).map(shown)).toEqual([]);
});

test("fewer than one in twenty harmless calls is asked about", () => {
  const harmless = judged.filter(({ one }) => one.tier !== "ask");
  const asked = harmless.filter(isFalseAsk);
  expect(asked.length / Math.max(1, harmless.length), asked.map(shown).join("\n")).toBeLessThan(0.05);
});

test("every call has a part with the class that its case names", () => {
  const wrong = judged.filter(
    ({ one, effect }) => one.class !== undefined && !effect.parts.some((part) => part.class === one.class),
  );
  expect(
    wrong.map((it) => `${shown(it)} => ${it.effect.parts.map((part) => part.class).join(" ")}, not ${it.one.class}`),
  ).toEqual([]);
});

test("the case files contain no case twice, and every group has a descriptive name", () => {
  const keys = cases.map((one) => JSON.stringify([one.command, one.tool, one.args]));
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  expect(cases.filter((one) => !/^[a-z]+[a-z ,-]*$/.test(one.group)).map((one) => one.group)).toEqual([]);
});
