import { type Message, say } from "../../core/messages/message.ts";
import type { SignIn } from "../../core/people.ts";
import type { GuessOrigin } from "../../gate/people/passphrase-tries.ts";
import { checkPassphrase } from "../../gate/people/people.ts";
import { endSignIn } from "../../gate/people/sign-in.ts";
import { makerOfToken, tokenOf, useUp } from "../../gate/people/tokens.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { provedCookie, safeNext, signedInCookie, signedOutCookie } from "../../http/identity/cookies.ts";
import { passkeyHost } from "../../http/identity/passkeys.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { fieldsOf } from "../page/fields.ts";
import { otherWorkspaceForm, page, viewOf } from "../page/frame.ts";
import { html } from "../page/html.ts";
import { sentenceIn } from "../page/text.ts";

export const SIGN_IN_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/sign-in",
    for: ["anybody"],
    page: true,
    summary: "The sign-in page.",
    act: (serving, request) => signInPage(serving, request, {}),
  },
  {
    method: "POST",
    path: "/sign-in",
    for: ["anybody"],
    page: true,
    summary: "Signs in with name and passphrase, or renews the proof of a signed-in person.",
    act: async (serving, request) => {
      const { name = "", passphrase = "", next } = fieldsOf(request);
      const from = guessedFrom(request, name);
      const checked = await checkPassphrase(serving.deps, name, passphrase, { to: say("act.sign_in"), from });
      if (!checked.ok) return signInPage(serving, request, { told: [checked.reason, checked.hint] });
      const { passphraseBy } = checked.value;
      const again = sameSignIn(request, name, passphraseBy);
      const cookie = again && (await provedCookie(serving, again));
      return seeOther(
        safeNext(next),
        cookie ?? (await signedInCookie(serving, request, name, "password", passphraseBy)),
      );
    },
  },
  {
    method: "GET",
    path: "/sign-in/link/:token",
    for: ["anybody"],
    page: true,
    summary: "A link that signs in once. Only its button does: what fetches links ahead must not use them up.",
    act: async (serving, request) => {
      const view = await viewOf(serving, request);
      const { words } = view;
      const body = html`<section class="narrow"><h1>${words.signIn}</h1><p>${words.signInWhy}</p>
<form method="post"><button class="primary" autofocus>${words.signIn}</button></form></section>`;
      return page(view, { at: "/sign-in", title: words.signIn, body });
    },
  },
  {
    method: "POST",
    path: "/sign-in/link/:token",
    for: ["anybody"],
    page: true,
    summary: "Signs in with the link, which works once.",
    act: async (serving, request) => {
      const token = await tokenOf(serving.deps, request.params["token"] ?? "");
      const holder = token?.holder;
      const used = token !== undefined && holder !== undefined && "person" in holder && holder.can === "sign-in";
      const done = used ? await useUp(serving.deps, token) : undefined;
      if (!used || done?.ok !== true) {
        return signInPage(serving, request, { told: [say("refusal.link_used"), say("hint.sign_in_passphrase")] });
      }
      // A sign-in link proves only that the person has the link.
      return seeOther("/", await signedInCookie(serving, request, holder.person, "token", makerOfToken(token)));
    },
  },
  {
    method: "POST",
    path: "/sign-out",
    for: ["anybody"],
    page: true,
    summary: "Ends the sign-in of this browser.",
    act: async (serving, request) => {
      const { who } = request;
      if (who.is === "person" && who.signIn !== undefined) {
        await endSignIn(serving.deps, who.signIn.id, { by: who.person.name });
      }
      return seeOther("/sign-in", signedOutCookie(serving));
    },
  },
];

/**
 * Wrong passphrases of a signed-in person are counted for that sign-in, so that guesses of others do not lock them
 * out.
 */
function guessedFrom({ who, address }: HttpRequest, name: string): GuessOrigin {
  const isAgain = who.is === "person" && who.signIn !== undefined && who.person.name === name;
  return isAgain && who.signIn !== undefined ? { signIn: who.signIn.id } : { address };
}

/**
 * The sign-in that a passphrase renews: of the same person, and not started with a link or with a token that somebody
 * else made.
 */
function sameSignIn({ who }: HttpRequest, name: string, madeBy: string | undefined): SignIn | undefined {
  if (who.is !== "person" || who.person.name !== name || who.assurance === "token") return undefined;
  return who.madeBy === madeBy ? who.signIn : undefined;
}

async function signInPage(
  serving: Serving,
  request: HttpRequest,
  { told }: { told?: readonly Message[] },
): Promise<Answer> {
  const view = await viewOf(serving, request);
  const { words, person, language } = view;
  const { next = request.query["next"] ?? "/" } = fieldsOf(request);
  const known = person ?? fieldsOf(request)["name"] ?? serving.demo?.name ?? "";
  // A known person only has to type the passphrase.
  const focus = (here: boolean) => here && html` autofocus`;
  const body = html`<section class="narrow">
<h1>${words.signIn}</h1>
<p>${person === undefined ? words.signInWhy : words.proveAgain}</p>
${serving.demo !== undefined && html`<p class="told">${words.demoSignIn} ${serving.demo.name}${words.demoPassphrase} <code>${serving.demo.passphrase}</code></p>`}
${told !== undefined && html`<p class="warning" role="alert">${told.map((text) => sentenceIn(language, text)).join(" ")}</p>`}
<form method="post" action="/sign-in" class="stacked">
<input type="hidden" name="next" value="${safeNext(next)}">
<label>${words.name}<input name="name" autocomplete="username" autocapitalize="none" required value="${known}"${focus(known === "")}${person !== undefined && html` readonly`}></label>
<label>${words.passphrase}<input name="passphrase" type="password" autocomplete="current-password" required${focus(known !== "")}></label>
<button class="primary">${words.signIn}</button>
</form>
${serving.accounts !== undefined && html`<p class="or"><a class="button" href="/sign-in/account?next=${encodeURIComponent(safeNext(next))}">${words.withAccount}</a></p>`}
${passkeyHost(request) !== undefined && html`<p class="or"><button type="button" id="passkey" data-next="${safeNext(next)}" hidden>${words.withPasskey}</button></p><p id="passkey-told" class="warning" role="alert" data-failed="${words.passkeyFailed}" hidden></p>`}
${view.place !== undefined && otherWorkspaceForm(view)}
</section>`;
  const { status, ...rest } = page(view, { at: "/sign-in", title: words.signIn, body });
  return { ...rest, status: told === undefined ? status : 403 };
}
