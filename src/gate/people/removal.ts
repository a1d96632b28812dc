import type { Piece } from "../../core/change.ts";
import type { PersonName, SignInId } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import type { Deps } from "../deps.ts";
import { forgottenDeclarationsOf } from "../standing/declarations.ts";
import { revokedGrantsOf } from "../standing/grants.ts";
import { toldOfAccess } from "./access-notices.ts";
import type { HeldStanding } from "./acting.ts";
import { endedSignInsOf } from "./sign-in.ts";
import { revokedTokensOf } from "./tokens.ts";

// What ends together with something else: with a person all that speaks for them, with a passphrase whoever came by it.

/** Signed in nowhere, with no token, no grant and no declaration: what a person said counts while they may say it. */
export async function leavings(
  deps: Deps,
  inForce: HeldStanding,
  person: PersonName,
  how: { by: PersonName; nowMs: number },
): Promise<readonly Piece[]> {
  return [
    ...(await endedSignInsOf(deps, { person }, how)),
    ...(await revokedTokensOf(deps, { person }, how)),
    ...(await revokedGrantsOf(deps, inForce, person, how)),
    ...(await forgottenDeclarationsOf(deps, inForce, person, how)),
  ];
}

/** Everybody else who is signed in under the name, or has a link for it; and the person hears of it from who did it. */
export async function othersOut(
  deps: Deps,
  inForce: HeldStanding,
  person: PersonName,
  { given: { by, here }, nowMs }: { given: { by: PersonName; here?: SignInId }; nowMs: number },
): Promise<readonly Piece[]> {
  const isOwn = by === person;
  const title = say("notice.passphrase_set", { by, person });
  const access = { to: person, title, text: say("notice.passphrase_theirs"), ref: person, nowMs };
  return [
    ...(await endedSignInsOf(deps, { person, ...(isOwn && here !== undefined ? { but: here } : {}) }, { by, nowMs })),
    ...(await revokedTokensOf(deps, { person, only: "links" }, { by, nowMs })),
    ...(isOwn ? [] : [toldOfAccess(deps, inForce, access)]),
  ];
}
