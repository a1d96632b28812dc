import { EFFECT_CLASSES } from "../../core/effect.ts";
import type { PersonName } from "../../core/ids.ts";
import type { PauseScope } from "../../core/standing/standing.ts";
import { TIERS } from "../../core/tier.ts";
import { choice, flag, listOf, maybe, object, oneOf, reason, type Shape, type TypeOf, text, whole } from "../shape.ts";

/** The person who acts. */
export type ActingPerson = { by: PersonName };
export const BY: Shape<ActingPerson> = object({ by: text });

/** The roles and groups of a person. */
export const BECOMING = object({ admin: maybe(flag), auditor: maybe(flag), groups: maybe(listOf(text)) });
/** A person who is added. */
export const PERSON_INPUT = object({ name: text, ...BECOMING.keys, passphrase: maybe(text) });

/** The same with the person who adds them. The first person adds themself. */
export const ADDED = object({ ...PERSON_INPUT.keys, by: maybe(text) });
export const CHANGED = object({ ...BECOMING.keys, by: text });
export type PersonInput = TypeOf<typeof ADDED>;
export type ChangeInput = TypeOf<typeof CHANGED>;

/** A change of an agent's leeway by a person. */
export const MOVE = object({
  agent: text,
  tier: oneOf(TIERS),
  class: maybe(oneOf(EFFECT_CLASSES)),
  because: reason,
  by: text,
  untilMs: maybe(whole(0)),
});

/** Who sets a pause, and why. */
export const WHY = object({ by: text, because: reason });

/** What can be paused. An unknown scope is refused, because such a pause would stop nothing. */
export const PAUSABLE = {
  everything: {},
  agent: { name: text },
  session: { name: text },
  tool: { name: text, session: maybe(text), agent: maybe(text) },
  grant: { name: text },
  reviewer: { name: text },
};
export const SCOPE: Shape<PauseScope> = choice("of", PAUSABLE);
