import { isLoopbackHost } from "../../http/connection/listening.ts";

/** Texts that say where people find the pages of a server, and one page of it. */
export type Pages = { all: string; at(path: string): string };

/**
 * On this machine the pages have a host name that programs are not told; at the address for programs there are no
 * pages. `leeway up` printed the name for the person who started it.
 */
export function pagesOf(url: string): Pages {
  const { hostname } = new URL(url);
  if (!isLoopbackHost(hostname.replace(/^\[|\]$/g, "")))
    return { all: `the pages of ${url}`, at: (path) => `${url.replace(/\/$/, "")}${path}` };
  const known = "the address that `leeway up` printed";
  const named = (path: string) => (path === "/" ? "the inbox" : `the page ${path}`);
  return { all: `the pages at ${known}`, at: (path) => `${named(path)} at ${known}` };
}
