import { type Keys, object, parseJson, type Shape } from "../service/shape.ts";
import { type Answer, json } from "./answer.ts";
import type { Asked } from "./request.ts";
import type { Access, Route, Serving } from "./route.ts";

// One table of routes: each says who may, what it takes and what it gives. The server looks at what comes in by it, its
// handler is typed by it, the document is made of it, and the client reads its types off it.

type ParamsIn<P> = P extends `${string}:${infer First}/${infer Rest}`
  ? First | ParamsIn<Rest>
  : P extends `${string}:${infer Last}`
    ? Last
    : never;

/** What is asked for: by the path, by the query of the address, and in the body. */
export type Given<N, Q, B> = { params: { readonly [K in ParamsIn<N>]: string }; query: Q; body: B };

/** One request as the handler of its route sees it: read, authenticated and looked at. */
type AskedFor<N, Q, B> = Omit<Asked, keyof Given<N, Q, B>> & Given<N, Q, B>;

/** What a handler answers: the value that goes out as JSON, with its type. */
export type Reply<T> = { status: number; value: T; headers?: Readonly<Record<string, string>> };

export function reply<T>(value: T, status = 200, headers?: Readonly<Record<string, string>>): Reply<T> {
  return headers === undefined ? { status, value } : { status, value, headers };
}

/** What the document says of a route. */
export type Documented = Route & {
  query?: Shape<unknown> & { keys: Keys };
  body?: Shape<unknown>;
  /** The JSON that comes back, as far as a client may rely on it; or the kind of text that does. */
  gives: Shape<unknown> | TextKind;
};

type TextKind = `${string}/${string}`;

/** A route with the types of what it takes and of what comes back. */
export type ApiRoute<N, Q, B, T> = Documented & {
  name: N;
  answer(serving: Serving, asked: AskedFor<N, Q, B>): Promise<Reply<T>>;
};

type Facts = { for: readonly Access[]; fresh?: true; byChange?: true; summary: string };
type ReadName = `GET /${string}`;
type ActName = `${"POST" | "PUT" | "DELETE"} /${string}`;
type Nothing = Record<never, never>;

/** What is read is asked for by its address alone. `T` is what the verb returns, and has at least what is promised, `G`. */
export function readRoute<const N extends ReadName, G, T extends G, Q = Nothing>(
  name: N,
  spec: Facts & {
    query?: Shape<Q> & { keys: Keys };
    gives: Shape<G>;
    answer(serving: Serving, asked: AskedFor<N, Q, undefined>): Promise<Reply<T>>;
  },
): ApiRoute<N, Q, undefined, T> {
  const query: Shape<unknown> = spec.query ?? NO_KEYS;
  return {
    ...spec,
    ...placeOf(name),
    name,
    act: async (serving, asked) => {
      // A route that names no query is typed as having none.
      const given = { params: paramsOf<N>(asked), query: parseJson(query, asked.query) as Q, body: undefined };
      return written(await spec.answer(serving, { ...asked, ...given }));
    },
  };
}

/** What is done is said in a body, where there is anything to say. */
export function actRoute<const N extends ActName, G, T extends G, B = undefined>(
  name: N,
  spec: Facts & {
    body?: Shape<B>;
    gives: Shape<G>;
    answer(serving: Serving, asked: AskedFor<N, Nothing, B>): Promise<Reply<T>>;
  },
): ApiRoute<N, Nothing, B, T> {
  const { body } = spec;
  return {
    ...spec,
    ...placeOf(name),
    name,
    act: async (serving, asked) => {
      // A route that names no body is typed as having none.
      const said = body === undefined ? (undefined as B) : parseJson(body, asked.body ?? {});
      return written(await spec.answer(serving, { ...asked, params: paramsOf<N>(asked), query: {}, body: said }));
    },
  };
}

/** What is read as text, line by line as it comes. */
export function textRoute<const N extends ReadName>(
  name: N,
  spec: Facts & { gives: TextKind; act: Route["act"] },
): Documented & { name: N } {
  return {
    ...spec,
    ...placeOf(name),
    name,
    act: async (serving, asked) => {
      ensureNoQuery(asked);
      return spec.act(serving, asked);
    },
  };
}

const NO_KEYS = object({});
/** The body of what says everything by its address. */
export const NO_BODY = NO_KEYS;

/** What takes no query refuses one: it was meant for something else. */
export function ensureNoQuery({ query }: Asked): void {
  parseJson(NO_KEYS, query);
}

function placeOf(name: ReadName | ActName): Pick<Route, "method" | "path"> {
  const at = name.indexOf(" ");
  return { method: name.slice(0, at) as Route["method"], path: name.slice(at + 1) };
}

/** The router found the route by these names. */
function paramsOf<N>({ params }: Asked): Given<N, unknown, unknown>["params"] {
  return params as Given<N, unknown, unknown>["params"];
}

function written({ status, value, headers }: Reply<unknown>): Answer {
  return json(value, status, headers);
}
