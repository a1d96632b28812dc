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

// What ends together with something else: with a person their tokens, grants and sign-ins; with a passphrase the sign-ins.

/** Ends all sign-ins, tokens, grants and declarations of a person. */
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

/** Ends all other sign-ins and links of a person, and tells the person who did it. */
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
