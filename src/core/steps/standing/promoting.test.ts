import fc from "fast-check";
import { expect, test } from "vitest";
import { demotions, promotedRows } from "../../decide/promotion.ts";
import type { Promotion } from "../../standing/standing.ts";
import { endedBy } from "./promoting.ts";

const NOW = 50;

const move = fc
  .record({
    kind: fc.constantFrom("promote" as const, "demote" as const),
    agent: fc.constantFrom("coder", "other"),
    class: fc.constantFrom("fs.write" as const, undefined),
    tier: fc.constantFrom("notify" as const, "ask" as const),
    atMs: fc.integer({ min: 0, max: NOW }),
    lastsMs: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
  })
  .map(({ class: of, lastsMs, ...rest }) => ({
    ...rest,
    ...(of === undefined ? {} : { class: of }),
    ...(lastsMs === undefined ? {} : { untilMs: rest.atMs + lastsMs }),
  }));

test("ending a promotion that a newer one replaced changes no later decision", () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 12 }), move, fc.integer({ min: NOW, max: 200 }), (moves, last, laterMs) => {
      const inForce = moves.map(
        (one, i) => ({ ...one, id: `pro_${i}`, workspace: "default", because: "", by: "ana" }) as Promotion,
      );
      const made = { ...inForce[0], ...last, id: "pro_z", atMs: NOW, untilMs: NOW + 10 } as Promotion;
      const ended = new Set(endedBy(made, inForce, NOW).map(({ before }) => before));
      const left = [...inForce, made].filter((one) => !ended.has(one));
      for (const agent of ["coder", "other"]) {
        expect(promotedRows(left, agent, laterMs)).toEqual(promotedRows([...inForce, made], agent, laterMs));
        const holding = (all: readonly Promotion[]) =>
          demotions(all, agent, laterMs)
            .map(({ id }) => id)
            .sort();
        expect(holding(left)).toEqual(holding([...inForce, made]));
      }
    }),
    { numRuns: 500 },
  );
});

test("after many promotions and demotions, only one is in force", () => {
  const base = { workspace: "default", kind: "promote", agent: "coder", tier: "auto", because: "", by: "ana" } as const;
  let inForce: readonly Promotion[] = [];
  for (let i = 0; i < 50; i++) {
    const made: Promotion = { ...base, id: `pro_${i}`, atMs: i };
    const ended = endedBy(made, inForce, i).map(({ before }) => before);
    inForce = [...inForce, made].filter((one) => !ended.includes(one));
  }
  expect(inForce.map(({ id }) => id)).toEqual(["pro_49"]);
});
