import type { Reply } from "../core/approval.ts";
import { CODES, type Code, type Refused } from "../core/codes.ts";
import type { ApprovalId, ExecutionId } from "../core/ids.ts";
import { type Message, messageOf, say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import type { Receipt } from "../core/receipt.ts";
import { StoreUnavailable } from "../ports.ts";

type RefusalDetails = {
  approvalId?: ApprovalId;
  executionId?: ExecutionId;
  decision?: Receipt["decision"];
  replies?: readonly Reply[];
  cause?: unknown;
};

/**
 * The error that every function of the library throws if it refuses.
 *
 * @example
 * ```ts
 * try {
 *   await pay({ amount: 5 });
 * } catch (error) {
 *   if (error instanceof LeewayRefusal) tellTheModel(error.forModel);
 *   else throw error;
 * }
 * ```
 */
export class LeewayRefusal extends Error {
  override name = "LeewayRefusal";
  readonly code: Code;
  /** Why, in English; begins in lower case and has no full stop at the end. */
  readonly reason: string;
  /** What to do about it, in English. */
  readonly hint: string;
  /** Reason and hint as data, to show them in another language. */
  readonly said: { readonly reason: Message; readonly hint: Message };
  /** True if the same call may succeed later. */
  readonly retryable: boolean;
  readonly approvalId?: ApprovalId;
  readonly executionId?: ExecutionId;
  readonly decision?: Receipt["decision"];
  /** What reviewers wrote to the agent about the call. */
  readonly replies?: readonly Reply[];

  constructor(why: Omit<Refused, "ok">, details: RefusalDetails = {}) {
    const [reason, hint] = [textOf(why.reason, "en"), textOf(why.hint, "en")];
    super(`${reason}; ${hint}`, details.cause === undefined ? {} : { cause: details.cause });
    this.code = why.code;
    this.reason = reason;
    this.hint = hint;
    this.said = { reason: why.reason, hint: why.hint };
    this.retryable = CODES[why.code].retryable;
    if (details.approvalId !== undefined) this.approvalId = details.approvalId;
    if (details.executionId !== undefined) this.executionId = details.executionId;
    if (details.decision !== undefined) this.decision = details.decision;
    if (details.replies !== undefined) this.replies = details.replies;
  }

  /** The text for the model, as the tool's result: what happened, what to do, and whether to try again. */
  get forModel(): string {
    const again = this.retryable ? "You may try the same call again later." : dontRetry(this.code, this.approvalId);
    const waiting = isOpen(this.code) && this.approvalId !== undefined ? openQuestion(this.approvalId) : "";
    return `${sentence(this.reason)} ${sentence(this.hint)}${waiting}${repliesForModel(this.replies)} ${again} (${this.code})`;
  }

  /** For logs and tests: one line of fields that does not change if the wording changes. */
  get forProgram(): string {
    const fields = [
      `code=${this.code}`,
      `retryable=${this.retryable}`,
      ...(this.decision === undefined ? [] : [`tier=${this.decision.tier}`]),
      ...(this.approvalId === undefined ? [] : [`approval=${this.approvalId}`]),
      ...(this.executionId === undefined ? [] : [`execution=${this.executionId}`]),
    ];
    return fields.join(" ");
  }

  /** For people: the reason, its causes, and the next step. */
  get forPerson(): string {
    const causes = this.decision?.because ?? [];
    const because =
      causes.length === 0 || causes.join("; ") === this.reason ? "" : `\nbecause ${causes.join("\nand ")}`;
    const look = this.approvalId === undefined ? "" : `\n\`leeway show ${this.approvalId}\` shows the question`;
    return `${this.reason}${because}\n${this.hint}${look}`;
  }
}

/** An answered question is the reason itself; only one that is open has to be named. */
const OPEN: readonly Code[] = ["LEEWAY_PENDING", "LEEWAY_NEEDS_HUMAN", "LEEWAY_SUGGESTED"];

function isOpen(code: Code): boolean {
  return OPEN.includes(code);
}

function openQuestion(id: ApprovalId): string {
  return ` The reviewers were asked; the question is ${id}.`;
}

function dontRetry(code: Code, asked: ApprovalId | undefined): string {
  const isAsked = code === "LEEWAY_NEEDS_HUMAN" && asked !== undefined;
  return isAsked ? "Do not retry this call before it is approved." : "Do not retry this call.";
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** What reviewers wrote, for the text that a model reads; empty if nobody wrote. */
export function repliesForModel(replies: readonly Reply[] = []): string {
  return replies.map(({ by, text }) => ` ${by} wrote to you about it: ${JSON.stringify(text)}.`).join("");
}

/** A refusal that stays the same if the call is tried again. A store that is not available at the moment is not final. */
export function isFinal(error: unknown): error is LeewayRefusal {
  return error instanceof LeewayRefusal && error.code !== "LEEWAY_AUDIT_UNAVAILABLE";
}

/** Throws the refusal of a verb, or returns its value. */
export function orThrow<T>(done: { ok: true; value: T } | Refused, details?: RefusalDetails): T {
  if (done.ok) return done.value;
  throw new LeewayRefusal(done, details);
}

/** A refusal of malformed input, with the path of the error. */
export function badInput(path: string, why: Message, hint: Message): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_BAD_INPUT", reason: say("refusal.at", { where: path, why }), hint });
}

/** What the caller can do about it. Each hint must be true and possible for an agent, a program and a person. */
const WHAT_TO_DO: Partial<Record<Code, Message>> = {
  LEEWAY_DENIED: say("hint.after_denied"),
  LEEWAY_NEEDS_HUMAN: say("hint.after_needs_human"),
  LEEWAY_PAUSED: say("hint.after_paused"),
  LEEWAY_SHADOWED: say("hint.after_shadowed"),
  LEEWAY_SUGGESTED: say("hint.after_suggested"),
  LEEWAY_PENDING: say("hint.after_pending"),
  LEEWAY_REVIEW_DENIED: say("hint.after_review_denied"),
  LEEWAY_EXPIRED: say("hint.after_expired"),
  LEEWAY_HEADLESS: say("hint.after_headless"),
  LEEWAY_CALL_RUNNING: say("hint.after_call_running"),
  LEEWAY_EXECUTION_FAILED: say("hint.after_failed"),
  LEEWAY_LIMIT: say("hint.after_limit"),
  LEEWAY_BACKPRESSURE: say("hint.after_backpressure"),
  LEEWAY_CANCELLED: say("hint.after_cancelled"),
  LEEWAY_SUPERSEDED: say("hint.after_superseded"),
  LEEWAY_VOID: say("hint.after_void"),
  LEEWAY_NO_REVIEWER: say("hint.after_no_reviewer"),
  LEEWAY_OUTCOME_UNKNOWN: say("hint.after_outcome_unknown"),
  LEEWAY_CALL_ID_REUSED: say("hint.after_call_id_reused"),
  LEEWAY_EDITED: say("hint.after_edited"),
  LEEWAY_QUARANTINED: say("hint.after_quarantined"),
  LEEWAY_TOO_LARGE: say("hint.after_too_large"),
  LEEWAY_BAD_CALL: say("hint.after_bad_call"),
  LEEWAY_POLICY_INVALID: say("hint.after_policy_invalid"),
  LEEWAY_BUSY: say("hint.after_busy"),
  LEEWAY_AUDIT_UNAVAILABLE: say("hint.after_audit_unavailable"),
  LEEWAY_LEDGER_BROKEN: say("hint.after_ledger_broken"),
  LEEWAY_WENT_BACK: say("hint.after_went_back"),
  LEEWAY_TAMPERED: say("hint.after_ledger_broken"),
  LEEWAY_INTERNAL: say("hint.after_internal"),
};

/** The current state of a call, if it does not follow from its decision. */
const STANDS: Partial<Record<Code, (about: About, tier: string) => Message>> = {
  LEEWAY_NEEDS_HUMAN: ({ agent, tool, class: effectClass = "unknown" }, tier) =>
    say("refusal.needs_human", { agent, tool, class: effectClass, tier }),
  LEEWAY_CALL_RUNNING: ({ tool }) => say("refusal.being_carried_out", { tool }),
  LEEWAY_PENDING: ({ tool }) => say("refusal.nobody_answered_yet", { tool }),
};

/** The agent and tool of the refused call, and its class if there was a question about it. */
type About = { agent: string; tool: string; class?: string };

/** The error that a caller gets for a receipt that does not let the call run. */
export function refusalOf(receipt: Receipt, about: About): LeewayRefusal {
  const code = receipt.code ?? receipt.decision.code ?? FALLBACK[receipt.outcome] ?? "LEEWAY_DENIED";
  return new LeewayRefusal(
    { code, ...wordsOf(receipt, code, about) },
    {
      decision: receipt.decision,
      ...(receipt.approvalId === undefined ? {} : { approvalId: receipt.approvalId }),
      ...(receipt.executionId === undefined ? {} : { executionId: receipt.executionId }),
      ...(receipt.replies === undefined ? {} : { replies: receipt.replies }),
    },
  );
}

/** If the text of a receipt contains both reason and hint, it is split; otherwise the hint follows from the code. */
function wordsOf(receipt: Receipt, code: Code, about: About): { reason: Message; hint: Message } {
  const because = receipt.decision.because.join("; ");
  const said = receipt.error ?? STANDS[code]?.(about, receipt.decision.tier) ?? receipt.reason ?? because;
  if (typeof said === "string" && because !== "" && said.startsWith(`${because}; `))
    return { reason: messageOf(because), hint: messageOf(said.slice(because.length + 2)) };
  const { means } = CODES[code];
  return { reason: messageOf(said === "" ? means : said), hint: WHAT_TO_DO[code] ?? messageOf(means) };
}

const FALLBACK: Partial<Record<Receipt["outcome"], Code>> = { pending: "LEEWAY_PENDING" };

/** If the store cannot be used, the program gets a refusal: nothing was recorded, so nothing ran. */
export async function available<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    if (error.refused !== undefined) throw new LeewayRefusal(error.refused, { cause: error });
    throw new LeewayRefusal(
      {
        code: "LEEWAY_AUDIT_UNAVAILABLE",
        reason: say("refusal.record_unusable", { error: error.message }),
        hint: error.hint,
      },
      { cause: error },
    );
  }
}

type Verb = (...given: never[]) => unknown;

/** The same verbs, with a refusal in place of an error of the store. */
export function allAvailable<V extends { readonly [name: string]: Verb }>(verbs: V): V {
  const wrapped = Object.entries(verbs).map(([name, verb]) => [
    name,
    (...given: never[]) => {
      const answer = verb(...given);
      return answer instanceof Promise ? available(() => answer) : answer;
    },
  ]);
  return Object.fromEntries(wrapped) as V;
}
