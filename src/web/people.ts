import { say } from "../core/messages/message.ts";
import type { Holder, Person, Token } from "../core/people.ts";
import { setPassphrase } from "../gate/people/people.ts";
import { addToken, listTokens, revokeToken } from "../gate/people/tokens.ts";
import { type Answer, seeOther } from "../http/answer.ts";
import { invitationOf } from "../http/invitation.ts";
import { actingOf, hereOf, personOf } from "../http/person.ts";
import type { Asked } from "../http/request.ts";
import type { Route, Serving } from "../http/route.ts";
import { peopleOf } from "../service/people.ts";
import { badInput, orThrow } from "../service/refusal.ts";
import { fieldsOf } from "./fields.ts";
import { page, viewOf } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { inviteShown, peopleTable, personForm, tokenForm, tokenShown, tokenTable } from "./people-view.ts";
import type { View } from "./view.ts";

const AT = "/people";

export const PEOPLE_PAGE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: AT,
    for: ["read"],
    page: true,
    summary: "Who can answer and as what, and the tokens of people and agents.",
    act: (serving, asked) => peoplePage(serving, asked),
  },
  {
    method: "POST",
    path: AT,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Adds somebody; without a passphrase, with an invitation for them.",
    act: async (serving, asked) => {
      const { deps } = serving;
      const { by, ...sure } = actingOf(asked);
      const { name = "", role = "reviewer", groups = "", passphrase = "" } = fieldsOf(asked);
      await peopleOf(deps, sure).add({
        name: name.trim(),
        by,
        ...becomingOf(role),
        groups: groupsOf(groups),
        ...(passphrase === "" ? {} : { passphrase }),
      });
      if (passphrase !== "") return seeOther(`${AT}?told=added`);
      return invited(serving, asked, name.trim());
    },
  },
  {
    method: "POST",
    path: `${AT}/:name/change`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Changes what somebody is and their groups.",
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      const { role = "", groups = "" } = fieldsOf(asked);
      const becoming = { ...becomingOf(role), groups: groupsOf(groups) };
      await peopleOf(deps, sure).change(asked.params["name"] ?? "", { ...becoming, by });
      return seeOther(`${AT}?told=personChanged`);
    },
  },
  {
    method: "POST",
    path: `${AT}/:name/remove`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Lets somebody answer no more.",
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      await peopleOf(deps, sure).remove(asked.params["name"] ?? "", { by });
      return seeOther(`${AT}?told=removed`);
    },
  },
  {
    method: "POST",
    path: `${AT}/:name/invite`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Makes an invitation for somebody who has nothing of their own to sign in with, and shows its link, once.",
    act: (serving, asked) => invited(serving, asked, asked.params["name"] ?? ""),
  },
  {
    method: "POST",
    path: `${AT}/:name/passphrase`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "A new passphrase for somebody who forgot theirs.",
    act: async ({ deps }, asked) => {
      const { passphrase = "" } = fieldsOf(asked);
      orThrow(
        await setPassphrase(deps, asked.params["name"] ?? "", { ...actingOf(asked), ...hereOf(asked), passphrase }),
      );
      return seeOther(`${AT}?told=passphraseSet`);
    },
  },
  {
    method: "POST",
    path: "/tokens",
    for: ["act"],
    fresh: true,
    page: true,
    summary: "Makes a token and shows it, once.",
    act: async (serving, asked) => {
      const made = orThrow(await addToken(serving.deps, holderOf(asked), actingOf(asked)));
      return peoplePage(serving, asked, (view) => tokenShown(view, made.text));
    },
  },
  {
    method: "POST",
    path: "/tokens/:id/revoke",
    for: ["act"],
    page: true,
    summary: "Revokes a token.",
    act: async ({ deps }, asked) => {
      orThrow(await revokeToken(deps, asked.params["id"] ?? "", { by: personOf(asked).name }));
      return seeOther(`${AT}?told=revoked`);
    },
  },
];

async function invited(serving: Serving, asked: Asked, name: string): Promise<Answer> {
  const { link } = await invitationOf(serving, name, actingOf(asked));
  return peoplePage(serving, asked, (view) => inviteShown(view, { name, link }));
}

/** `made`: a new token or link, which cannot be shown again. */
async function peoplePage(serving: Serving, asked: Asked, made?: (view: View) => Html): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, asked);
  const { words, admin, mayAct } = view;
  const people = await peopleOf(deps).list();
  const active = people.filter(({ state }) => state === "active");
  const tokens = (await listTokens(deps)).filter((token) => mayList(token, personOf(asked)));
  const body = html`${made?.(view)}
<h1>${words.people} <small>${active.length}</small></h1>
${peopleTable(view, people)}
${admin && html`<section class="panel">${personForm(view, AT)}</section>`}
<h2 id="tokens">${words.tokens}</h2>
<p class="lead">${words.tokensLead}</p>
${tokenTable(view, tokens)}
${mayAct && html`<section class="panel">${tokenForm(view, AT, active)}</section>`}`;
  return { ...page(view, { at: AT, title: words.people, body }), ...(made === undefined ? {} : { once: true }) };
}

/** Admins and auditors see all tokens, others see their own. Sign-in links are not listed. */
function mayList({ holder, state }: Token, { admin, auditor, name }: Person): boolean {
  const isOwn = "person" in holder && holder.person === name;
  const isLink = "person" in holder && (holder.can === "sign-in" || holder.can === "join");
  return (admin || auditor || isOwn) && !(isLink && state !== "live");
}

function holderOf(asked: Asked): Holder {
  const { of = "", agent = "", person = "", can = "read" } = fieldsOf(asked);
  if (can !== "read" && can !== "approve")
    throw badInput("can", say("refusal.token_cannot"), say("hint.read_or_approve"));
  if (of === "agent") return { agent: agent.trim() };
  if (of === "person") return { person, can };
  throw badInput("of", say("refusal.holder_missing"), say("hint.choose_one"));
}

function becomingOf(role: string): { admin: boolean; auditor: boolean } {
  if (!["reviewer", "admin", "auditor"].includes(role))
    throw badInput("role", say("refusal.no_role"), say("hint.roles"));
  return { admin: role === "admin", auditor: role === "auditor" };
}

function groupsOf(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}
