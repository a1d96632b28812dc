import fc from "fast-check";
import { expect, test } from "vitest";
import { ARGS_BYTES_MAX, callKeyOf, digestOf, type ToolCall, tooLarge } from "./call.ts";
import { canonical } from "./values/canonical.ts";
import type { JsonObject } from "./values/json.ts";

const call: ToolCall = {
  workspace: "default",
  agent: "coder",
  tool: "t",
  args: { a: 1 },
  cwd: "/p",
  definition: "sha256:1",
  callId: "c",
  session: "s",
  run: "r",
  traceId: "x",
  chain: [],
  claims: {},
};

test("the digest covers what would be executed and by whom, and nothing else", () => {
  const same: Partial<ToolCall>[] = [
    { callId: "d" },
    { session: "z" },
    { run: "z" },
    { traceId: "z" },
    { says: "trust me" },
    { claims: { a: 1 } },
    { requestedBy: "ana" },
  ];
  const other: Partial<ToolCall>[] = [
    { workspace: "w" },
    { agent: "b" },
    { chain: ["root"] },
    { tool: "T" },
    { definition: "sha256:2" },
    { args: { a: 2 } },
    { args: {} },
    { cwd: "/q" },
  ];
  expect(same.map((over) => digestOf({ ...call, ...over }) === digestOf(call))).toEqual(same.map(() => true));
  expect(other.map((over) => digestOf({ ...call, ...over }) === digestOf(call))).toEqual(other.map(() => false));
});

test("the key of a call depends on its agent, session, run, call id and chain, and on nothing else", () => {
  const keys = [
    call,
    { ...call, agent: "b" },
    { ...call, session: "z" },
    { ...call, run: "z" },
    { ...call, callId: "d" },
  ].map(callKeyOf);
  expect(new Set([...keys, callKeyOf({ ...call, chain: ["root"] })]).size).toBe(6);
  expect(callKeyOf({ ...call, ...{ args: {}, tool: "u" } })).toBe(callKeyOf(call));
});

test("the size of a call is the number of bytes of its canonical form", () => {
  const withArgs = (args: JsonObject) => tooLarge({ ...call, args });
  const room = ARGS_BYTES_MAX - canonical({ a: "" }).length;
  expect([withArgs({ a: "x".repeat(room) }), withArgs({ a: "x".repeat(room + 1) })]).toEqual([false, true]);
  expect([withArgs({ a: "é".repeat(room / 2) }), withArgs({ a: "é".repeat(room / 2 + 1) })]).toEqual([false, true]);
  expect([
    withArgs({ a: "\u0001".repeat(Math.floor(room / 6)) }),
    withArgs({ a: "\u0001".repeat(Math.floor(room / 6) + 1) }),
  ]).toEqual([false, true]);
});

test("a small call never counts as too large", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string(),
        fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.array(fc.boolean())),
      ),
      (args) => {
        expect(tooLarge({ ...call, args })).toBe(false);
      },
    ),
  );
});
