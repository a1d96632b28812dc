import { expect, test } from "vitest";
import { askingOf } from "../../src/client/server-connection.ts";
import { apiRoutes } from "../../src/http/api.ts";
import { actRoute, readRoute, reply } from "../../src/http/api-route.ts";
import { openapiOf } from "../../src/http/openapi.ts";
import {
  listOf,
  maybe,
  object,
  oneOf,
  open,
  parse,
  parseJson,
  type TypeOf,
  text,
  whole,
} from "../../src/service/shape.ts";

const ORDER = object({ item: text, how: maybe(oneOf(["fast", "cheap"])), lines: listOf(object({ count: whole(1) })) });
const GOOD = { item: "tea", how: "fast", lines: [{ count: 2 }] } as const;

test("one description gives the type, the check with the path and the nearest word, and the JSON Schema", () => {
  const order: TypeOf<typeof ORDER> = parse(ORDER, GOOD);
  expect(order).toEqual(GOOD);
  expect(ORDER.schema).toEqual({
    type: "object",
    properties: {
      item: { type: "string", minLength: 1, maxLength: 512 },
      how: { type: "string", enum: ["fast", "cheap"] },
      lines: {
        type: "array",
        minItems: 0,
        items: {
          type: "object",
          properties: { count: { type: "integer", minimum: 1 } },
          required: ["count"],
          additionalProperties: false,
        },
      },
    },
    required: ["item", "lines"],
    additionalProperties: false,
  });
  const wrong = (over: object) => () => parseJson(ORDER, { ...GOOD, ...over });
  expect(wrong({ itme: "tea" })).toThrow("itme: unknown key; did you mean item?");
  expect(wrong({ how: "chep" })).toThrow("how: chep is not an allowed value; did you mean cheap?");
  expect(wrong({ lines: [{ count: 1 }, { count: 0 }] })).toThrow(
    "lines/1/count: expected a whole number of at least 1, found 0",
  );
  expect(() => parse(ORDER, { item: "tea" })).toThrow("lines: expected a list, found undefined");
});

test("input from a program is copied, so that it cannot change afterwards", () => {
  const given = { item: "tea", lines: [{ count: 2 }] };
  const order = parse(ORDER, given);
  given.item = "coffee";
  given.lines[0] = { count: 9 };
  expect(order).toEqual({ item: "tea", lines: [{ count: 2 }] });
});

test("the types of a route follow from its input and output, and a handler that does not match does not compile", () => {
  const facts = { for: ["anybody"], summary: "Sells." } as const;
  const promised = open({ price: whole(0) });
  const sold = actRoute("POST /v1/shops/:shop/orders", {
    ...facts,
    gives: promised,
    body: ORDER,
    answer: async (_, { params, body }) => reply({ price: params.shop.length + body.item.length, more: true }, 201),
  });
  actRoute("POST /v1/orders", {
    ...facts,
    gives: promised,
    // @ts-expect-error: the price is promised
    answer: async () => reply({ more: true }),
  });
  readRoute("GET /v1/orders/:id", {
    ...facts,
    gives: text,
    // @ts-expect-error: the path names no shop
    answer: async (_, { params }) => reply(params.shop),
  });
  expect([sold.method, sold.path]).toEqual(["POST", "/v1/shops/:shop/orders"]);
  expect(openapiOf([sold], "0")["paths"]).toMatchObject({
    "/v1/shops/{shop}/orders": {
      post: {
        requestBody: { required: true, content: { "application/json": { schema: ORDER.schema } } },
        responses: { "2XX": { content: { "application/json": { schema: promised.schema } } } },
      },
    },
  });
});

test("the client uses the names of the table, and a name that is not in it does not compile", async () => {
  const names = apiRoutes("0").map(({ method, path }) => `${method} ${path}`);
  expect(names).toContain("GET /v1/status");
  const { ask, close } = askingOf({ url: "http://127.0.0.1:9", token: "t", clock: { sleep: async () => undefined } });
  const asked = [
    // @ts-expect-error: there is no such route
    () => ask("GET /v1/statuss", {}),
    // @ts-expect-error: a pause says why
    () => ask("POST /v1/pauses", { body: { of: "everything" } }),
    // @ts-expect-error: a call has no such key
    async () => (await ask("GET /v1/calls/:id", { params: { id: "call_1" } })).price,
  ];
  close();
  for (const one of asked) await expect(one()).rejects.toThrow("the gate is closed");
});
