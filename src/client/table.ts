import type { Api } from "../http/api.ts";
import type { Reply } from "../http/api-route.ts";

// What can be asked of a server, read off the table by which it answers. Only types: none of its code comes along.

type Answering = Extract<Api, { answer: unknown }>;
/** `GET /v1/status`: a route that answers with JSON. */
export type RouteName = Answering["name"];
/** A route that answers with lines of text. */
export type TextRouteName = Exclude<Api, Answering>["name"];

type Named<N> = Extract<Answering, { name: N }>;
type Takes<N> = Parameters<Named<N>["answer"]>[1];
type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** What a route takes: the names in its path, what its query may say, and its body. */
export type GivenTo<N> = (keyof Takes<N>["params"] extends never ? unknown : Pick<Takes<N>, "params">) &
  (Takes<N>["body"] extends undefined ? unknown : Pick<Takes<N>, "body">) & { query?: Optional<Takes<N>["query"]> };

/** What comes back: what the verb of the route returns. */
export type AnswerOf<N> = Awaited<ReturnType<Named<N>["answer"]>> extends Reply<infer T> ? T : never;
