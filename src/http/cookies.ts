import type { PersonName } from "../core/ids.ts";
import type { SignIn } from "../core/people.ts";
import type { Assurance } from "../core/policy.ts";
import { proveAgain, startSignIn } from "../gate/people/sign-in.ts";
import { orThrow } from "../service/refusal.ts";
import type { Asked } from "./request.ts";
import type { Serving } from "./route.ts";

/** Whoever has just proved to be this person stays signed in in this browser: the header that makes it so. */
export async function signedInCookie(
  serving: Serving,
  asked: Asked,
  person: PersonName,
  assurance: Assurance,
  /** Who made the link, where it was one and somebody else's. */
  madeBy?: PersonName,
): Promise<Record<string, string>> {
  const browser = asked.headers["user-agent"] ?? "";
  const proof = { assurance, browser, ...(madeBy === undefined ? {} : { madeBy }) };
  return cookieFor(serving, orThrow(await startSignIn(serving.deps, person, proof)));
}

/** The same sign-in, fresh again, under another secret; nothing where it is over. */
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

/** Lax: a link in a message leads to the question it is about; what changes something has to come from a page of ours. */
function cookieText({ cookie }: Serving, value: string, seconds: number): string {
  const secure = cookie.secure ? "; Secure" : "";
  return `${cookie.name}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

/** Only to a page of ours: an address that leads elsewhere would make us the one who sent people there. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.startsWith("/sign-in") ? next : "/";
}
