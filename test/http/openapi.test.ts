import { afterAll, beforeAll, expect, test } from "vitest";
import { isObject, type Json, type JsonObject } from "../../src/core/values/json.ts";
import { apiRoutes } from "../../src/http/api.ts";
import { cookieOf } from "./cast.ts";
import { faultsOf, resolved } from "./schema.ts";
import { type Served, served } from "./served.ts";

type Operation = {
  operationId: string;
  summary: string;
  security: readonly JsonObject[];
  parameters: readonly { name: string; in: string; required: boolean; schema: JsonObject }[];
  requestBody?: { required: boolean; content: { "application/json": { schema: JsonObject } } };
  responses: JsonObject;
};
type Listed = { name: string; path: string; operation: Operation };

let on: Served;
let document: JsonObject;
let operations: Listed[];
beforeAll(async () => {
  on = await served();
  document = (await on.ask("GET", "/openapi.json")).body;
  operations = Object.entries(document["paths"] as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        path,
        operation,
      })),
  );
});
afterAll(() => on.remove());

test("the document has a title and a version, and lists exactly the existing routes", () => {
  expect(document["openapi"]).toMatch(/^3\.1\.\d$/);
  expect(document["info"]).toMatchObject({ title: "Leeway", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  const routes = apiRoutes("0").filter(({ path }) => path !== "/openapi.json");
  const names = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(operations.map(({ name }) => name).sort()).toEqual(names.sort());
});

test("every reference in the document can be resolved", () => {
  const refs: string[] = [];
  const walk = (value: Json | undefined): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (isObject(value)) {
      if (typeof value["$ref"] === "string") refs.push(value["$ref"]);
      Object.values(value).forEach(walk);
    }
  };
  walk(document);
  expect(refs.length).toBeGreaterThan(50);
  for (const ref of refs) expect(Object.keys(resolved(document, ref)).length).toBeGreaterThan(0);
});

test("every operation has its own name, a summary, responses, and security schemes that are defined", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
  const schemes = Object.keys(resolved(document, "#/components/securitySchemes"));
  for (const { name, operation } of operations) {
    expect([name, operation.summary.endsWith(".")]).toEqual([name, true]);
    expect([name, Object.keys(operation.responses)]).toEqual([name, ["2XX", "default"]]);
    expect(operation.security.flatMap((one) => Object.keys(one)).filter((one) => !schemes.includes(one))).toEqual([]);
  }
});

test("every name in a path is a parameter, and every path parameter is in its path", () => {
  for (const { name, path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
    const given = operation.parameters.filter((one) => one.in === "path");
    expect([name, given.map((one) => one.name)]).toEqual([name, inPath]);
    expect(given.every((one) => one.required)).toBe(true);
    const all = operation.parameters.map((one) => `${one.in} ${one.name}`);
    expect(new Set(all).size).toBe(all.length);
  }
});

test("what the document forbids in a body or a query, the server refuses", async () => {
  const asking = {
    agent: { token: await on.token({ agent: "coder" }) },
    person: { cookie: await cookieOf(on, "ana") },
  };
  for (const route of apiRoutes("0")) {
    const who = route.for.includes("agent") ? asking.agent : asking.person;
    const path = route.path.replaceAll(/:\w+/g, "none");
    if (route.body !== undefined) {
      const { operation } = operations.find(({ name }) => name === named(route)) ?? {};
      const schema = operation?.requestBody?.content["application/json"].schema ?? {};
      const wrong = { nothing: 1 };
      expect([path, faultsOf(schema, wrong, { document, path: "" }).length > 0]).toEqual([path, true]);
      expect([path, (await on.ask(route.method, path, { ...who, body: wrong })).status]).toEqual([path, 400]);
    }
    if (route.method !== "GET" || route.page === true) continue;
    expect([path, (await on.ask("GET", `${path}?nothing=1`, who)).status]).toEqual([path, 400]);
  }
});

const named = ({ method, path }: { method: string; path: string }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`;

test("an idempotency key is refused on routes that would ignore it", async () => {
  const cookie = await cookieOf(on, "ana");
  for (const path of ["/v1/grants", "/v1/tokens", "/v1/pauses", "/v1/people"]) {
    const reply = await on.ask("POST", path, { cookie, body: {}, headers: { "idempotency-key": "k1" } });
    expect([path, reply.status, reply.body.error.message]).toEqual([
      path,
      400,
      "idempotency-key: this header is not supported",
    ]);
  }
});

test("the docs page lists every route, and loads nothing from other sites", async () => {
  const { status, text, headers } = await on.ask("GET", "/docs");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  for (const { name } of operations) {
    const [method, path = ""] = name.split(" ");
    expect(text).toContain(`<code>${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}</code>`);
  }
  expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});
