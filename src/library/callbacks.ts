import type { ToolCall } from "../core/call.ts";
import type { Effect } from "../core/effect.ts";
import type { CallbackGrant, CallbackReply } from "../gate/deps.ts";
import type { ApprovalView } from "../service/approvals.ts";
import type { RememberInput } from "../service/reviews.ts";

/** As the gate takes it, or with the name of one of the callback's `grants`. */
export type PolicyReply = CallbackReply | { answer: "allow"; grant: string };

type Reply = PolicyReply | undefined;

/** What a callback is asked about. */
export type CallbackQuestion = { call: ToolCall; effect: Effect };

/** The person's answer. It becomes a review in that person's name, recorded with assurance `process`. */
export type PersonAnswer = {
  by: string;
  verdict: "approve" | "deny";
  note?: string;
  remember?: RememberInput;
};

/** A program's own say in decisions. A callback that throws or does not answer in time denies. */
export type PolicyCallback = {
  readonly name: string;
  /** False: there is nobody to ask, so what would ask a person is declined at once. */
  readonly supportsInteraction: boolean;
  /** Grants that a yes may come with, by the name that `decide` gives. They are checked when the gate is opened. */
  readonly grants?: Readonly<Record<string, CallbackGrant>>;
  /**
   * `allow` lifts a plain `ask` and nothing else; `ask` and `deny` only tighten; nothing is no opinion. It is not asked
   * about a call that a person's live grant covers.
   */
  decide?(asked: CallbackQuestion): Reply | Promise<Reply>;
  ask?(question: ApprovalView): PersonAnswer | undefined | Promise<PersonAnswer | undefined>;
};

/**
 * Says yes to everything that the policy would merely ask about. What is denied, firm or needs a person stays so.
 *
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
 * Says no to everything, with this text.
 *
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
 * Leaves deciding to the policy and puts what it asks before the person at this program. Their answer counts where
 * the policy trusts a program's word for it (`approvals: { assurance: any }`). No answer leaves the question open.
 *
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
