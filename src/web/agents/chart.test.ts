import fc from "fast-check";
import { expect, test } from "vitest";
import { barsOf, chart, type Mark } from "./chart.ts";

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;

test("a chart has thirty bars up to now, and every event is in the bar of its time", () => {
  const spans = fc.oneof(fc.nat(3_600_000), fc.nat(40 * 86_400_000), fc.nat(5 * 365 * 86_400_000));
  const was = fc.constantFrom<Mark["was"]>("well", "failed", "denied");
  fc.assert(
    fc.property(spans, fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), was)), (spanMs, given) => {
      const marks = given.map(([at, how]) => ({ atMs: NOW - spanMs + Math.floor(at * spanMs), was: how }));
      const bars = barsOf(marks, NOW - spanMs, NOW);
      expect(bars.length).toBe(30);
      const sum = (kind: Mark["was"]) => bars.reduce((all, bar) => all + bar[kind], 0);
      for (const kind of ["well", "failed", "denied"] as const) {
        expect(sum(kind)).toBe(marks.filter((mark) => mark.was === kind).length);
      }
    }),
  );
});

test("a bar is one minute, ten minutes, an hour or a day wide", () => {
  const width = (spanMs: number) => {
    const [first, second] = barsOf([], NOW - spanMs, NOW);
    return ((second?.fromMs ?? 0) - (first?.fromMs ?? 0)) / MINUTE;
  };
  expect([10 * MINUTE, 60 * MINUTE, 20 * 60 * MINUTE, 20 * 1440 * MINUTE].map(width)).toEqual([1, 10, 60, 1440]);
});

test("a chart has a text that describes it", () => {
  const bars = barsOf([{ atMs: NOW, was: "failed" }], NOW, NOW);
  const { html } = chart(bars, { title: "Record: <b>", desc: "1 failed" }, 20);
  expect(html).toContain("<title>Record: &lt;b&gt;</title><desc>1 failed</desc>");
  expect(html.match(/<rect class="failed"/g)?.length).toBe(1);
});
