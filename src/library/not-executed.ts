import type { ApprovalId, CallId } from "../core/ids.ts";
import type { Receipt } from "../core/receipt.ts";

// Registered, so that two copies of the package in one program recognise each other's values.
const BRAND: unique symbol = Symbol.for("leeway.notExecuted") as never;

/** In place of a result: the call was recorded and, by its tier, not carried out. */
export type NotExecuted = {
  readonly [BRAND]: true;
  readonly reason: "suggested" | "shadowed";
  readonly code: "LEEWAY_SUGGESTED" | "LEEWAY_SHADOWED" | "LEEWAY_HEADLESS";
  readonly id: CallId;
  /** The question opened for the reviewers; a shadowed call has none. */
  readonly approvalId?: ApprovalId;
  readonly because: readonly string[];
  /** What to hand to the model in place of the tool's result. */
  readonly forModel: string;
};

/**
 * Tells a `NotExecuted` from the tool's own result, whatever that looks like.
 *
 * @example
 * ```ts
 * const out = await writeFile({ path: "a.txt", text: "hello" });
 * if (isNotExecuted(out)) console.log(out.reason, out.approvalId);
 * ```
 */
export function isNotExecuted(value: unknown): value is NotExecuted {
  return typeof value === "object" && value !== null && BRAND in value;
}

const TEXTS: Record<NotExecuted["code"], string> = {
  LEEWAY_SUGGESTED: "This call was not carried out. It was proposed to the reviewers; go on without its result.",
  LEEWAY_SHADOWED: "This call was not carried out. It was recorded as a proposal only; go on without its result.",
  LEEWAY_HEADLESS:
    "This call was not carried out. The person here declined to answer, so it was left to the reviewers; go on without its result.",
};

export function notExecuted(receipt: Receipt): NotExecuted {
  const code = codeOf(receipt.decision);
  const { approvalId } = receipt;
  const value = {
    reason: code === "LEEWAY_SHADOWED" ? "shadowed" : "suggested",
    code,
    id: receipt.id,
    ...(approvalId === undefined ? {} : { approvalId }),
    because: receipt.decision.because,
    forModel: approvalId === undefined ? TEXTS[code] : `${TEXTS[code]} (${approvalId})`,
  } as const;
  // Not enumerable: a result compared or printed shows what matters.
  return Object.freeze(Object.defineProperty(value, BRAND, { value: true })) as NotExecuted;
}

function codeOf({ tier, code }: Receipt["decision"]): NotExecuted["code"] {
  if (tier === "shadow") return "LEEWAY_SHADOWED";
  return code === "LEEWAY_HEADLESS" ? code : "LEEWAY_SUGGESTED";
}
