import { say } from "../../core/messages/message.ts";
import type { Holder, SignIn, Token } from "../../core/people.ts";
import { addPerson, changePerson, removePerson, setPassphrase } from "../../gate/people/people.ts";
import { endSignIn, listSignIns } from "../../gate/people/sign-in.ts";
import { addToken, listTokens, revokeToken } from "../../gate/people/tokens.ts";
import { peopleOf, seen, seenBySelf } from "../../service/people.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import { anyText, listOf, maybe, object, oneOf, open, type TypeOf, text, textOf } from "../../service/shape.ts";
import { BECOMING, PERSON_INPUT } from "../../service/shapes/people.ts";
import { actRoute, NO_BODY, readRoute, reply } from "../api-route.ts";
import { invitationOf } from "../invitation.ts";
import { actingOf, hereOf, personOf } from "../person.ts";
import { ms, PERSON, TOKEN, texts } from "../schemas.ts";

const HOLDER = object({ agent: maybe(text), person: maybe(text), can: maybe(oneOf(["read", "approve"])) });

export const PEOPLE_ROUTES = [
  readRoute("GET /v1/me", {
    for: ["read"],
    summary: "Who is signed in here, and where else.",
    gives: PERSON,
    answer: async ({ deps }, asked) => {
      const person = personOf(asked);
      const signIns = (await listSignIns(deps, person.name)).map(signInView);
      return reply({ ...seenBySelf(person), signIns });
    },
  }),
  actRoute("DELETE /v1/sign-ins/:id", {
    for: ["self"],
    summary: "Ends one of one's own sign-ins.",
    gives: open({ id: anyText, person: anyText, startedMs: ms, untilMs: ms, state: oneOf(["live", "ended"]) }),
    answer: async ({ deps }, asked) =>
      reply(signInView(orThrow(await endSignIn(deps, asked.params.id, { by: personOf(asked).name })))),
  }),
  readRoute("GET /v1/people", {
    for: ["read"],
    summary: "Who can answer, and as what.",
    gives: open({ people: listOf(PERSON) }),
    answer: async ({ deps }) => reply({ people: await peopleOf(deps).list() }),
  }),
  actRoute("POST /v1/people", {
    for: ["admin"],
    fresh: true,
    summary: "Adds somebody who can answer.",
    gives: PERSON,
    body: PERSON_INPUT,
    answer: async ({ deps }, asked) =>
      reply(seen(orThrow(await addPerson(deps, { ...asked.body, ...actingOf(asked) }))), 201),
  }),
  actRoute("PUT /v1/people/:name", {
    for: ["admin"],
    fresh: true,
    summary: "Changes what somebody is and their groups; what is left out stays as it is.",
    gives: PERSON,
    body: BECOMING,
    answer: async ({ deps }, asked) => {
      const name = textOf(asked.params.name, "name");
      return reply(seen(orThrow(await changePerson(deps, name, { ...asked.body, ...actingOf(asked) }))));
    },
  }),
  actRoute("DELETE /v1/people/:name", {
    for: ["admin"],
    fresh: true,
    summary: "Lets somebody answer no more: their sign-ins, tokens and grants end. What they did stays in the record.",
    gives: PERSON,
    answer: async ({ deps }, asked) =>
      reply(seen(orThrow(await removePerson(deps, textOf(asked.params.name, "name"), actingOf(asked))))),
  }),
  actRoute("PUT /v1/people/:name/passphrase", {
    for: ["self"],
    fresh: true,
    summary: "A new passphrase: one's own, or anybody's for an admin. Every other sign-in of that person ends.",
    gives: PERSON,
    body: object({ passphrase: text }),
    answer: async ({ deps }, asked) => {
      const given = { ...actingOf(asked), ...hereOf(asked), ...asked.body };
      return reply(seen(orThrow(await setPassphrase(deps, asked.params.name, given))));
    },
  }),
  actRoute("POST /v1/people/:name/invitation", {
    for: ["admin"],
    fresh: true,
    summary:
      "A link by which somebody who has nothing of their own to sign in with chooses their passphrase, once. Shown once.",
    gives: open({ name: anyText, link: anyText, untilMs: ms }),
    body: NO_BODY,
    answer: async (serving, asked) => reply(await invitationOf(serving, asked.params.name, actingOf(asked)), 201),
  }),
  readRoute("GET /v1/groups", {
    for: ["read"],
    summary: "Groups and who is in them.",
    gives: open({ groups: listOf(open({ name: anyText, members: texts })) }),
    answer: async ({ deps }) => {
      const people = await peopleOf(deps).list();
      const names = [...new Set(people.flatMap((person) => person.groups))].sort();
      const members = (name: string) => people.filter((one) => one.groups.includes(name)).map((one) => one.name);
      return reply({ groups: names.map((name) => ({ name, members: members(name) })) });
    },
  }),
  readRoute("GET /v1/tokens", {
    for: ["read"],
    summary: "Tokens, without what would open anything: an admin sees all, others their own.",
    gives: open({ tokens: listOf(TOKEN) }),
    answer: async ({ deps }, asked) => {
      const { admin, auditor, name } = personOf(asked);
      const all = await listTokens(deps);
      const shown = all.filter(({ holder }) => admin || auditor || ("person" in holder && holder.person === name));
      return reply({ tokens: shown.map(tokenView) });
    },
  }),
  actRoute("POST /v1/tokens", {
    for: ["act"],
    fresh: true,
    summary: "A token for an agent, or for a person: `can` is `read` or `approve`. Its text is shown once.",
    gives: TOKEN,
    body: HOLDER,
    answer: async ({ deps }, asked) => {
      const holder = holderOf(asked.body);
      const { token, text: shown } = orThrow(await addToken(deps, holder, actingOf(asked)));
      return reply({ ...tokenView(token), text: shown }, 201);
    },
  }),
  actRoute("DELETE /v1/tokens/:id", {
    for: ["act"],
    summary: "Revokes a token; from the next request on it opens nothing.",
    gives: TOKEN,
    answer: async ({ deps }, asked) =>
      reply(tokenView(orThrow(await revokeToken(deps, asked.params.id, { by: personOf(asked).name })))),
  }),
];

function holderOf(given: TypeOf<typeof HOLDER>): Holder {
  const { agent, person, can = "read" } = given;
  if ((agent === undefined) === (person === undefined)) {
    throw badInput("agent", say("refusal.holder_missing"), say("hint.name_one"));
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
