import { EFFECT_CLASSES } from "../../core/effect.ts";
import type { PersonName } from "../../core/ids.ts";
import type { PauseScope } from "../../core/standing.ts";
import { TIERS } from "../../core/tier.ts";
import { choice, flag, listOf, maybe, object, oneOf, reason, type Shape, type TypeOf, text, whole } from "../shape.ts";

/** Who did it. */
export type By = { by: PersonName };
export const BY: Shape<By> = object({ by: text });

/** What somebody may do here. */
export const BECOMING = object({ admin: maybe(flag), auditor: maybe(flag), groups: maybe(listOf(text)) });
/** Somebody who is added. */
export const PERSON_INPUT = object({ name: text, ...BECOMING.keys, passphrase: maybe(text) });

/** The same with who adds them: the first person adds themself. */
export const ADDED = object({ ...PERSON_INPUT.keys, by: maybe(text) });
export const CHANGED = object({ ...BECOMING.keys, by: text });
export type PersonInput = TypeOf<typeof ADDED>;
export type ChangeInput = TypeOf<typeof CHANGED>;

/** What a person does to an agent's leeway. */
export const MOVE = object({
  agent: text,
  tier: oneOf(TIERS),
  class: maybe(oneOf(EFFECT_CLASSES)),
  because: reason,
  by: text,
  untilMs: maybe(whole(0)),
});

/** Who stops something, and why. */
export const WHY = object({ by: text, because: reason });

/** What can stand still. A pause of nothing known would look like a stop and stop nothing. */
export const PAUSABLE = {
  everything: {},
  agent: { name: text },
  session: { name: text },
  tool: { name: text, session: maybe(text), agent: maybe(text) },
  grant: { name: text },
  reviewer: { name: text },
};
export const SCOPE: Shape<PauseScope> = choice("of", PAUSABLE);
