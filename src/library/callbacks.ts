import type { ToolCall } from "../core/call.ts";
import type { ToldEffect } from "../core/effect.ts";
import type { CallbackGrant, CallbackReply } from "../gate/deps.ts";
import type { ApprovalView } from "../service/approvals.ts";
import type { RememberInput } from "../service/shapes/review.ts";

/** The answer for the gate, or with the name of one of the callback's `grants`. */
export type PolicyReply = CallbackReply | { answer: "allow"; grant: string };

type Reply = PolicyReply | undefined;

/** What a callback is asked about. */
export type CallbackQuestion = { call: ToolCall; effect: ToldEffect };

/** The person's answer. It becomes a review in that person's name, recorded with assurance `process`. */
export type PersonAnswer = {
  by: string;
  verdict: "approve" | "deny";
  note?: string;
  remember?: RememberInput;
};

/** A program's own part in decisions. If it throws or does not answer in time, the call is denied. */
export type PolicyCallback = {
  readonly name: string;
  /** False: no person can be asked, so a call that would ask is declined at once. */
  readonly supportsInteraction: boolean;
  /** Grants that `decide` can name in an `allow`. They are checked when the gate is opened. */
  readonly grants?: Readonly<Record<string, CallbackGrant>>;
  /**
   * `allow` turns an ordinary `ask` into `auto` and changes nothing else; `ask` and `deny` can only make the decision
   * stricter; no answer means no opinion. It is not called if a person's live grant covers the call.
   */
  decide?(asked: CallbackQuestion): Reply | Promise<Reply>;
  ask?(question: ApprovalView): PersonAnswer | undefined | Promise<PersonAnswer | undefined>;
};

/**
 * Allows everything that the policy would only ask about. Denials, `firm` rules and calls that need a human stay as
 * they are.
 * @example
 * ```ts
 * const gate = await openGate({ callback: autoApprove });
 * ```
 */
export const autoApprove: PolicyCallback = {
  name: "auto-approve",
  supportsInteraction: false,
  decide: () => ({ answer: "allow" }),
};

const DENIED_BY_POLICY = "Permission denied by policy";

/**
 * Denies everything, with this reason.
 * @example
 * ```ts
 * const gate = await openGate({ callback: denyAll("Sandbox mode") });
 * ```
 */
export function denyAll(text: string = DENIED_BY_POLICY): PolicyCallback {
  return {
    name: "deny-all",
    supportsInteraction: true,
    decide: () => ({ answer: "deny", reason: text }),
  };
}

/**
 * Leaves the decision to the policy, and asks the person at this program when the policy asks. Their answer counts if
 * the policy accepts it from a program (`approvals: { assurance: any }`). Without an answer the question stays open.
 * @example
 * ```ts
 * const gate = await openGate({
 *   callback: interactive(async (question) => ({ by: "ana", verdict: (await confirm(question)) ? "approve" : "deny" })),
 * });
 * ```
 */
export function interactive(ask: NonNullable<PolicyCallback["ask"]>): PolicyCallback {
  return { name: "interactive", supportsInteraction: true, ask };
}
