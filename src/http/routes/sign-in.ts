import { addPasskey, removePasskey } from "../../gate/people/credentials.ts";
import { seenBySelf } from "../../service/people.ts";
import { orThrow } from "../../service/refusal.ts";
import { anything, maybe, objectLike, text } from "../../service/shape.ts";
import { json } from "../answer.ts";
import { safeNext, signedInCookie } from "../cookies.ts";
import { newPasskey, newPasskeyOptions, personByPasskey, signInOptions } from "../passkeys.ts";
import { actingOf, personOf } from "../person.ts";
import type { Route } from "../route.ts";

/** What a browser's device answers; the package that reads it looks closer. */
const RESPONSE = objectLike({
  id: text,
  rawId: text,
  type: text,
  response: anything,
  authenticatorAttachment: anything,
  clientExtensionResults: anything,
});

export const SIGN_IN_API: readonly Route[] = [
  {
    method: "POST",
    path: "/v1/sign-in/passkey/options",
    for: ["anybody"],
    summary: "The question that a passkey has to sign, for signing in.",
    body: {},
    act: async (serving, asked) => json(await signInOptions(serving, asked)),
  },
  {
    method: "POST",
    path: "/v1/sign-in/passkey",
    for: ["anybody"],
    summary: "Signs in with what the passkey signed.",
    body: { state: text, response: RESPONSE, next: maybe(text) },
    act: async (serving, asked) => {
      const given = asked.body as unknown as Parameters<typeof personByPasskey>[2] & { next?: string };
      const { name } = await personByPasskey(serving, asked, given);
      return json({ next: safeNext(given.next) }, 200, await signedInCookie(serving, asked, name, "passkey"));
    },
  },
  {
    method: "POST",
    path: "/v1/passkeys/options",
    for: ["self"],
    fresh: true,
    summary: "The question that a new passkey has to sign.",
    body: {},
    act: async (serving, asked) => json(await newPasskeyOptions(serving, asked, personOf(asked))),
  },
  {
    method: "POST",
    path: "/v1/passkeys",
    for: ["self"],
    fresh: true,
    summary: "Adds a passkey to the one who is signed in.",
    body: { state: text, response: RESPONSE, name: text },
    act: async (serving, asked) => {
      const person = personOf(asked);
      const given = asked.body as unknown as Parameters<typeof newPasskey>[3];
      const passkey = await newPasskey(serving, asked, person, given);
      return json(seenBySelf(orThrow(await addPasskey(serving.deps, person.name, passkey, actingOf(asked)))), 201);
    },
  },
  {
    method: "DELETE",
    path: "/v1/passkeys/:id",
    for: ["self"],
    fresh: true,
    summary: "Removes one of one's own passkeys.",
    act: async ({ deps }, asked) =>
      json(
        seenBySelf(orThrow(await removePasskey(deps, personOf(asked).name, asked.params["id"] ?? "", actingOf(asked)))),
      ),
  },
];
