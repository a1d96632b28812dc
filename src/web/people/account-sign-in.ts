import { say } from "../../core/messages/message.ts";
import { visible } from "../../core/values/text.ts";
import { personWithAccount } from "../../gate/people/credentials.ts";
import { seeOther } from "../../http/answer.ts";
import { safeNext, signedInCookie } from "../../http/identity/cookies.ts";
import { cookieOf } from "../../http/identity/who.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { LeewayRefusal } from "../../service/refusal.ts";
import { page, viewOf } from "../page/frame.ts";
import { html } from "../page/html.ts";

const DONE = "/sign-in/account/done";
const KEPT_SECONDS = 600;

export const ACCOUNT_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/sign-in/account",
    for: ["anybody"],
    page: true,
    summary: "Sends the browser to the issuer of the account.",
    act: async (serving, request) => {
      const next = safeNext(request.query["next"]);
      const { location, kept } = await accounts(serving).begin(serving.deps, { redirect: doneUrl(serving), next });
      return seeOther(location, { "set-cookie": cookieText(serving, kept, KEPT_SECONDS) });
    },
  },
  {
    method: "GET",
    path: DONE,
    for: ["anybody"],
    page: true,
    summary: "The way back from the issuer: its answer is checked, and the person of the account is found.",
    act: async (serving, request) => {
      const kept = cookieOf(request.headers["cookie"], cookieName(serving)) ?? "";
      const url = new URL(doneUrl(serving));
      url.search = new URLSearchParams(request.query).toString();
      const { account, next } = await accounts(serving).finish(serving.deps, { url, kept });
      const found = await personWithAccount(serving.deps, account);
      if (found === undefined) return strange(serving, request, account);
      return seeOther(safeNext(next), await signedInCookie(serving, request, found.person.name, "oidc", found.by));
    },
  },
];

function accounts({ accounts: found }: Serving) {
  if (found !== undefined) return found;
  throw new LeewayRefusal({
    code: "LEEWAY_NOT_FOUND",
    reason: say("refusal.no_accounts_here"),
    hint: say("hint.set_oidc"),
  });
}

function doneUrl({ origin }: Serving): string {
  return origin + DONE;
}

/** Another cookie than that of the sign-in; its name keeps two servers on one machine apart. */
function cookieName({ cookie }: Serving): string {
  return `${cookie.name.replace(/^__Host-/, "")}-account`;
}

function cookieText(serving: Serving, value: string, seconds: number): string {
  const secure = serving.cookie.secure ? "; Secure" : "";
  return `${cookieName(serving)}=${value}; Path=${serving.base}/sign-in; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

/** Quotes a value as one word for POSIX shells, with invisible characters written out. */
function inShell(text: string): string {
  return `'${visible(text).replaceAll("'", "'\\''")}'`;
}

/** The issuer knows the account, but it is not linked to a person: the page shows the exact command for an admin. */
async function strange(serving: Serving, request: HttpRequest, account: { issuer: string; subject: string }) {
  const view = await viewOf(serving, request);
  const { words } = view;
  const command = `leeway people link NAME --issuer ${inShell(account.issuer)} --subject ${inShell(account.subject)}`;
  const body = html`<section class="narrow"><h1>${words.signIn}</h1><p class="warning" role="alert">${words.strangeAccount}</p>
<p><code>${command}</code></p><p><a class="button" href="/sign-in">${words.signIn}</a></p></section>`;
  return { ...page(view, { at: "/sign-in", title: words.signIn, body }), status: 403 };
}
