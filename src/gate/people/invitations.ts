import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { hasOwnMeans, isTheirs, type Person, type Token } from "../../core/people.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import type { InForce } from "../standing/standing.ts";
import { type Acting, actingAdmin, actStep, type HeldStanding, unsure } from "./acting.ts";
import { sealedHash } from "./passphrase.ts";
import { forgetTries } from "./passphrase-tries.ts";
import { keptPerson, personAt, tooShort } from "./people.ts";
import { endedSignInsOf } from "./sign-in.ts";
import { makeToken, revokedTokensOf, type TokenMade, usedUp } from "./tokens.ts";

// How a new person gets their own way to sign in.

type Joined = { ok: true; value: Person } | Refused;

/** Long enough to be read after a weekend. */
export const INVITATION_MS = 3 * 24 * 3_600_000;

/** For a person who cannot sign in yet. A new invitation replaces earlier ones. */
export async function invite(deps: Deps, name: PersonName, acting: Acting): Promise<TokenMade> {
  const mayAdd = (inForce: HeldStanding): Refused | undefined => {
    const admin = actingAdmin(inForce, acting.by, say("act.invite_people"));
    return "code" in admin ? admin : (unsure(inForce, acting) ?? uninvitable(inForce, name));
  };
  const also = (nowMs: number) => revokedTokensOf(deps, { person: name, only: "links" }, { by: acting.by, nowMs });
  return makeToken(deps, { person: name, can: "join" }, { mayAdd, by: acting.by, acting, forMs: INVITATION_MS, also });
}

/** If a person can already sign in, whoever makes an invitation could act in their name. So it is refused. */
function uninvitable({ rows: { people } }: InForce, name: PersonName): Refused | undefined {
  if (!people.some((person) => person.name === name && person.state === "active" && hasOwnMeans(person)))
    return undefined;
  return refused(
    "LEEWAY_FORBIDDEN",
    say("refusal.has_own_sign_in", { person: name }),
    say("hint.use_or_invite_anew", { person: name }),
  );
}

/**
 * The invited person chooses their first passphrase and can then sign in. Tokens and links that others had made in their
 * name end.
 */
export async function acceptInvitation(deps: Deps, token: Token, passphrase: string): Promise<Joined> {
  const short = tooShort(passphrase);
  if (short !== undefined) return short;
  const { holder } = token;
  if ("agent" in holder || holder.can !== "join") {
    return refused("LEEWAY_FORBIDDEN", say("refusal.no_invitation"), say("hint.ask_admin_for_one"));
  }
  const { person: name } = holder;
  const hashed = await sealedHash(deps, name, passphrase);
  return actStep(deps, async (nowMs, inForce): Promise<Step<Person>> => {
    const used = await usedUp(deps, inForce, token, nowMs);
    if (!used.ok) return used;
    const held = await personAt(deps, name);
    if (held === undefined || !isTheirs(held.row, token.createdMs) || hasOwnMeans(held.row)) {
      return refused("LEEWAY_FORBIDDEN", say("refusal.link_used"), say("hint.ask_for_another"));
    }
    const { passphraseBy: _, ...rest } = held.row;
    const how = { by: name, nowMs };
    const joined = keptPerson(deps, held, { ...rest, passphrase: hashed }, { kind: "person.joined", ...how });
    if (!joined.ok) return joined;
    const ended = [
      ...(await endedSignInsOf(deps, { person: name }, how)),
      ...(await revokedTokensOf(deps, { person: name, but: token.id }, how)),
    ];
    return {
      ...joined,
      pieces: [...used.pieces, ...joined.pieces, ...ended, await forgetTries(deps, name, nowMs)],
    };
  });
}
