import { expect, test } from "vitest";
import { once } from "./once.ts";

test("the value is computed on first use, and only once", () => {
  const made: string[] = [];
  const list = once(() => {
    made.push("made");
    return [1, 2];
  });
  expect(made).toEqual([]);
  expect(list()).toBe(list());
  expect([list(), made]).toEqual([[1, 2], ["made"]]);
});
