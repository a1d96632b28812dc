import type { AttemptId } from "../../core/ids.ts";
import { anyText, choice, flag, json, maybe, nameOf, object, reason, text } from "../shape.ts";

/** The attempt that holds the right to carry a call out. */
export const HELD = object({ attempt: nameOf<AttemptId>() });

/** How a call ended. One that succeeded has no error, and one that failed no result: whoever says both knows neither. */
export const SETTLING = choice("ok", {
  true: { ...HELD.keys, result: maybe(json) },
  false: { ...HELD.keys, error: anyText },
});
/** How a call ended that this program carried out itself. */
export type SettleInput = { attempt: string } & ({ ok: true; result?: unknown } | { ok: false; error: string });

/** What a person who looked says of a call of unknown outcome. */
export const RECONCILING = object({ by: text, ok: flag, note: reason });
