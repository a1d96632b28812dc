import { sha256Hex } from "./hash.ts";

/** The span that a call belongs to, as other programs name it. */
export type TraceParent = { traceId: string; spanId: string; traceFlags: number };

const TRACEPARENT = /^[0-9a-f]{2}-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const SAMPLED = 1;

/**
 * The span that a call's trace id names: a `traceparent` of W3C Trace Context, or only the id of a trace. An id alone
 * names no span and does not say whether the trace is sampled: then the spans are recorded, below a span that nobody has.
 */
export function traceParentOf(text: string): TraceParent | undefined {
  const found = TRACEPARENT.exec(text)?.groups;
  const traceId = found?.["traceId"] ?? (TRACE_ID.test(text) ? text : undefined);
  if (traceId === undefined || /^0+$/.test(traceId)) return undefined;
  const spanId = found?.["spanId"] ?? sha256Hex(traceId).slice(0, 16);
  if (/^0+$/.test(spanId)) return undefined;
  return {
    traceId,
    spanId,
    traceFlags: found === undefined ? SAMPLED : Number.parseInt(found["flags"] ?? "0", 16) & 1,
  };
}
