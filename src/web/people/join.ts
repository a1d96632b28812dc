import { type Message, say } from "../../core/messages/message.ts";
import type { Token } from "../../core/people.ts";
import { acceptInvitation } from "../../gate/people/invitations.ts";
import { tokenOf } from "../../gate/people/tokens.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { signedInCookie } from "../../http/identity/cookies.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { fieldsOf } from "../page/fields.ts";
import { page, viewOf } from "../page/frame.ts";
import { html } from "../page/html.ts";
import { sentenceIn, shown } from "../page/text.ts";

// The page for invited people. Opening the link does not use it up, because mail programs may fetch links in advance.

export const JOIN_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/join/:token",
    for: ["anybody"],
    page: true,
    summary: "The page on which an invited person chooses their passphrase.",
    act: (serving, request) => joinPage(serving, request),
  },
  {
    method: "POST",
    path: "/join/:token",
    for: ["anybody"],
    page: true,
    summary: "Uses the invitation: sets the passphrase and signs the person in.",
    act: async (serving, request) => {
      const token = await tokenOf(serving.deps, request.params["token"] ?? "");
      if (token === undefined) return joinPage(serving, request);
      const { passphrase = "" } = fieldsOf(request);
      const joined = await acceptInvitation(serving.deps, token, passphrase);
      if (!joined.ok) return joinPage(serving, request, [joined.reason, joined.hint]);
      return seeOther("/", await signedInCookie(serving, request, joined.value.name, "password"));
    },
  },
];

function invitedName(token: Token | undefined): string | undefined {
  return token !== undefined && "person" in token.holder && token.holder.can === "join"
    ? token.holder.person
    : undefined;
}

async function joinPage(serving: Serving, request: HttpRequest, told?: readonly Message[]): Promise<Answer> {
  const view = await viewOf(serving, request);
  const { words, language } = view;
  const name = invitedName(await tokenOf(serving.deps, request.params["token"] ?? ""));
  const said = name === undefined ? [say("refusal.link_used"), say("hint.ask_for_another")] : told;
  const title = name === undefined ? words.joinOver : `${words.joinTitle} ${shown(name)}`;
  const body = html`<section class="narrow"><h1>${title}</h1>
${said !== undefined && html`<p class="warning" role="alert">${said.map((text) => sentenceIn(language, text)).join(" ")}</p>`}
${name === undefined && html`<p>${words.joinOverMore}</p><p><a class="button" href="/sign-in">${words.signIn}</a></p>`}
${
  name !== undefined &&
  html`<p>${words.joinWhy}</p><form method="post" action="${request.path}" class="stacked">
<input type="hidden" name="name" autocomplete="username" value="${name}">
<label>${words.joinPassphrase}<input name="passphrase" type="password" autocomplete="new-password" minlength="8" required autofocus></label>
<button class="primary">${words.joinDo}</button></form>`
}</section>`;
  const { status, ...rest } = page(view, { at: "/join", title, body });
  return { ...rest, status: said === undefined ? status : 403 };
}
