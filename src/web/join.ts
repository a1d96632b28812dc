import { type Message, say } from "../core/messages/message.ts";
import type { Token } from "../core/people.ts";
import { acceptInvitation } from "../gate/people/invitations.ts";
import { tokenOf } from "../gate/people/tokens.ts";
import { type Answer, seeOther } from "../http/answer.ts";
import { signedInCookie } from "../http/cookies.ts";
import type { Asked } from "../http/request.ts";
import type { Route, Serving } from "../http/route.ts";
import { fieldsOf } from "./fields.ts";
import { page, viewOf } from "./frame.ts";
import { html } from "./html.ts";
import { sentenceIn } from "./said.ts";
import { shown } from "./shown.ts";

// The page for invited people. Opening the link does not use it up, because mail programs may fetch links in advance.

export const JOIN_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/join/:token",
    for: ["anybody"],
    page: true,
    summary: "Where somebody who was invited chooses their passphrase.",
    act: (serving, asked) => joinPage(serving, asked),
  },
  {
    method: "POST",
    path: "/join/:token",
    for: ["anybody"],
    page: true,
    summary: "Uses the invitation up: the passphrase is theirs, and they are signed in.",
    act: async (serving, asked) => {
      const token = await tokenOf(serving.deps, asked.params["token"] ?? "");
      if (token === undefined) return joinPage(serving, asked);
      const { passphrase = "" } = fieldsOf(asked);
      const joined = await acceptInvitation(serving.deps, token, passphrase);
      if (!joined.ok) return joinPage(serving, asked, [joined.reason, joined.hint]);
      return seeOther("/", await signedInCookie(serving, asked, joined.value.name, "password"));
    },
  },
];

function invitedName(token: Token | undefined): string | undefined {
  return token !== undefined && "person" in token.holder && token.holder.can === "join"
    ? token.holder.person
    : undefined;
}

async function joinPage(serving: Serving, asked: Asked, told?: readonly Message[]): Promise<Answer> {
  const view = await viewOf(serving, asked);
  const { words, language } = view;
  const name = invitedName(await tokenOf(serving.deps, asked.params["token"] ?? ""));
  const said = name === undefined ? [say("refusal.link_used"), say("hint.ask_for_another")] : told;
  const title = name === undefined ? words.joinOver : `${words.joinTitle} ${shown(name)}`;
  const body = html`<section class="narrow"><h1>${title}</h1>
${said !== undefined && html`<p class="warning" role="alert">${said.map((text) => sentenceIn(language, text)).join(" ")}</p>`}
${name === undefined && html`<p>${words.joinOverMore}</p><p><a class="button" href="/sign-in">${words.signIn}</a></p>`}
${
  name !== undefined &&
  html`<p>${words.joinWhy}</p><form method="post" action="${asked.path}" class="stacked">
<input type="hidden" name="name" autocomplete="username" value="${name}">
<label>${words.joinPassphrase}<input name="passphrase" type="password" autocomplete="new-password" minlength="8" required autofocus></label>
<button class="primary">${words.joinDo}</button></form>`
}</section>`;
  const { status, ...rest } = page(view, { at: "/join", title, body });
  return { ...rest, status: said === undefined ? status : 403 };
}
