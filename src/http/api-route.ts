import { type Keys, object, parseJson, type Shape } from "../service/shape.ts";
import { type Answer, json } from "./answer.ts";
import type { HttpRequest } from "./request.ts";
import type { Access, Route, Serving } from "./route.ts";

// A route says who may use it, its input and its output. The server checks the input by it, its handler gets its types from
// it, and the OpenAPI document and the client are made from it.

type ParamsIn<P> = P extends `${string}:${infer First}/${infer Rest}`
  ? First | ParamsIn<Rest>
  : P extends `${string}:${infer Last}`
    ? Last
    : never;

/** The input of a route: from the path, the query and the body. */
export type RouteInput<N, Q, B> = { params: { readonly [K in ParamsIn<N>]: string }; query: Q; body: B };

/** A request as the handler of its route gets it: parsed, authenticated and checked. */
type RouteRequest<N, Q, B> = Omit<HttpRequest, keyof RouteInput<N, Q, B>> & RouteInput<N, Q, B>;

/** What a handler returns: the value that is sent as JSON, with its type. */
export type Reply<T> = { status: number; value: T; headers?: Readonly<Record<string, string>> };

export function reply<T>(value: T, status = 200, headers?: Readonly<Record<string, string>>): Reply<T> {
  return headers === undefined ? { status, value } : { status, value, headers };
}

/** A route with what the OpenAPI document says about it. */
export type DocumentedRoute = Route & {
  query?: Shape<unknown> & { keys: Keys };
  body?: Shape<unknown>;
  /** The part of the JSON response that clients may rely on; or the media type of a text response. */
  gives: Shape<unknown> | TextKind;
};

type TextKind = `${string}/${string}`;

/** A route with the types of its input and output. */
export type ApiRoute<N, Q, B, T> = DocumentedRoute & {
  name: N;
  answer(serving: Serving, request: RouteRequest<N, Q, B>): Promise<Reply<T>>;
};

type RouteFacts = { for: readonly Access[]; fresh?: true; byChange?: true; summary: string };
type ReadName = `GET /${string}`;
type ActName = `${"POST" | "PUT" | "DELETE"} /${string}`;
type Nothing = Record<never, never>;

/** A route that reads; its input is in its address. `T`, which the verb returns, must contain what is promised, `G`. */
export function readRoute<const N extends ReadName, G, T extends G, Q = Nothing>(
  name: N,
  spec: RouteFacts & {
    query?: Shape<Q> & { keys: Keys };
    gives: Shape<G>;
    answer(serving: Serving, request: RouteRequest<N, Q, undefined>): Promise<Reply<T>>;
  },
): ApiRoute<N, Q, undefined, T> {
  const query: Shape<unknown> = spec.query ?? NO_KEYS;
  return {
    ...spec,
    ...placeOf(name),
    name,
    act: async (serving, request) => {
      // If the route has no query, `Q` is an empty object.
      const given = { params: paramsOf<N>(request), query: parseJson(query, request.query) as Q, body: undefined };
      return written(await spec.answer(serving, { ...request, ...given }));
    },
  };
}

/** A route that changes something; its input is in the body. */
export function actRoute<const N extends ActName, G, T extends G, B = undefined>(
  name: N,
  spec: RouteFacts & {
    body?: Shape<B>;
    gives: Shape<G>;
    answer(serving: Serving, request: RouteRequest<N, Nothing, B>): Promise<Reply<T>>;
  },
): ApiRoute<N, Nothing, B, T> {
  const { body } = spec;
  return {
    ...spec,
    ...placeOf(name),
    name,
    act: async (serving, request) => {
      // If the route has no body, `B` is undefined.
      const said = body === undefined ? (undefined as B) : parseJson(body, request.body ?? {});
      return written(await spec.answer(serving, { ...request, params: paramsOf<N>(request), query: {}, body: said }));
    },
  };
}

/** A route that sends text, line by line. */
export function textRoute<const N extends ReadName>(
  name: N,
  spec: RouteFacts & { gives: TextKind; act: Route["act"] },
): DocumentedRoute & { name: N } {
  return {
    ...spec,
    ...placeOf(name),
    name,
    act: async (serving, request) => {
      ensureNoQuery(request);
      return spec.act(serving, request);
    },
  };
}

const NO_KEYS = object({});
/** The body of a route whose whole input is in its address. */
export const NO_BODY = NO_KEYS;

/** A route without a query refuses a request that has one. */
export function ensureNoQuery({ query }: HttpRequest): void {
  parseJson(NO_KEYS, query);
}

function placeOf(name: ReadName | ActName): Pick<Route, "method" | "path"> {
  const at = name.indexOf(" ");
  return { method: name.slice(0, at) as Route["method"], path: name.slice(at + 1) };
}

/** The router found the route by these parameters. */
function paramsOf<N>({ params }: HttpRequest): RouteInput<N, unknown, unknown>["params"] {
  return params as RouteInput<N, unknown, unknown>["params"];
}

function written({ status, value, headers }: Reply<unknown>): Answer {
  return json(value, status, headers);
}
