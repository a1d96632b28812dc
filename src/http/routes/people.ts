import type { Holder, SignIn, Token } from "../../core/people.ts";
import { type Becoming, setPassphrase } from "../../gate/people/people.ts";
import { endSignIn, listSignIns } from "../../gate/people/sign-in.ts";
import { addToken, listTokens, revokeToken } from "../../gate/people/tokens.ts";
import { CHANGE, PERSON, peopleOf, seen, seenBySelf } from "../../service/people.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import { maybe, oneOf, text } from "../../service/shape.ts";
import { json } from "../answer.ts";
import { invitationOf } from "../invitation.ts";
import { actingOf, hereOf, personOf } from "../person.ts";
import type { Route } from "../route.ts";

const { by: _adder, ...NEW_PERSON } = PERSON;
const { by: _changer, ...CHANGED } = CHANGE;

export const PEOPLE_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/me",
    for: ["read"],
    summary: "Who is signed in here, and where else.",
    gives: "Person",
    act: async ({ deps }, asked) => {
      const person = personOf(asked);
      const signIns = (await listSignIns(deps, person.name)).map(signInView);
      return json({ ...seenBySelf(person), signIns });
    },
  },
  {
    method: "DELETE",
    path: "/v1/sign-ins/:id",
    for: ["self"],
    summary: "Ends one of one's own sign-ins.",
    act: async ({ deps }, asked) =>
      json(signInView(orThrow(await endSignIn(deps, asked.params["id"] ?? "", { by: personOf(asked).name })))),
  },
  {
    method: "GET",
    path: "/v1/people",
    for: ["read"],
    summary: "Who can answer, and as what.",
    gives: { people: ["Person"] },
    act: async ({ deps }) => json({ people: await peopleOf(deps).list() }),
  },
  {
    method: "POST",
    path: "/v1/people",
    for: ["admin"],
    fresh: true,
    summary: "Adds somebody who can answer.",
    gives: "Person",
    body: NEW_PERSON,
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      const input = asked.body as unknown as Parameters<ReturnType<typeof peopleOf>["add"]>[0];
      return json(await peopleOf(deps, sure).add({ ...input, by }), 201);
    },
  },
  {
    method: "PUT",
    path: "/v1/people/:name",
    for: ["admin"],
    fresh: true,
    summary: "Changes what somebody is and their groups; what is left out stays as it is.",
    gives: "Person",
    body: CHANGED,
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      const becoming = asked.body as unknown as Becoming;
      return json(await peopleOf(deps, sure).change(asked.params["name"] ?? "", { ...becoming, by }));
    },
  },
  {
    method: "DELETE",
    path: "/v1/people/:name",
    for: ["admin"],
    fresh: true,
    summary: "Lets somebody answer no more: their sign-ins, tokens and grants end. What they did stays in the record.",
    gives: "Person",
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      return json(await peopleOf(deps, sure).remove(asked.params["name"] ?? "", { by }));
    },
  },
  {
    method: "PUT",
    path: "/v1/people/:name/passphrase",
    for: ["self"],
    fresh: true,
    summary: "A new passphrase: one's own, or anybody's for an admin. Every other sign-in of that person ends.",
    gives: "Person",
    body: { passphrase: text },
    act: async ({ deps }, asked) => {
      const { passphrase } = asked.body as { passphrase: string };
      const given = { ...actingOf(asked), ...hereOf(asked), passphrase };
      return json(seen(orThrow(await setPassphrase(deps, asked.params["name"] ?? "", given))));
    },
  },
  {
    method: "POST",
    path: "/v1/people/:name/invitation",
    for: ["admin"],
    fresh: true,
    summary:
      "A link by which somebody who has nothing of their own to sign in with chooses their passphrase, once. Shown once.",
    body: {},
    act: async (serving, asked) => json(await invitationOf(serving, asked.params["name"] ?? "", actingOf(asked)), 201),
  },
  {
    method: "GET",
    path: "/v1/groups",
    for: ["read"],
    summary: "Groups and who is in them.",
    act: async ({ deps }) => {
      const people = await peopleOf(deps).list();
      const names = [...new Set(people.flatMap((person) => person.groups))].sort();
      const members = (name: string) => people.filter((one) => one.groups.includes(name)).map((one) => one.name);
      return json({ groups: names.map((name) => ({ name, members: members(name) })) });
    },
  },
  {
    method: "GET",
    path: "/v1/tokens",
    for: ["read"],
    summary: "Tokens, without what would open anything: an admin sees all, others their own.",
    gives: { tokens: ["Token"] },
    act: async ({ deps }, asked) => {
      const { admin, auditor, name } = personOf(asked);
      const all = await listTokens(deps);
      const shown = all.filter(({ holder }) => admin || auditor || ("person" in holder && holder.person === name));
      return json({ tokens: shown.map(tokenView) });
    },
  },
  {
    method: "POST",
    path: "/v1/tokens",
    for: ["act"],
    fresh: true,
    summary: "A token for an agent, or for a person: `can` is `read` or `approve`. Its text is shown once.",
    gives: "Token",
    body: { agent: maybe(text), person: maybe(text), can: maybe(oneOf(["read", "approve"])) },
    act: async ({ deps }, asked) => {
      const holder = holderOf(asked.body as { agent?: string; person?: string; can?: "read" | "approve" });
      const { token, text: shown } = orThrow(await addToken(deps, holder, actingOf(asked)));
      return json({ ...tokenView(token), text: shown }, 201);
    },
  },
  {
    method: "DELETE",
    path: "/v1/tokens/:id",
    for: ["act"],
    summary: "Revokes a token; from the next request on it opens nothing.",
    gives: "Token",
    act: async ({ deps }, asked) =>
      json(tokenView(orThrow(await revokeToken(deps, asked.params["id"] ?? "", { by: personOf(asked).name })))),
  },
];

function holderOf(given: { agent?: string; person?: string; can?: "read" | "approve" }): Holder {
  const { agent, person, can = "read" } = given;
  if ((agent === undefined) === (person === undefined)) {
    throw badInput("agent", "a token is for an agent or for a person", "name one of them");
  }
  return agent === undefined ? { person: person ?? "", can } : { agent };
}

function tokenView(token: Token): Omit<Token, "lock"> {
  const { lock: _, ...rest } = token;
  return rest;
}

function signInView(signIn: SignIn): Omit<SignIn, "lock"> {
  const { lock: _, ...rest } = signIn;
  return rest;
}
