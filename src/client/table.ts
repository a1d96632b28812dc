import type { Api } from "../http/api.ts";
import type { Reply } from "../http/api-route.ts";

// The requests that a server accepts, taken from its table of routes. Only types: none of its code is included.

type Answering = Extract<Api, { answer: unknown }>;
/** `GET /v1/status`: a route that returns JSON. */
export type RouteName = Answering["name"];
/** A route that returns lines of text. */
export type TextRouteName = Exclude<Api, Answering>["name"];

type Named<N> = Extract<Answering, { name: N }>;
type Takes<N> = Parameters<Named<N>["answer"]>[1];
type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** The input of a route: the names in its path, its query, and its body. */
export type GivenTo<N> = (keyof Takes<N>["params"] extends never ? unknown : Pick<Takes<N>, "params">) &
  (Takes<N>["body"] extends undefined ? unknown : Pick<Takes<N>, "body">) & { query?: Optional<Takes<N>["query"]> };

/** The output of a route: what its verb returns. */
export type AnswerOf<N> = Awaited<ReturnType<Named<N>["answer"]>> extends Reply<infer T> ? T : never;
