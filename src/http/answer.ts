import type { Code } from "../core/codes.ts";
import { say } from "../core/messages/message.ts";
import { LeewayRefusal } from "../service/refusal.ts";

/** A response. A stream writes until the client goes away. */
export type Answer = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | Stream;
  /** It contains a secret, so it can be fetched only once. */
  once?: true;
};

export type Stream = (write: (text: string) => boolean, gone: AbortSignal) => Promise<void>;

/** Most answers have exactly these headers, so this object is shared. */
export const JSON_HEADERS: Readonly<Record<string, string>> = { "content-type": "application/json; charset=utf-8" };

export function json(value: unknown, status = 200, headers?: Readonly<Record<string, string>>): Answer {
  const body = JSON.stringify(value);
  return { status, headers: headers === undefined ? JSON_HEADERS : { ...JSON_HEADERS, ...headers }, body };
}

export function seeOther(location: string, headers: Record<string, string> = {}): Answer {
  return { status: 303, headers: { location, ...headers } };
}

/** A refusal as programs get it. */
export function problem({ code, reason, hint }: { code: Code; reason: string; hint: string }): Answer {
  const status = STATUS[code];
  const headers = code === "LEEWAY_UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : undefined;
  return json({ error: { code, message: reason, hint } }, status, headers);
}

/** The refusal for an error that a route threw. The details of an unexpected error go to the log, not to the client. */
export function refusalOf(error: unknown): LeewayRefusal {
  if (error instanceof LeewayRefusal) return error;
  return new LeewayRefusal({
    code: "LEEWAY_INTERNAL",
    reason: say("refusal.check_broke"),
    hint: say("hint.server_log"),
  });
}

export function statusOf(code: Code): number {
  return STATUS[code];
}

/** The HTTP status for each code. A code inside a receipt does not count: a receipt has the status 200. */
const STATUS: { readonly [C in Code]: number } = {
  LEEWAY_DENIED: 403,
  LEEWAY_NEEDS_HUMAN: 403,
  LEEWAY_PAUSED: 409,
  LEEWAY_SHADOWED: 409,
  LEEWAY_SUGGESTED: 409,
  LEEWAY_PENDING: 409,
  LEEWAY_REVIEW_DENIED: 403,
  LEEWAY_EXPIRED: 410,
  LEEWAY_CANCELLED: 410,
  LEEWAY_SUPERSEDED: 410,
  LEEWAY_VOID: 409,
  LEEWAY_HEADLESS: 409,
  LEEWAY_NO_REVIEWER: 409,
  LEEWAY_NOT_A_REVIEWER: 403,
  LEEWAY_SELF_REVIEW: 403,
  LEEWAY_ASSURANCE: 403,
  LEEWAY_DIGEST_MISMATCH: 409,
  LEEWAY_ALREADY_RESOLVED: 409,
  LEEWAY_ALREADY_REVIEWED: 409,
  LEEWAY_NOT_FOUND: 404,
  LEEWAY_AMBIGUOUS: 409,
  LEEWAY_ALREADY_CLAIMED: 409,
  LEEWAY_NOT_YOURS: 403,
  LEEWAY_NO_BOX: 409,
  LEEWAY_LEASE_LOST: 409,
  LEEWAY_OUTCOME_UNKNOWN: 409,
  LEEWAY_EXECUTION_FAILED: 409,
  LEEWAY_CALL_RUNNING: 409,
  LEEWAY_CALL_ID_REUSED: 409,
  LEEWAY_EDITED: 409,
  LEEWAY_BACKPRESSURE: 429,
  LEEWAY_LIMIT: 429,
  LEEWAY_QUARANTINED: 403,
  LEEWAY_TOO_LARGE: 413,
  LEEWAY_BAD_CALL: 400,
  LEEWAY_BAD_INPUT: 400,
  LEEWAY_POLICY_INVALID: 422,
  LEEWAY_BUSY: 503,
  LEEWAY_AUDIT_UNAVAILABLE: 503,
  LEEWAY_LEDGER_BROKEN: 500,
  LEEWAY_WENT_BACK: 503,
  LEEWAY_TAMPERED: 503,
  LEEWAY_INTERNAL: 500,
  LEEWAY_FORBIDDEN: 403,
  LEEWAY_LOCKED: 429,
  LEEWAY_UNAUTHENTICATED: 401,
  LEEWAY_STALE_SIGN_IN: 403,
  LEEWAY_CROSS_SITE: 403,
};
