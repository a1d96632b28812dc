import { type Message, say } from "../../core/messages/message.ts";
import { urlFrom } from "../../core/values/url.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import type { Requester } from "../identity/who.ts";
import type { Route } from "../route.ts";

// A page of another site can make a browser send a request here. It cannot choose the host name of the request, and it
// cannot hide its own origin. So both are checked first.

type Headers = Readonly<Record<string, string | undefined>>;

/** A request with another host name came through an address of somebody else (DNS rebinding). */
export function wrongHost(headers: Headers, hosts: ReadonlySet<string>): LeewayRefusal | undefined {
  const host = headers["host"]?.toLowerCase();
  if (host !== undefined && hosts.has(host)) return undefined;
  return refusal(say("refusal.wrong_host", { host: host ?? say("refusal.no_host") }), say("hint.open_printed"));
}

/**
 * A request of a browser that changes something must come from a page of this server. A token is sent on purpose by who has
 * it. A cookie or a form is sent for any page that the browser shows, and then the browser sends the origin of that page.
 */
export function wrongOrigin(
  headers: Headers,
  origins: ReadonlySet<string>,
  { route, who }: { route: Pick<Route, "page">; who: Requester },
): LeewayRefusal | undefined {
  const { origin, authorization } = headers;
  if (origin !== undefined && origins.has(origin)) return undefined;
  // An invalid token proves nothing, because anybody can send one.
  const isByToken = authorization !== undefined && who.is !== "nobody";
  const isByBrowser = origin !== undefined || route.page === true || who.is !== "nobody";
  if (isByToken || !isByBrowser) return undefined;
  return refusal(
    say("refusal.came_from", { origin: origin ?? say("refusal.from_nowhere") }),
    say("hint.pages_or_token"),
  );
}

/** Unencrypted requests can be read on the network. They are safe only if they never leave the machine. */
export function isInTheClear({ origin, host }: { origin: string; host: string }): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol !== "https:" && !(isLoopback(host) && isLoopback(hostname));
}

function isLoopback(host: string): boolean {
  return /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

/** The page of this server that contained the form, under any of the server's names; never another server's address. */
export function pageBefore(headers: Headers): string {
  const from = headers["referer"] ?? "";
  const page = urlFrom(from);
  if (page === undefined) return "/";
  const { host, pathname, search } = page;
  // An address that starts with two slashes leads to another host.
  const isOurs = host === headers["host"]?.toLowerCase() && !pathname.startsWith("//");
  return isOurs ? `${pathname}${search}` : "/";
}

function refusal(reason: Message, hint: Message): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_CROSS_SITE", reason, hint });
}

/** Pages load only files of this server, cannot be shown in a frame, and do not tell their address to others. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Not `no-referrer`, because then browsers send no origin with a form.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
