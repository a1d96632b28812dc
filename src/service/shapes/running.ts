import type { AttemptId } from "../../core/ids.ts";
import { anyText, choice, flag, json, maybe, nameOf, object, reason, text } from "../shape.ts";

/** The attempt that has claimed an execution. */
export const HELD = object({ attempt: nameOf<AttemptId>() });

/** A claimed call that certainly did not start, and why it did not. */
export const RELEASING = object({ ...HELD.keys, why: reason });
export type ReleaseInput = { attempt: string; why: string };

/** The result of a call: either a result or an error, never both. */
export const SETTLING = choice("ok", {
  true: { ...HELD.keys, result: maybe(json) },
  false: { ...HELD.keys, error: anyText },
});
/** The result of a call that this program ran itself. */
export type SettleInput = { attempt: string } & ({ ok: true; result?: unknown } | { ok: false; error: string });

/** A person's report about a call with an unknown result. */
export const RECONCILING = object({ by: text, ok: flag, note: reason });
