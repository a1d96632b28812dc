import type { Json } from "../core/values/json.ts";
import type { Who } from "./who.ts";

/** One request, read and authenticated, as a route sees it. */
export type Asked = {
  method: string;
  /** Without its query. */
  path: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The JSON of the body, or the fields of a form. */
  body: Json | undefined;
  headers: Readonly<Record<string, string | undefined>>;
  who: Who;
  /** Where the connection comes from: a proxy, where there is one in front. */
  address: string;
  /** Aborts when whoever asked has gone, or the server stops. Made for those who wait: most are answered at once. */
  gone(): AbortSignal;
  /** Resolves when work on so many bytes may begin: whoever does much gives others their turn in between. */
  turn(bytes: number): Promise<void>;
};
