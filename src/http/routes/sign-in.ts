import { addPasskey, removePasskey } from "../../gate/people/credentials.ts";
import { seenBySelf } from "../../service/people.ts";
import { orThrow } from "../../service/refusal.ts";
import { anyText, maybe, object, oneOf, open, text } from "../../service/shape.ts";
import { actRoute, NO_BODY, reply } from "../api-route.ts";
import { safeNext, signedInCookie } from "../cookies.ts";
import { newPasskey, newPasskeyOptions, personByPasskey, signInOptions } from "../passkeys.ts";
import { actingOf, personOf } from "../person.ts";
import { PERSON, someObject } from "../schemas.ts";

// What a browser's device answers. Browsers add keys of their own; the package that reads the rest looks closer.
const DEVICE = { id: text, rawId: text, type: oneOf(["public-key"]), clientExtensionResults: open({}) };
const MADE = open({ ...DEVICE, response: open({ clientDataJSON: anyText, attestationObject: anyText }) });
const SIGNED = open({
  ...DEVICE,
  response: open({
    clientDataJSON: anyText,
    authenticatorData: anyText,
    signature: anyText,
    userHandle: maybe(anyText),
  }),
});

/** What a device is asked, and what has to come back with its answer. */
const ASKED = open({ options: someObject, state: anyText });

export const SIGN_IN_API = [
  actRoute("POST /v1/sign-in/passkey/options", {
    for: ["anybody"],
    summary: "The question that a passkey has to sign, for signing in.",
    gives: ASKED,
    body: NO_BODY,
    answer: async (serving, asked) => reply(await signInOptions(serving, asked)),
  }),
  actRoute("POST /v1/sign-in/passkey", {
    for: ["anybody"],
    summary: "Signs in with what the passkey signed.",
    gives: open({ next: anyText }),
    body: object({ state: text, response: SIGNED, next: maybe(text) }),
    answer: async (serving, asked) => {
      const { next, ...given } = asked.body;
      const { name } = await personByPasskey(serving, asked, given);
      return reply({ next: safeNext(next) }, 200, await signedInCookie(serving, asked, name, "passkey"));
    },
  }),
  actRoute("POST /v1/passkeys/options", {
    for: ["self"],
    fresh: true,
    summary: "The question that a new passkey has to sign.",
    gives: ASKED,
    body: NO_BODY,
    answer: async (serving, asked) => reply(await newPasskeyOptions(serving, asked, personOf(asked))),
  }),
  actRoute("POST /v1/passkeys", {
    for: ["self"],
    fresh: true,
    summary: "Adds a passkey to the one who is signed in.",
    gives: PERSON,
    body: object({ state: text, response: MADE, name: text }),
    answer: async (serving, asked) => {
      const person = personOf(asked);
      const passkey = await newPasskey(serving, asked, person, asked.body);
      return reply(seenBySelf(orThrow(await addPasskey(serving.deps, person.name, passkey, actingOf(asked)))), 201);
    },
  }),
  actRoute("DELETE /v1/passkeys/:id", {
    for: ["self"],
    fresh: true,
    summary: "Removes one of one's own passkeys.",
    gives: PERSON,
    answer: async ({ deps }, asked) =>
      reply(seenBySelf(orThrow(await removePasskey(deps, personOf(asked).name, asked.params.id, actingOf(asked))))),
  }),
];
