import type { Configuration } from "openid-client";
import { say } from "../../core/messages/message.ts";
import type { Account } from "../../core/people.ts";
import type { Sealed } from "../../core/secret.ts";
import { isObject, type Json } from "../../core/values/json.ts";
import type { Deps } from "../../gate/deps.ts";
import { newChallenge, takeChallenge } from "../../gate/people/challenges.ts";
import { newSecret } from "../../gate/people/secret-locks.ts";
import { LeewayRefusal, orThrow } from "../../service/refusal.ts";

// Sign-in with an account of an OpenID Connect issuer: authorization code with PKCE, state and nonce. The row of a person
// says which accounts belong to them; the issuer only proves who has the account.

/** An OpenID Connect issuer with which people can sign in. */
export type Issuer = { issuer: string; clientId: string; clientSecret: string };

export type Accounts = {
  /** The address to which the browser is sent, and the sealed state that it must bring back. */
  begin(deps: Deps, back: { redirect: string; next: string }): Promise<{ location: string; kept: string }>;
  /** The account that was proved. */
  finish(deps: Deps, came: { url: URL; kept: string }): Promise<{ account: Account; next: string }>;
};

/** The person must have signed in at the issuer within this time; otherwise the issuer asks again. */
const PROVED_SECONDS = 300;
const ABOUT = "sign in with an account";

export function accountsOf(given: Issuer): Accounts {
  let found: Promise<Configuration> | undefined;
  const configuration = () => {
    // A failure is not kept, because the issuer may be available the next time.
    found ??= discovered(given).catch((error: unknown) => {
      found = undefined;
      throw unreachable(given.issuer, error);
    });
    return found;
  };
  return {
    begin: async (deps, { redirect, next }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } = await load();
      const { text, state } = newChallenge(deps, ABOUT);
      const [verifier, nonce] = [randomPKCECodeVerifier(), newSecret(deps)];
      const location = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirect,
        scope: "openid",
        state: text,
        nonce,
        max_age: String(PROVED_SECONDS),
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      }).href;
      const kept = deps.sealer.seal(JSON.stringify({ state, verifier, nonce, next }), ABOUT);
      return { location, kept };
    },
    finish: async (deps, { url, kept }) => {
      const { state, verifier, nonce, next } = openedKept(deps, kept);
      const expectedState = orThrow(await takeChallenge(deps, state, ABOUT));
      const { authorizationCodeGrant } = await load();
      const checks = { expectedState, expectedNonce: nonce, pkceCodeVerifier: verifier, maxAge: PROVED_SECONDS };
      const configured = await configuration();
      const tokens = await authorizationCodeGrant(configured, url, checks).catch((error: unknown) => {
        throw notProved(error);
      });
      const claims = tokens.claims();
      if (claims === undefined) throw notProved();
      return { account: { issuer: claims.iss, subject: claims.sub }, next };
    },
  };
}

/** Loaded on first use. */
const load = () => import("openid-client");

async function discovered({ issuer, clientId, clientSecret }: Issuer): Promise<Configuration> {
  const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await load();
  const url = new URL(issuer);
  // Without TLS anybody on the network could fake an answer of the issuer. It is allowed only on this machine.
  const isHere = url.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  // The protocol would accept a token from this connection without its signature. The signature is checked anyway.
  const execute = [enableNonRepudiationChecks, ...(isHere ? [allowInsecureRequests] : [])];
  return discovery(url, clientId, clientSecret, undefined, { execute });
}

type Kept = { state: string; verifier: string; nonce: string; next: string };

function openedKept(deps: Deps, kept: string): Kept {
  try {
    const value: Json = JSON.parse(deps.sealer.open(kept as Sealed, ABOUT));
    const texts = isObject(value) ? [value["state"], value["verifier"], value["nonce"], value["next"]] : [];
    const [state, verifier, nonce, next] = texts.filter((one) => typeof one === "string");
    if (state !== undefined && verifier !== undefined && nonce !== undefined && next !== undefined) {
      return { state, verifier, nonce, next };
    }
  } catch (error) {
    throw notProved(error);
  }
  throw notProved();
}

function notProved(cause?: unknown): LeewayRefusal {
  return new LeewayRefusal(
    { code: "LEEWAY_FORBIDDEN", reason: say("refusal.account_unproved"), hint: say("hint.again_or_passphrase") },
    cause === undefined ? {} : { cause },
  );
}

function unreachable(issuer: string, cause: unknown): LeewayRefusal {
  return new LeewayRefusal(
    {
      code: "LEEWAY_BUSY",
      reason: say("refusal.issuer_unreachable", { issuer }),
      hint: say("hint.retry_or_passphrase"),
    },
    { cause },
  );
}
