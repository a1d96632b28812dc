import { isLoopbackHost } from "../../http/listening.ts";

/** Where people look at a server, in words: the pages, and one of them. */
export type Pages = { all: string; at(path: string): string };

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
