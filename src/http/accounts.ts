import type { Configuration } from "openid-client";
import { say } from "../core/messages/message.ts";
import type { Account } from "../core/people.ts";
import type { Sealed } from "../core/secret.ts";
import { isObject, type Json } from "../core/values/json.ts";
import type { Deps } from "../gate/deps.ts";
import { newChallenge, takeChallenge } from "../gate/people/challenges.ts";
import { newSecret } from "../gate/people/secret-locks.ts";
import { LeewayRefusal, orThrow } from "../service/refusal.ts";

// Sign-in with an account elsewhere, by OpenID Connect: authorization code with PKCE, state and nonce. Whom the account
// belongs to here is a person's row; an issuer vouches for a name and decides nothing.

/** Where people sign in besides here. */
export type Issuer = { issuer: string; clientId: string; clientSecret: string };

export type Accounts = {
  /** Where to send the browser, and what it has to bring back. */
  begin(deps: Deps, back: { redirect: string; next: string }): Promise<{ location: string; kept: string }>;
  /** Whose account it is. */
  finish(deps: Deps, came: { url: URL; kept: string }): Promise<{ account: Account; next: string }>;
};

/** An account that somebody used a while ago proves little: the issuer asks again. */
const PROVED_SECONDS = 300;
const ABOUT = "sign in with an account";

export function accountsOf(given: Issuer): Accounts {
  let found: Promise<Configuration> | undefined;
  const configuration = () => {
    // A failure is not kept: the issuer may be back the next time.
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

/** Loaded when the first person comes this way. */
const load = () => import("openid-client");

async function discovered({ issuer, clientId, clientSecret }: Issuer): Promise<Configuration> {
  const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await load();
  const url = new URL(issuer);
  // Without a certificate anybody on the way could vouch for anybody: only what never leaves the machine may do without.
  const isHere = url.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  // The token comes over our own connection, which by itself would do for the protocol; a key that is not the issuer's is refused all the same.
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
