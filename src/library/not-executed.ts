import type { Reply } from "../core/approval.ts";
import type { ApprovalId, CallId } from "../core/ids.ts";
import type { Receipt } from "../core/receipt.ts";
import { repliesForModel } from "../service/refusal.ts";

// A registered symbol, so that two copies of the package in one program recognise each other's values.
const BRAND: unique symbol = Symbol.for("leeway.notExecuted") as never;

/** Returned instead of a result: the call was recorded but did not run, because of its tier. */
export type NotExecuted = {
  readonly [BRAND]: true;
  readonly reason: "suggested" | "shadowed";
  readonly code: "LEEWAY_SUGGESTED" | "LEEWAY_SHADOWED" | "LEEWAY_HEADLESS";
  readonly id: CallId;
  /** The question for the reviewers; a shadowed call has none. */
  readonly approvalId?: ApprovalId;
  readonly because: readonly string[];
  /** What reviewers wrote to the agent about the call. */
  readonly replies?: readonly Reply[];
  /** What to give to the model instead of the tool's result. */
  readonly forModel: string;
};

/**
 * Tells a `NotExecuted` from the tool's own result.
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
  LEEWAY_SUGGESTED: "This call was not run. It was proposed to the reviewers; continue without its result.",
  LEEWAY_SHADOWED: "This call was not run. It was only recorded as a proposal; continue without its result.",
  LEEWAY_HEADLESS:
    "This call was not run. The person here declined to answer, so it was left to the reviewers; continue without its result.",
};

export function notExecuted(receipt: Receipt): NotExecuted {
  const code = codeOf(receipt.decision);
  const { approvalId, replies } = receipt;
  const value = {
    reason: code === "LEEWAY_SHADOWED" ? "shadowed" : "suggested",
    code,
    id: receipt.id,
    ...(approvalId === undefined ? {} : { approvalId }),
    because: receipt.decision.because,
    ...(replies === undefined ? {} : { replies }),
    forModel: `${TEXTS[code]}${repliesForModel(replies)}${approvalId === undefined ? "" : ` (${approvalId})`}`,
  } as const;
  // Not enumerable, so that comparing or printing a result shows only the relevant fields.
  return Object.freeze(Object.defineProperty(value, BRAND, { value: true })) as NotExecuted;
}

function codeOf({ tier, code }: Receipt["decision"]): NotExecuted["code"] {
  if (tier === "shadow") return "LEEWAY_SHADOWED";
  return code === "LEEWAY_HEADLESS" ? code : "LEEWAY_SUGGESTED";
}
