import type { PersonName } from "../core/ids.ts";
import type { Acting } from "../gate/people/acting.ts";
import { INVITATION_MS, invite } from "../gate/people/invitations.ts";
import { orThrow } from "../service/refusal.ts";
import type { Serving } from "./route.ts";

/** Makes an invitation: its link is shown once. */
export async function invitationOf(
  { deps, origin }: Serving,
  name: PersonName,
  acting: Acting,
): Promise<{ name: PersonName; link: string; untilMs: number }> {
  const { token, text } = orThrow(await invite(deps, name, acting));
  return { name, link: `${origin}/join/${text}`, untilMs: token.untilMs ?? token.createdMs + INVITATION_MS };
}
