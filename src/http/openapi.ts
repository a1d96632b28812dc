import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { type DocumentedRoute, readRoute, reply } from "./api-route.ts";
import type { Access, Route } from "./route.ts";
import { NAMED, PROBLEM, someObject } from "./schemas.ts";

/** The document is made from the routes, so it describes exactly what the server checks. */
export function openapiOf(routes: readonly DocumentedRoute[], version: string): JsonObject {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes.filter(({ page }) => page !== true)) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Leeway",
      version,
      summary: "The gate between AI agents and the world.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "Create one with `leeway tokens add`." },
        browser: { type: "apiKey", in: "cookie", name: "leeway", description: "A person who signed in to the pages." },
      },
      schemas: Object.fromEntries(NAMED.map(({ name, definition }) => [name, definition])),
      responses: {
        Problem: {
          description: "What is wrong and what to do about it.",
          content: { "application/json": { schema: PROBLEM.schema } },
        },
      },
    },
  };
}

export function openapiRoute(routes: readonly DocumentedRoute[], version: string): DocumentedRoute {
  return readRoute("GET /openapi.json", {
    for: ["anybody"],
    summary: "This document.",
    gives: someObject,
    answer: async () => reply(openapiOf(routes, version)),
  });
}

const WHO: { readonly [A in Access]: string } = {
  anybody: "anybody",
  agent: "an agent's token, for its own calls",
  read: "any person",
  self: "any person, for their own data",
  act: "a person who may answer",
  admin: "an admin",
};

/** Who may use a route, as a sentence. */
export function accessText(route: Pick<Route, "for" | "fresh">): string {
  const fresh = route.fresh === true ? " Needs a sign-in within the last five minutes." : "";
  return `For ${route.for.map((access) => WHO[access]).join(", or ")}.${fresh}`;
}

function operationOf(route: DocumentedRoute): JsonObject {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const query = Object.entries(route.query?.keys ?? {});
  const isOpen = route.for.includes("anybody");
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: accessText(route),
    security: isOpen ? [] : [{ token: [] }, ...(route.for.some((one) => one !== "agent") ? [{ browser: [] }] : [])],
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...query.map(([name, { optional, schema }]) => ({ name, in: "query", required: optional !== true, schema })),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: !isEmpty(route.body.schema),
            content: { "application/json": { schema: route.body.schema } },
          },
        }),
    responses: {
      "2XX": { description: "The request was done, or the current state.", content: contentOf(route.gives) },
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

/** A body without required keys may be left out. */
function isEmpty({ properties }: JsonObject): boolean {
  return properties !== undefined && isObject(properties) && Object.keys(properties).length === 0;
}

/** The response of a route if it succeeds. */
function contentOf(gives: DocumentedRoute["gives"]): JsonObject {
  if (typeof gives === "string") return { [gives]: { schema: { type: "string" } } };
  return { "application/json": { schema: gives.schema } };
}

/** `POST /v1/calls/:id/claim` is `postCallsByIdClaim`. */
function operationId({ method, path }: Route): string {
  const words = path
    .replace(/^\/(v1\/)?/, "")
    .split(/[/.-]/)
    .filter((piece) => piece !== "")
    .map((piece) => (piece.startsWith(":") ? `by-${piece.slice(1)}` : piece))
    .flatMap((piece) => piece.split("-"))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + words.join("");
}
