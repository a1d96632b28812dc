import { isIP } from "node:net";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { say } from "../../core/messages/message.ts";
import type { Passkey, Person } from "../../core/people.ts";
import { newChallenge, takeChallenge } from "../../gate/people/challenges.ts";
import { countUse, personWithPasskey } from "../../gate/people/credentials.ts";
import { LeewayRefusal, orThrow } from "../../service/refusal.ts";
import type { HttpRequest } from "../request.ts";
import type { Serving } from "../route.ts";

// Passkeys: a device signs our challenge. The package that checks the signature is loaded on first use.

const load = () => import("@simplewebauthn/server");

/** A passkey belongs to a host name. Browsers refuse a numeric address. */
export function passkeyHost(request: Pick<HttpRequest, "headers">): string | undefined {
  const host = request.headers["host"] ?? "";
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  return name === "" || isIP(name.replace(/^\[|\]$/g, "")) !== 0 ? undefined : name;
}

/** The options for `navigator.credentials.create`, and the challenge that it signs. */
export async function newPasskeyOptions(serving: Serving, request: Pick<HttpRequest, "headers">, person: Person) {
  const { host } = placeOf(serving, request);
  const { text, state } = newChallenge(serving.deps, `passkey of ${person.name}`);
  const options = await (await load()).generateRegistrationOptions({
    rpName: "Leeway",
    rpID: host,
    userName: person.name,
    challenge: Buffer.from(text, "hex"),
    excludeCredentials: (person.passkeys ?? []).map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options, state };
}

type PasskeyAnswer<R> = { state: string; response: R };

export async function newPasskey(
  serving: Serving,
  request: Pick<HttpRequest, "headers">,
  person: Person,
  given: PasskeyAnswer<RegistrationResponseJSON> & { name: string },
): Promise<Passkey> {
  const { deps } = serving;
  const { host, origin } = placeOf(serving, request);
  const challenge = orThrow(await takeChallenge(deps, given.state, `passkey of ${person.name}`));
  const verified = await looked(async () =>
    (await load()).verifyRegistrationResponse({
      response: given.response,
      expectedChallenge: encoded(challenge),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
    }),
  );
  if (!verified.verified) throw notTheirs();
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const key = Buffer.from(publicKey).toString("base64url");
  return { id, publicKey: key, counter, name: given.name, addedMs: deps.clock.nowMs() };
}

/** The options for `navigator.credentials.get`. The device says whose passkey it is. */
export async function signInOptions(serving: Serving, request: Pick<HttpRequest, "headers">) {
  const { host } = placeOf(serving, request);
  const { text, state } = newChallenge(serving.deps, "sign in with a passkey");
  const options = await (await load()).generateAuthenticationOptions({
    rpID: host,
    challenge: Buffer.from(text, "hex"),
    userVerification: "required",
  });
  return { options, state };
}

export async function personByPasskey(
  serving: Serving,
  request: Pick<HttpRequest, "headers">,
  given: PasskeyAnswer<AuthenticationResponseJSON>,
): Promise<Person> {
  const { deps } = serving;
  const { host, origin } = placeOf(serving, request);
  const challenge = orThrow(await takeChallenge(deps, given.state, "sign in with a passkey"));
  const found = await personWithPasskey(deps, given.response.id);
  if (found === undefined) throw notTheirs();
  const { person, passkey } = found;
  const { id, counter } = passkey;
  const verified = await looked(async () =>
    (await load()).verifyAuthenticationResponse({
      response: given.response,
      expectedChallenge: encoded(challenge),
      expectedOrigin: origin,
      expectedRPID: host,
      credential: { id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")), counter },
      requireUserVerification: true,
    }),
  );
  if (!verified.verified) throw notTheirs();
  return orThrow(await countUse(deps, person.name, id, verified.authenticationInfo.newCounter));
}

/**
 * A device signs for the page that asked it. That must be a page of this server, under the host name of this request. What
 * the request says is compared with the names of this server.
 */
function placeOf({ origins }: Serving, request: Pick<HttpRequest, "headers">): { host: string; origin: string } {
  const host = passkeyHost(request);
  if (host === undefined) {
    throw new LeewayRefusal({
      code: "LEEWAY_BAD_INPUT",
      reason: say("refusal.passkey_needs_name"),
      hint: say("hint.open_localhost"),
    });
  }
  const { origin = "" } = request.headers;
  if (origins.has(origin) && new URL(origin).hostname === host) return { host, origin };
  throw new LeewayRefusal({
    code: "LEEWAY_CROSS_SITE",
    reason: say("refusal.came_from", { origin: origin === "" ? say("refusal.from_nowhere") : origin }),
    hint: say("hint.pages_of_server"),
  });
}

/** The device signs bytes and returns them in this encoding. */
function encoded(challenge: string): string {
  return Buffer.from(challenge, "hex").toString("base64url");
}

/** The package throws for every kind of wrong answer. The client gets the same refusal for all of them. */
async function looked<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    throw notTheirs(error);
  }
}

function notTheirs(cause?: unknown): LeewayRefusal {
  return new LeewayRefusal(
    { code: "LEEWAY_FORBIDDEN", reason: say("refusal.passkey_unproved"), hint: say("hint.another_or_passphrase") },
    cause === undefined ? {} : { cause },
  );
}
