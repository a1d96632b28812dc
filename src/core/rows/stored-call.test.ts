import fc from "fast-check";
import { expect, test } from "vitest";
import { call } from "../../../test/fixtures/rows.ts";
import type { Execution } from "../execution.ts";
import { secretOf } from "../secret.ts";
import { bornNames, keptRight, staysWithCall, wholeRight } from "./stored-call.ts";

const at = fc.integer({ min: 0, max: 2 ** 50 });

const maybe = <T>(name: string, values: fc.Arbitrary<T>) =>
  fc.option(values, { nil: undefined }).map((value) => (value === undefined ? {} : { [name]: value }));

const merged = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((found) => Object.assign({}, ...found) as object);

/** A call that may run immediately, and an execution of it in any state in which it is stored with the call. */
const held = fc
  .record({ atMs: at, permitMs: fc.integer({ min: 0, max: 2 ** 40 }), session: maybe("session", fc.string()) })
  .chain(({ atMs, permitMs, session }) => {
    const plain = call("018f", { atMs, executionId: "exe_018f", ...session });
    const row = { ...plain, decision: { ...plain.decision, asking: { ...plain.decision.asking, permitMs } } };
    const names = bornNames(row.id);
    const attempt = fc.oneof(fc.constant(names.attempt), fc.constant("att_other" as const));
    const ended = merged(
      fc.record({
        settledMs: at,
        settledBy: fc.constantFrom("caller", "person"),
        delivered: fc.constant(true),
        attempt,
      }),
      maybe("startedMs", at),
      maybe("result", fc.constant(secretOf("left"))),
    );
    const states = fc.oneof(
      fc.record({
        state: fc.constant("claimed"),
        attempt,
        owner: fc.string(),
        claimedMs: fc.oneof(at, fc.constant(atMs)),
        leaseUntilMs: at,
      }),
      fc.record({ state: fc.constant("handed"), attempt, handedMs: fc.oneof(at, fc.constant(atMs)) }),
      merged(fc.constant({ state: "succeeded" }), ended),
      merged(fc.record({ state: fc.constant("failed"), error: fc.string() }), ended),
    );
    const right = merged(
      fc.constant({
        id: names.execution,
        workspace: row.workspace,
        call: row.id,
        approvedInBulk: false,
        agent: row.agent,
        tool: row.tool,
        class: "fs.write",
        tier: row.decision.tier,
        needsHuman: false,
        approvers: [],
        traceId: row.traceId,
        digest: row.digest,
        runBy: "caller",
        ...session,
      }),
      fc.record({ idempotent: fc.boolean(), attempts: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ runUntilMs: fc.oneof(at, fc.constant(atMs + permitMs)) }),
      maybe("requestedBy", fc.string()),
      maybe("reserved", fc.constant([{ counter: "c", by: 1, untilMs: 9 }])),
      states,
    ) as fc.Arbitrary<Execution>;
    return right.map((one) => ({ row, right: one }));
  });

test("an execution that is stored inside its call's row is read back unchanged", () => {
  fc.assert(
    fc.property(held, ({ row, right }) => {
      const result = "result" in right ? right.result : undefined;
      const written = (kept: object) => JSON.parse(JSON.stringify(kept));
      expect(staysWithCall(right)).toBe(true);
      expect(wholeRight(written(keptRight(right, row)), row, result)).toEqual(right);
      expect(wholeRight(written(keptRight(right)), row, result)).toEqual(right);
    }),
  );
});

test("an execution is stored inside its call's row only while nothing has to look it up by itself", () => {
  const { row, right } = fc.sample(held, { numRuns: 1, seed: 1 })[0] as { row: unknown; right: Execution };
  expect(row).toBeDefined();
  const others: object[] = [
    { id: "exe_other" },
    { approval: "apr_1" },
    { runBy: "leeway" },
    { lapsed: "att_1" },
    { state: "ready", readyMs: 0 },
    { state: "unknown", sinceMs: 0 },
    { state: "void", atMs: 0, why: "" },
    { state: "succeeded", delivered: false },
  ];
  expect(others.filter((over) => staysWithCall({ ...right, ...over } as Execution))).toEqual([]);
});
