import type { PersonName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import type { Holder, SignIn, Token } from "../../core/people.ts";
import type { Acting } from "../../gate/people/acting.ts";
import { INVITATION_MS, invite } from "../../gate/people/invitations.ts";
import { addPerson, changePerson, removePerson, setPassphrase } from "../../gate/people/people.ts";
import { endSignIn, listSignIns } from "../../gate/people/sign-in.ts";
import { addToken, listTokens, revokeToken } from "../../gate/people/tokens.ts";
import { peopleOf, seen, seenBySelf } from "../../service/people.ts";
import { badInput, orThrow } from "../../service/refusal.ts";
import { anyText, listOf, maybe, object, oneOf, open, type TypeOf, text, textOf } from "../../service/shape.ts";
import { BECOMING, PERSON_INPUT } from "../../service/shapes/people.ts";
import { actRoute, NO_BODY, readRoute, reply } from "../api-route.ts";
import { actingOf, hereOf, personOf } from "../identity/person.ts";
import type { Serving } from "../route.ts";
import { ms, PERSON, TOKEN, texts } from "../schemas.ts";

const HOLDER = object({
  agent: maybe(text),
  person: maybe(text),
  can: maybe(oneOf(["read", "approve", "name-requesters"])),
});

export const PEOPLE_ROUTES = [
  readRoute("GET /v1/me", {
    for: ["read"],
    summary: "The signed-in person, and their sign-ins in other browsers.",
    gives: PERSON,
    answer: async ({ deps }, request) => {
      const person = personOf(request);
      const signIns = (await listSignIns(deps, person.name)).map(signInView);
      return reply({ ...seenBySelf(person), signIns });
    },
  }),
  actRoute("DELETE /v1/sign-ins/:id", {
    for: ["self"],
    summary: "Ends one of your own sign-ins.",
    gives: open({ id: anyText, person: anyText, startedMs: ms, untilMs: ms, state: oneOf(["live", "ended"]) }),
    answer: async ({ deps }, request) =>
      reply(signInView(orThrow(await endSignIn(deps, request.params.id, { by: personOf(request).name })))),
  }),
  readRoute("GET /v1/people", {
    for: ["read"],
    summary: "The people, with their roles.",
    gives: open({ people: listOf(PERSON) }),
    answer: async ({ deps }) => reply({ people: await peopleOf(deps).list() }),
  }),
  actRoute("POST /v1/people", {
    for: ["admin"],
    fresh: true,
    summary: "Adds a person.",
    gives: PERSON,
    body: PERSON_INPUT,
    answer: async ({ deps }, request) =>
      reply(seen(orThrow(await addPerson(deps, { ...request.body, ...actingOf(request) }))), 201),
  }),
  actRoute("PUT /v1/people/:name", {
    for: ["admin"],
    fresh: true,
    summary: "Changes the role and the groups of a person; fields that are left out are unchanged.",
    gives: PERSON,
    body: BECOMING,
    answer: async ({ deps }, request) => {
      const name = textOf(request.params.name, "name");
      return reply(seen(orThrow(await changePerson(deps, name, { ...request.body, ...actingOf(request) }))));
    },
  }),
  actRoute("DELETE /v1/people/:name", {
    for: ["admin"],
    fresh: true,
    summary: "Removes a person: their sign-ins, tokens and grants end. What they did stays in the record.",
    gives: PERSON,
    answer: async ({ deps }, request) =>
      reply(seen(orThrow(await removePerson(deps, textOf(request.params.name, "name"), actingOf(request))))),
  }),
  actRoute("PUT /v1/people/:name/passphrase", {
    for: ["self"],
    fresh: true,
    summary: "Sets your own passphrase, or as an admin anybody's. Every other sign-in of that person ends.",
    gives: PERSON,
    body: object({ passphrase: text }),
    answer: async ({ deps }, request) => {
      const given = { ...actingOf(request), ...hereOf(request), ...request.body };
      return reply(seen(orThrow(await setPassphrase(deps, request.params.name, given))));
    },
  }),
  actRoute("POST /v1/people/:name/invitation", {
    for: ["admin"],
    fresh: true,
    summary:
      "Creates an invitation for a person who never had their own means to sign in: a link to choose a passphrase. It works once, and is shown once.",
    gives: open({ name: anyText, link: anyText, untilMs: ms }),
    body: NO_BODY,
    answer: async (serving, request) => reply(await invitationOf(serving, request.params.name, actingOf(request)), 201),
  }),
  readRoute("GET /v1/groups", {
    for: ["read"],
    summary: "The groups, with their members.",
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
    summary: "The tokens, without their secrets: an admin sees all, others see their own.",
    gives: open({ tokens: listOf(TOKEN) }),
    answer: async ({ deps }, request) => {
      const { admin, auditor, name } = personOf(request);
      const all = await listTokens(deps);
      const shown = all.filter(({ holder }) => admin || auditor || ("person" in holder && holder.person === name));
      return reply({ tokens: shown.map(tokenView) });
    },
  }),
  actRoute("POST /v1/tokens", {
    for: ["act"],
    fresh: true,
    summary:
      "Creates a token for an agent (`can: name-requesters` lets its calls name a person), or for a person (`can` is `read` or `approve`). Its text is shown once.",
    gives: TOKEN,
    body: HOLDER,
    answer: async ({ deps }, request) => {
      const holder = holderOf(request.body);
      const { token, text: shown } = orThrow(await addToken(deps, holder, actingOf(request)));
      return reply({ ...tokenView(token), text: shown }, 201);
    },
  }),
  actRoute("DELETE /v1/tokens/:id", {
    for: ["act"],
    summary: "Revokes a token; it is refused from the next request.",
    gives: TOKEN,
    answer: async ({ deps }, request) =>
      reply(tokenView(orThrow(await revokeToken(deps, request.params.id, { by: personOf(request).name })))),
  }),
];

function holderOf(given: TypeOf<typeof HOLDER>): Holder {
  const { agent, person, can } = given;
  if ((agent === undefined) === (person === undefined)) {
    throw badInput("agent", say("refusal.holder_missing"), say("hint.name_one"));
  }
  if (agent !== undefined && can === undefined) return { agent };
  if (agent !== undefined && can === "name-requesters") return { agent, can };
  if (agent === undefined && can !== "name-requesters") return { person: person ?? "", can: can ?? "read" };
  throw badInput("can", say("refusal.token_cannot"), say("hint.what_tokens_can"));
}

function tokenView(token: Token): Omit<Token, "lock"> {
  const { lock: _, ...rest } = token;
  return rest;
}

function signInView(signIn: SignIn): Omit<SignIn, "lock"> {
  const { lock: _, ...rest } = signIn;
  return rest;
}

/** Makes an invitation. Its link is shown once. */
export async function invitationOf(
  { deps, origin }: Serving,
  name: PersonName,
  acting: Acting,
): Promise<{ name: PersonName; link: string; untilMs: number }> {
  const { token, text } = orThrow(await invite(deps, name, acting));
  return { name, link: `${origin}/join/${text}`, untilMs: token.untilMs ?? token.createdMs + INVITATION_MS };
}
