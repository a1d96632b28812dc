import type { PersonName } from "../../core/ids.ts";
import type { SignIn } from "../../core/people.ts";
import type { Assurance } from "../../core/policy.ts";
import { proveAgain, startSignIn } from "../../gate/people/sign-in.ts";
import { orThrow } from "../../service/refusal.ts";
import type { HttpRequest } from "../request.ts";
import type { Serving } from "../route.ts";

/** Signs a person in who just proved who they are. Returns the header that sets the cookie. */
export async function signedInCookie(
  serving: Serving,
  request: HttpRequest,
  person: PersonName,
  assurance: Assurance,
  /** Who made the link, if the person came with a link of somebody else. */
  madeBy?: PersonName,
): Promise<Record<string, string>> {
  const browser = request.headers["user-agent"] ?? "";
  const proof = { assurance, browser, ...(madeBy === undefined ? {} : { madeBy }) };
  return cookieFor(serving, orThrow(await startSignIn(serving.deps, person, proof)));
}

/** The same sign-in, fresh again and with a new secret; undefined if the sign-in has ended. */
export async function provedCookie(serving: Serving, { id }: SignIn): Promise<Record<string, string> | undefined> {
  const proved = await proveAgain(serving.deps, id);
  return proved.ok ? cookieFor(serving, proved.value) : undefined;
}

function cookieFor(serving: Serving, { signIn, text }: { signIn: SignIn; text: string }): Record<string, string> {
  const seconds = Math.floor((signIn.untilMs - signIn.provedMs) / 1000);
  return { "set-cookie": cookieText(serving, text, seconds) };
}

export function signedOutCookie(serving: Serving): Record<string, string> {
  return { "set-cookie": cookieText(serving, "", 0) };
}

/** `Lax`, so that a link in a message opens its question. Requests that change something must come from our own pages. */
function cookieText({ cookie }: Serving, value: string, seconds: number): string {
  const secure = cookie.secure ? "; Secure" : "";
  return `${cookie.name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

/** Only a page of this server, so that nobody can use our sign-in to send people to another site. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.startsWith("/sign-in") ? next : "/";
}
