import { expect, test } from "vitest";
import { say } from "../messages/message.ts";
import { atPointer, DEPTH_MAX, toJson } from "./json.ts";

test("a value that is not JSON is a fault with its position, and nothing is dropped silently", () => {
  const ring: Record<string, unknown> = {};
  ring.self = ring;
  let deep: unknown = 1;
  for (let i = 0; i <= DEPTH_MAX; i++) deep = [deep];
  const faults: [unknown, string, RegExp][] = [
    [{ a: [1, undefined] }, "/a/1", /undefined is not JSON/],
    [{ a: () => 1 }, "/a", /function is not JSON/],
    [{ a: Symbol("x") }, "/a", /symbol is not JSON/],
    [{ a: 1n }, "/a", /bigint is not JSON/],
    [{ a: new Date(0) }, "/a", /Date is not plain JSON/],
    [new Map(), "/", /Map is not plain JSON/],
    [{ a: Number.NaN }, "/a", /NaN is not a JSON number/],
    [{ a: Number.POSITIVE_INFINITY }, "/a", /Infinity is not a JSON number/],
    [{ a: 2 ** 53 }, "/a", /larger than a number can hold exactly/],
    [{ a: "\ud800" }, "/a", /half of a surrogate pair/],
    [{ "\ud800": 1 }, "/", /half of a surrogate pair/],
    [{ "a/b": { "~": undefined, x: Number.NaN } }, "/a~1b/x", /NaN/],
    [ring, "/self", /contains itself/],
    [deep, "/0".repeat(DEPTH_MAX + 1), /nested deeper/],
  ];
  for (const [value, where, why] of faults) {
    const found = toJson(value);
    expect(found).toMatchObject({ ok: false, where });
    expect(found.ok || found.why).toMatch(why);
  }
});

test("the value is copied, so later changes to the original have no effect", () => {
  const given = { a: [1, { b: 2 }] };
  const taken = toJson(given);
  given.a.push(3);
  expect(taken).toEqual({ ok: true, value: { a: [1, { b: 2 }] } });
});

test("the same object twice is not a cycle, minus zero becomes zero, and __proto__ is an ordinary key", () => {
  const shared = { x: 1 };
  expect(toJson([shared, shared, -0])).toEqual({ ok: true, value: [{ x: 1 }, { x: 1 }, 0] });
  const taken = toJson(JSON.parse('{"__proto__": {"polluted": 1}}'));
  expect(taken.ok && Object.keys(taken.value as object)).toEqual(["__proto__"]);
});

test("a JSON pointer finds only own properties and list items", () => {
  const value = { a: [{ "x/y": 1, "~": 2 }], length: 3 };
  expect(["", "/a/0/x~1y", "/a/0/~0", "/length"].map((pointer) => atPointer(value, pointer))).toEqual([value, 1, 2, 3]);
  expect(
    ["/b", "/a/1", "/a/length", "/a/00", "/constructor", "/a/0/x/y", "/toString"].map((pointer) =>
      atPointer(value, pointer),
    ),
  ).toEqual(new Array(7).fill(undefined));
});

test("a value that throws while it is read is a fault, not an exception", () => {
  const trap = () => {
    throw new Error("no entry");
  };
  const odd = [
    new Proxy({}, { getPrototypeOf: trap }),
    new Proxy({}, { ownKeys: trap }),
    Object.defineProperty({}, "a", { enumerable: true, get: trap }),
  ];
  for (const value of odd) {
    const said = say("json.unreadable", { error: "no entry" });
    expect(toJson({ args: value })).toEqual({ ok: false, where: "/", why: "it cannot be read: no entry", said });
  }
});
