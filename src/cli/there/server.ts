import { type Asking, askingOf } from "../../client/asking.ts";
import { createClient } from "../../client/index.ts";
import { serverMeant } from "../../config/server-file.ts";
import { isObject } from "../../core/values/json.ts";
import { isLoopbackHost } from "../../http/listening.ts";
import type { Gate } from "../../library/gate.ts";
import { usage } from "../failure.ts";
import { type Given, text } from "../spec.ts";

/** The server that the environment says to ask, as whoever the token is. */
export type There = { url: string; pages: Pages; gate: Gate; asking: Asking; ask: Asking["ask"] };

/** Where people look, in words: the pages, and one of them. */
type Pages = { all: string; at(path: string): string };

/**
 * A server on this machine has its pages under a name that no program is told, and under the address that programs ask
 * there are none. Whoever started it was told the name.
 */
export function pagesOf(url: string): Pages {
  const { hostname } = new URL(url);
  if (!isLoopbackHost(hostname.replace(/^\[|\]$/g, "")))
    return { all: `the pages of ${url}`, at: (path) => `${url.replace(/\/$/, "")}${path}` };
  const known = "the address that `leeway up` printed";
  const named = (path: string) => (path === "/" ? "the inbox" : `the page ${path}`);
  return { all: `the pages at ${known}`, at: (path) => `${named(path)} at ${known}` };
}

export function thereOf(given: Given): There | undefined {
  const { env, cwd, clock } = given.io;
  const meant = serverMeant(env);
  if (meant === undefined) return undefined;
  if (text(given, "policy") !== undefined)
    throw usage("the server judges by its own policy", "leave out --policy, or unset LEEWAY_URL and LEEWAY_TOKEN");
  if (!/^https?:\/\/[^/]/.test(meant.url))
    throw usage(`LEEWAY_URL is not the address of a server: ${meant.url}`, "write http://127.0.0.1:4141");
  const asking = askingOf({ ...meant, clock });
  return { url: meant.url, pages: pagesOf(meant.url), gate: createClient({ ...meant, cwd }), asking, ask: asking.ask };
}

/** The person whose token it is. */
export async function personThere({ ask }: There, given: Given): Promise<string> {
  const me = await ask({ path: "/v1/me" });
  return text(given, "as") ?? (isObject(me) ? String(me["name"]) : "");
}
