import { CODES, type Code, type Refused } from "../core/codes.ts";
import type { ApprovalId, ExecutionId } from "../core/ids.ts";
import type { Receipt } from "../core/receipt.ts";

type RefusalDetails = {
  approvalId?: ApprovalId;
  executionId?: ExecutionId;
  decision?: Receipt["decision"];
  cause?: unknown;
};

/**
 * What every verb of the library throws when it does not do what it was asked to.
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
  /** Why, in lower case and without a final stop. */
  readonly reason: string;
  /** What to do about it. */
  readonly hint: string;
  /** True when the very same call may succeed later. */
  readonly retryable: boolean;
  readonly approvalId?: ApprovalId;
  readonly executionId?: ExecutionId;
  readonly decision?: Receipt["decision"];

  constructor(why: Omit<Refused, "ok">, details: RefusalDetails = {}) {
    super(`${why.reason}; ${why.hint}`, details.cause === undefined ? {} : { cause: details.cause });
    this.code = why.code;
    this.reason = why.reason;
    this.hint = why.hint;
    this.retryable = CODES[why.code].retryable;
    if (details.approvalId !== undefined) this.approvalId = details.approvalId;
    if (details.executionId !== undefined) this.executionId = details.executionId;
    if (details.decision !== undefined) this.decision = details.decision;
  }

  /** For the tool result that the model reads: what happened, what to do instead, whether to come back. */
  get forModel(): string {
    const again = this.retryable ? "You may try the same call again later." : "Do not retry this call.";
    const waiting = this.approvalId === undefined ? "" : ` It is before the reviewers as ${this.approvalId}.`;
    return `${sentence(this.reason)} ${sentence(this.hint)}${waiting} ${again} (${this.code})`;
  }

  /** For logs and tests: one line of fields that do not change with the wording. */
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

  /** For whoever looks at the agent's work: the reason, everything that led to it, and the next step. */
  get forPerson(): string {
    const causes = this.decision?.because ?? [];
    const because =
      causes.length === 0 || causes.join("; ") === this.reason ? "" : `\nbecause ${causes.join("\nand ")}`;
    const look = this.approvalId === undefined ? "" : `\n\`leeway show ${this.approvalId}\` shows the question`;
    return `${this.reason}${because}\n${this.hint}${look}`;
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** A refusal that trying again does not change; a record that cannot be used just now is none. */
export function isFinal(error: unknown): error is LeewayRefusal {
  return error instanceof LeewayRefusal && error.code !== "LEEWAY_AUDIT_UNAVAILABLE";
}

/** A verb's refusal, thrown; anything else, handed on. */
export function orThrow<T>(done: { ok: true; value: T } | Refused, details?: RefusalDetails): T {
  if (done.ok) return done.value;
  throw new LeewayRefusal(done, details);
}

/** Input that is not well formed, with the path to what is wrong. */
export function badInput(path: string, why: string, hint: string): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_BAD_INPUT", reason: `${path}: ${why}`, hint });
}

/** What whoever made a call can do about it: true and possible for an agent, a program and a person alike. */
export const WHAT_TO_DO: Partial<Record<Code, string>> = {
  LEEWAY_DENIED: "do something else, or ask the owner of the policy",
  LEEWAY_NEEDS_HUMAN: "go on without it; the reviewers have been asked",
  LEEWAY_PAUSED: "wait until a person lifts it; `leeway status` shows people which pause it is and how to lift it",
  LEEWAY_SHADOWED: "go on without its result",
  LEEWAY_SUGGESTED: "go on without its result; the reviewers will look at it",
  LEEWAY_PENDING: "go on with something else and make the same call again later; once approved it runs",
  LEEWAY_REVIEW_DENIED: "do something else",
  LEEWAY_EXPIRED: "submit the call again if it is still wanted",
  LEEWAY_HEADLESS: "do it where a person can answer, or ask for a grant in advance",
  LEEWAY_CALL_RUNNING: "wait for its result; do not start it again",
  LEEWAY_EXECUTION_FAILED: "read the error and change the call",
  LEEWAY_LIMIT: "wait until the window of the limit has passed",
  LEEWAY_BACKPRESSURE: "wait until some of the open questions are answered",
  LEEWAY_CANCELLED: "make the call again if it is still wanted",
  LEEWAY_SUPERSEDED: "go on with the call that took its place",
  LEEWAY_VOID: "make the same call again; it is asked about anew",
  LEEWAY_NO_REVIEWER: "do something else; whoever keeps the policy has to name reviewers who are there",
  LEEWAY_OUTCOME_UNKNOWN:
    "check what happened before doing it again; a person settles it with `leeway show ID --settle`",
  LEEWAY_CALL_ID_REUSED: "make the new call under an id of its own",
  LEEWAY_EDITED: "claim it to be handed the arguments that were approved",
  LEEWAY_QUARANTINED: "do something else until a person has looked at the tool",
  LEEWAY_TOO_LARGE: "send less, or name a file instead of its content",
  LEEWAY_BAD_CALL: "mend the call and make it again",
  LEEWAY_POLICY_INVALID: "nothing runs until whoever keeps the policy mends it; `leeway check` shows them where",
  LEEWAY_BUSY: "make the same call again in a moment",
  LEEWAY_AUDIT_UNAVAILABLE: "make the same call again later; whoever runs the gate sees why with `leeway doctor`",
  LEEWAY_LEDGER_BROKEN: "nothing runs until whoever runs the gate has looked: `leeway verify`",
  LEEWAY_WENT_BACK: "nothing runs until whoever runs the gate has said what happened: `leeway recover`",
  LEEWAY_TAMPERED: "nothing runs until whoever runs the gate has looked: `leeway verify`",
  LEEWAY_INTERNAL: "nothing ran; tell whoever runs the gate",
};

/** Where a call stands, when that is not for the reasons of its decision. */
const STANDS: Partial<Record<Code, (about: About, tier: string) => string>> = {
  LEEWAY_NEEDS_HUMAN: ({ agent, tool, class: effectClass = "unknown" }, tier) =>
    `agent ${agent} needs one person's review of exactly this call of ${tool} (${effectClass}, otherwise ${tier})`,
  LEEWAY_CALL_RUNNING: ({ tool }) => `this call of ${tool} is being carried out already`,
  LEEWAY_PENDING: ({ tool }) => `nobody has answered yet whether ${tool} may run`,
};

/** Whose call was refused, and of what class where a question was opened about it. */
type About = { agent: string; tool: string; class?: string };

/** A receipt that does not let the call run, as the error its caller gets. */
export function refusalOf(receipt: Receipt, about: About): LeewayRefusal {
  const code = receipt.code ?? receipt.decision.code ?? FALLBACK[receipt.outcome] ?? "LEEWAY_DENIED";
  return new LeewayRefusal(
    { code, ...wordsOf(receipt, code, about) },
    {
      decision: receipt.decision,
      ...(receipt.approvalId === undefined ? {} : { approvalId: receipt.approvalId }),
      ...(receipt.executionId === undefined ? {} : { executionId: receipt.executionId }),
    },
  );
}

/** A receipt says reason and hint in one breath where both are known; otherwise the code knows what to do. */
function wordsOf(receipt: Receipt, code: Code, about: About): { reason: string; hint: string } {
  const because = receipt.decision.because.join("; ");
  const said = receipt.error ?? STANDS[code]?.(about, receipt.decision.tier) ?? receipt.reason ?? because;
  if (because !== "" && said.startsWith(`${because}; `))
    return { reason: because, hint: said.slice(because.length + 2) };
  return { reason: said === "" ? CODES[code].means : said, hint: WHAT_TO_DO[code] ?? CODES[code].means };
}

const FALLBACK: Partial<Record<Receipt["outcome"], Code>> = { pending: "LEEWAY_PENDING" };
