import type { Protocol, Registry } from "./protocol.ts";

// The simple index of Python: a page of links for each project. The links lead to the reader afterwards, and only files
// that were on such a page can be asked for.

const PROJECT = /^\/simple\/(?<name>[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?)\/$/;
const FILE = /^\/files\/(?<place>\d)(?<path>\/[\w.+~!%@/-]{1,400})$/;
const JSON_TYPE = "application/vnd.pypi.simple.v1+json";
const METADATA = ".metadata";
/** A page may offer as many files as there are, but not more than a manager could use. */
const OFFERED_MAX = 1_000_000;

export const pypi: Protocol = (registry) => {
  const places = [registry.from.origin, ...registry.archives];
  const offered = new Set<string>();
  return async ({ path, accept }) => {
    const file = FILE.exec(path)?.groups;
    if (file !== undefined) {
      const url = `${places[Number(file["place"])]}${file["path"]}`;
      const isOffered = offered.has(url) || (url.endsWith(METADATA) && offered.has(url.slice(0, -METADATA.length)));
      return isOffered ? { url, accept: "*/*", is: "archive" } : undefined;
    }
    const name = PROJECT.exec(path)?.groups?.["name"];
    if (name === undefined) return undefined;
    const page = `${registry.from.href}${name}/`;
    const offer = (link: string) => offerOf(link, page, { registry, places, offered });
    return {
      url: page,
      accept: accept.includes(JSON_TYPE) ? `${JSON_TYPE}, text/html;q=0.1` : "text/html",
      is: "document",
      changed: (text, type) => (type.includes("json") ? changedJson(text, offer) : changedHtml(text, offer)),
    };
  };
};

type Offer = (link: string) => string | undefined;

/** The link to the reader; undefined if it leads to a host that is not one of this registry. */
function offerOf(
  link: string,
  page: string,
  { registry, places, offered }: { registry: Registry; places: readonly string[]; offered: Set<string> },
): string | undefined {
  const url = URL.canParse(link, page) ? new URL(link, page) : undefined;
  const place = url === undefined ? -1 : places.indexOf(url.origin);
  if (url === undefined || place < 0 || url.search !== "" || offered.size >= OFFERED_MAX) return undefined;
  offered.add(url.origin + url.pathname);
  return `${registry.at}files/${place}${url.pathname}${url.hash}`;
}

type Page = { files?: { url?: unknown }[] };

function changedJson(text: string, offer: Offer): string {
  const page = JSON.parse(text) as Page;
  const files = (page.files ?? []).flatMap((file) => {
    const url = typeof file.url === "string" ? offer(file.url) : undefined;
    return url === undefined ? [] : [{ ...file, url }];
  });
  return JSON.stringify({ ...page, files });
}

/** A link elsewhere loses its address. `<base>` would change all of them. */
function changedHtml(text: string, offer: Offer): string | undefined {
  if (/<base\b/i.test(text)) return undefined;
  return text.replace(/\bhref\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, (_, quoted: string) => {
    const link = quoted.replace(/^["']|["']$/g, "").replaceAll("&amp;", "&");
    const here = offer(link);
    return `href="${(here ?? "").replaceAll("&", "&amp;").replaceAll('"', "%22")}"`;
  });
}
