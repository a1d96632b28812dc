import type { Decision } from "../decision.ts";
import type { Effect, EffectClass } from "../effect.ts";
import type { EntryDraft, Subject } from "../ledger.ts";
import type { CallRow, Sealed } from "../rows.ts";
import type { Tier } from "../tier.ts";
import type { JsonObject } from "../values/json.ts";

// A call's effect, decision and folder stand in the entry that decided it, and nowhere else. Stores keep the rest of the
// row and the place of that entry, and put both together when the row is read. So erasing the entry erases them.

/** What the entry says of a call. */
type InEntry = "cwd" | "decision" | "effect";
export type KeptCall = Omit<CallRow, InEntry>;

/** The row as it is kept where an entry holds the rest. */
export function keptCall({ cwd: _cwd, decision: _decision, effect: _effect, ...kept }: CallRow): KeptCall {
  return kept;
}

/** Whether this entry holds the rest of the call's row. */
export function decides({ kind, subject }: Pick<EntryDraft, "kind" | "subject">, call: string): boolean {
  return kind === "call.decided" && subject.call === call;
}

/** The whole row again. Without a body, because it was erased, the row says that and what the subject still tells. */
export function wholeCall(kept: KeptCall, subject: Subject, body: JsonObject | undefined): CallRow {
  if (body === undefined) return { ...kept, effect: erasedEffect(subject), decision: erasedDecision(kept, subject) };
  const { cwd, decision, effect } = body;
  return {
    ...kept,
    effect: effect as unknown as Effect,
    decision: decision as unknown as Decision,
    ...(typeof cwd === "string" ? { cwd } : {}),
  };
}

/** What arguments are kept as once they were erased. */
export const ERASED_ARGS: Sealed = "sealed:";

/** With the entry that decided it goes whatever else tells what the call was about. */
export function erasedCall({ described: _described, ...kept }: KeptCall): KeptCall {
  return { ...kept, args: ERASED_ARGS, claims: {} };
}

function erasedEffect(subject: Subject): Effect {
  const part = {
    class: (subject.class ?? "unknown") as EffectClass,
    capability: "unknown",
    level: "none",
    targets: [],
    reversible: false,
    reach: "outside",
  } as const;
  return { parts: [part], understood: "not", notes: ["what the call would do was erased"] };
}

function erasedDecision({ outcome }: KeptCall, subject: Subject): Decision {
  return {
    tier: (subject.tier ?? "deny") as Tier,
    outcome,
    needsHuman: false,
    causes: [{ by: "erased" }],
    considered: [],
    limits: [],
    // Nobody is asked about a call whose entry is erased: it has ended.
    asking: { quorum: 1, expiresMs: 0, permitMs: 0, reviewers: [], selfReview: false, assurance: "person" },
    policyVersion: ERASED_VERSION,
  };
}

/** The version of no policy: which one it was is erased with the decision. */
const ERASED_VERSION = "sha256:erased";
