import { addPasskey, removePasskey } from "../../gate/people/credentials.ts";
import { seenBySelf } from "../../service/people.ts";
import { orThrow } from "../../service/refusal.ts";
import { anyText, maybe, object, oneOf, open, text } from "../../service/shape.ts";
import { actRoute, NO_BODY, reply } from "../api-route.ts";
import { safeNext, signedInCookie } from "../identity/cookies.ts";
import { newPasskey, newPasskeyOptions, personByPasskey, signInOptions } from "../identity/passkeys.ts";
import { actingOf, personOf } from "../identity/person.ts";
import { PERSON, someObject } from "../schemas.ts";

// The answer of a passkey device. Browsers add other keys. The package that verifies it checks the details.
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

/** The options for the device, and the state that must be sent back with its answer. */
const ASKED = open({ options: someObject, state: anyText });

export const SIGN_IN_API = [
  actRoute("POST /v1/sign-in/passkey/options", {
    for: ["anybody"],
    summary: "The challenge that a passkey must sign, for signing in.",
    gives: ASKED,
    body: NO_BODY,
    answer: async (serving, request) => reply(await signInOptions(serving, request)),
  }),
  actRoute("POST /v1/sign-in/passkey", {
    for: ["anybody"],
    summary: "Signs in with the response of a passkey.",
    gives: open({ next: anyText }),
    body: object({ state: text, response: SIGNED, next: maybe(text) }),
    answer: async (serving, request) => {
      const { next, ...given } = request.body;
      const { name } = await personByPasskey(serving, request, given);
      return reply({ next: safeNext(next) }, 200, await signedInCookie(serving, request, name, "passkey"));
    },
  }),
  actRoute("POST /v1/passkeys/options", {
    for: ["self"],
    fresh: true,
    summary: "The challenge that a new passkey must sign.",
    gives: ASKED,
    body: NO_BODY,
    answer: async (serving, request) => reply(await newPasskeyOptions(serving, request, personOf(request))),
  }),
  actRoute("POST /v1/passkeys", {
    for: ["self"],
    fresh: true,
    summary: "Adds a passkey to the signed-in person.",
    gives: PERSON,
    body: object({ state: text, response: MADE, name: text }),
    answer: async (serving, request) => {
      const person = personOf(request);
      const passkey = await newPasskey(serving, request, person, request.body);
      return reply(seenBySelf(orThrow(await addPasskey(serving.deps, person.name, passkey, actingOf(request)))), 201);
    },
  }),
  actRoute("DELETE /v1/passkeys/:id", {
    for: ["self"],
    fresh: true,
    summary: "Removes one of your own passkeys.",
    gives: PERSON,
    answer: async ({ deps }, request) =>
      reply(
        seenBySelf(orThrow(await removePasskey(deps, personOf(request).name, request.params.id, actingOf(request)))),
      ),
  }),
];
