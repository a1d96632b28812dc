import { type Message, say } from "../core/messages/message.ts";
import { urlFrom } from "../core/values/url.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import type { Route } from "./route.ts";
import type { Who } from "./who.ts";

// A page of another site can make a browser ask here. It cannot choose under which name the browser asks, nor hide where
// the request comes from: so both are looked at, before anything else is.

type Headers = Readonly<Record<string, string | undefined>>;

/** Under another name than ours somebody else's address led here (DNS rebinding). */
export function wrongHost(headers: Headers, hosts: ReadonlySet<string>): LeewayRefusal | undefined {
  const host = headers["host"]?.toLowerCase();
  if (host !== undefined && hosts.has(host)) return undefined;
  return refusal(say("refusal.wrong_host", { host: host ?? say("refusal.no_host") }), say("hint.open_printed"));
}

/**
 * What changes something and comes from a browser has to come from a page of this server. A token is sent by whoever has
 * it; a cookie and a form by whatever page the browser is on, and then the browser says where that page is from.
 */
export function wrongOrigin(
  headers: Headers,
  origins: ReadonlySet<string>,
  { route, who }: { route: Pick<Route, "page">; who: Who },
): LeewayRefusal | undefined {
  const { origin, authorization } = headers;
  if (origin !== undefined && origins.has(origin)) return undefined;
  // A token that lets nobody in proves nothing: anybody can send one.
  const isByToken = authorization !== undefined && who.is !== "nobody";
  const isByBrowser = origin !== undefined || route.page === true || who.is !== "nobody";
  if (isByToken || !isByBrowser) return undefined;
  return refusal(
    say("refusal.came_from", { origin: origin ?? say("refusal.from_nowhere") }),
    say("hint.pages_or_token"),
  );
}

/** Whoever is on the way reads what is not encrypted: only what never leaves the machine may do without. */
export function isInTheClear({ origin, host }: { origin: string; host: string }): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol !== "https:" && !(isLoopback(host) && isLoopback(hostname));
}

function isLoopback(host: string): boolean {
  return /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** The page of ours that a form stood on, whichever of our names it was opened under; never an address elsewhere. */
export function pageBefore(headers: Headers): string {
  const from = headers["referer"] ?? "";
  const page = urlFrom(from);
  if (page === undefined) return "/";
  const { host, pathname, search } = page;
  // Two slashes in front would lead to whatever stands behind them.
  const isOurs = host === headers["host"]?.toLowerCase() && !pathname.startsWith("//");
  return isOurs ? `${pathname}${search}` : "/";
}

function refusal(reason: Message, hint: Message): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_CROSS_SITE", reason, hint });
}

/** Nothing but our own files, nowhere in a frame, no address told to anybody. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not `no-referrer`: browsers then send no origin with a form either.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
