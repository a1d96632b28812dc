import { say } from "../../core/messages/message.ts";
import type { Holder, Person, Token } from "../../core/people.ts";
import { setPassphrase } from "../../gate/people/people.ts";
import { addToken, listTokens, revokeToken } from "../../gate/people/tokens.ts";
import { type Answer, seeOther } from "../../http/answer.ts";
import { actingOf, hereOf, personOf } from "../../http/identity/person.ts";
import type { HttpRequest } from "../../http/request.ts";
import type { Route, Serving } from "../../http/route.ts";
import { invitationOf } from "../../http/routes/people.ts";
import { peopleOf } from "../../service/people.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import { fieldsOf } from "../page/fields.ts";
import { page, viewOf } from "../page/frame.ts";
import { type Html, html } from "../page/html.ts";
import type { View } from "../page/view.ts";
import { inviteShown, peopleTable, personForm, tokenForm, tokenShown, tokenTable } from "./people-view.ts";

const AT = "/people";

export const PEOPLE_PAGE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: AT,
    for: ["read"],
    page: true,
    summary: "The people with their roles, and the tokens of people and agents.",
    act: (serving, request) => peoplePage(serving, request),
  },
  {
    method: "POST",
    path: AT,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Adds a person; without a passphrase, an invitation is created.",
    act: async (serving, request) => {
      const { deps } = serving;
      const { by, ...sure } = actingOf(request);
      const { name = "", role = "reviewer", groups = "", passphrase = "" } = fieldsOf(request);
      await peopleOf(deps, sure).add({
        name: name.trim(),
        by,
        ...becomingOf(role),
        groups: groupsOf(groups),
        ...(passphrase === "" ? {} : { passphrase }),
      });
      if (passphrase !== "") return seeOther(`${AT}?told=added`);
      return invited(serving, request, name.trim());
    },
  },
  {
    method: "POST",
    path: `${AT}/:name/change`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Changes the role and the groups of a person.",
    act: async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      const { role = "", groups = "" } = fieldsOf(request);
      const becoming = { ...becomingOf(role), groups: groupsOf(groups) };
      await peopleOf(deps, sure).change(request.params["name"] ?? "", { ...becoming, by });
      return seeOther(`${AT}?told=personChanged`);
    },
  },
  {
    method: "POST",
    path: `${AT}/:name/remove`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Removes a person.",
    act: async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      await peopleOf(deps, sure).remove(request.params["name"] ?? "", { by });
      return seeOther(`${AT}?told=removed`);
    },
  },
  {
    method: "POST",
    path: `${AT}/:name/invite`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Creates an invitation for a person who never had their own means to sign in, and shows its link once.",
    act: (serving, request) => invited(serving, request, request.params["name"] ?? ""),
  },
  {
    method: "POST",
    path: `${AT}/:name/passphrase`,
    for: ["admin"],
    fresh: true,
    page: true,
    summary: "Sets a new passphrase for a person who forgot theirs.",
    act: async ({ deps }, request) => {
      const { passphrase = "" } = fieldsOf(request);
      orThrow(
        await setPassphrase(deps, request.params["name"] ?? "", {
          ...actingOf(request),
          ...hereOf(request),
          passphrase,
        }),
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
    summary: "Creates a token and shows it once.",
    act: async (serving, request) => {
      const made = orThrow(await addToken(serving.deps, holderOf(request), actingOf(request)));
      return peoplePage(serving, request, (view) => tokenShown(view, made.text));
    },
  },
  {
    method: "POST",
    path: "/tokens/:id/revoke",
    for: ["act"],
    page: true,
    summary: "Revokes a token.",
    act: async ({ deps }, request) => {
      orThrow(await revokeToken(deps, request.params["id"] ?? "", { by: personOf(request).name }));
      return seeOther(`${AT}?told=revoked`);
    },
  },
];

async function invited(serving: Serving, request: HttpRequest, name: string): Promise<Answer> {
  const { link } = await invitationOf(serving, name, actingOf(request));
  return peoplePage(serving, request, (view) => inviteShown(view, { name, link }));
}

/** `made`: a new token or link, which cannot be shown again. */
async function peoplePage(serving: Serving, request: HttpRequest, made?: (view: View) => Html): Promise<Answer> {
  const { deps } = serving;
  const view = await viewOf(serving, request);
  const { words, admin, mayAct } = view;
  const people = await peopleOf(deps).list();
  const active = people.filter(({ state }) => state === "active");
  const tokens = (await listTokens(deps)).filter((token) => mayList(token, personOf(request)));
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

function holderOf(request: HttpRequest): Holder {
  const { of = "", agent = "", person = "", can = "read" } = fieldsOf(request);
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
