import type { Json } from "../core/values/json.ts";
import type { Requester } from "./identity/who.ts";

/** One request, parsed and authenticated, as a route gets it. */
export type HttpRequest = {
  method: string;
  /** The path without the query. */
  path: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The JSON of the body, or the fields of a form. */
  body: Json | undefined;
  /** The bytes of the body; set only for routes that need them unchanged to check a signature. */
  raw?: Uint8Array;
  headers: Readonly<Record<string, string | undefined>>;
  who: Requester;
  /** The address of the other end of the connection, which may be a proxy. */
  address: string;
  /** Aborts when the client has gone, or the server stops. It is created on first use, because most requests do not wait. */
  gone(): AbortSignal;
  /** Resolves when work on this many bytes may begin, so that long work leaves time for other requests. */
  turn(bytes: number): Promise<void>;
};
