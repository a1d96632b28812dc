import type * as Otel from "@opentelemetry/api";
import type { Change, Write } from "../core/change.ts";
import type { Subject } from "../core/ledger.ts";
import { isMissingPackage } from "../core/values/missing-package.ts";
import { traceParentOf } from "../core/values/trace-parent.ts";
import type { Observer } from "../observer-port.ts";
import { ATTRIBUTES, EXECUTE_TOOL, SPANS } from "./span-names.ts";

// A trace for each call: deciding, waiting for people and running are spans. They are made when they are over, from what
// was recorded, because they often end in another process than they began in. Arguments, results and what people wrote
// are never in them.

/** So many calls whose trace began here are remembered, so that their later spans join it. */
const TRACES_MAX = 10_000;

/**
 * Spans for OpenTelemetry, if its API is installed. Where they go, and whether they go anywhere, is decided by the SDK
 * that the program or `NODE_OPTIONS=--import …` has set up.
 */
export async function openTracing(): Promise<Observer | undefined> {
  const api = await loadApi();
  return api === undefined ? undefined : tracingBy(api);
}

async function loadApi(): Promise<typeof Otel | undefined> {
  try {
    return await import("@opentelemetry/api");
  } catch (error) {
    if (isMissingPackage(error)) return undefined;
    throw error;
  }
}

type Finished = {
  name: string;
  trace: string;
  startMs: number;
  endMs: number;
  attributes: Otel.Attributes;
  failed?: string;
};

function tracingBy({ trace, context, SpanKind, SpanStatusCode, ROOT_CONTEXT }: typeof Otel): Observer {
  const tracer = trace.getTracer("leeway");
  const begun = new Map<string, Otel.SpanContext>();
  const remember = (id: string, span: Otel.SpanContext) => {
    if (begun.size >= TRACES_MAX) begun.delete(begun.keys().next().value ?? "");
    begun.set(id, span);
  };
  /** Where the span belongs: the caller's trace, the trace that began here, or else what the program is doing now. */
  const around = (id: string): Otel.Context => {
    const parent = traceParentOf(id);
    if (parent !== undefined) return trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
    const known = begun.get(id);
    return known === undefined ? context.active() : trace.setSpanContext(ROOT_CONTEXT, known);
  };
  const finish = (done: Finished) => {
    const { name, startMs, endMs, attributes, failed } = done;
    const given = { kind: SpanKind.INTERNAL, startTime: startMs, attributes };
    const span = tracer.startSpan(name, given, around(done.trace));
    if (failed !== undefined) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute(ATTRIBUTES.errorType, failed);
    span.end(endMs);
    if (traceParentOf(done.trace) === undefined && !begun.has(done.trace)) remember(done.trace, span.spanContext());
  };
  return {
    decided: (call, receipt, ms) => {
      const endMs = Date.now();
      const { tier, outcome } = receipt.decision;
      const code = receipt.code ?? receipt.decision.code;
      finish({
        name: `${SPANS.decide} ${call.tool}`,
        trace: call.traceId,
        startMs: endMs - ms,
        endMs,
        attributes: {
          ...aboutCall({ agent: call.agent, tool: call.tool, call: receipt.id, tier, session: call.session }),
          [ATTRIBUTES.callId]: call.callId,
          [ATTRIBUTES.outcome]: outcome,
          ...(code === undefined ? {} : { [ATTRIBUTES.code]: code }),
          ...(receipt.ledgerIndex === undefined ? {} : { [ATTRIBUTES.entry]: receipt.ledgerIndex }),
        },
      });
    },
    committed: (change, done) => {
      if (done.ok) for (const span of spansIn(change)) finish(span);
    },
  };
}

/** The questions and executions that end with this Change. */
function spansIn({ writes, entries, atMs }: Change): readonly Finished[] {
  return entries.flatMap(({ kind, subject }): readonly Finished[] => {
    const [noun, state = ""] = kind.split(".");
    const [trace, startMs] = [subject.trace, startOf(writes, state, subject)];
    if (trace === undefined || startMs === undefined) return [];
    const name = `${noun === "approval" ? SPANS.wait : SPANS.run} ${subject.tool}`;
    const operation = noun === "execution" ? { [ATTRIBUTES.operation]: EXECUTE_TOOL } : {};
    const attributes = { ...aboutCall(subject), ...operation, [ATTRIBUTES.state]: state };
    const failed = state === "failed" || state === "unknown" ? { failed: `execution.${state}` } : {};
    return [{ name, trace, startMs, endMs: Math.max(startMs, atMs), attributes, ...failed }];
  });
}

/** When the question was opened or the execution started, if the entry with this state is about its end. */
function startOf(writes: readonly Write[], state: string, { approval, execution }: Subject): number | undefined {
  for (const write of writes) {
    if (write.do === "put" && write.table === "approvals" && write.row.id === approval && write.row.state === state)
      return write.row.openedMs;
    if (write.do !== "step" || write.right.id !== execution || write.right.state !== state) continue;
    return "startedMs" in write.right ? write.right.startedMs : undefined;
  }
  return undefined;
}

type About = Pick<Subject, "agent" | "tool" | "call" | "tier" | "class"> & { session?: string | undefined };

function aboutCall(about: About): Otel.Attributes {
  const named = {
    [ATTRIBUTES.agent]: about.agent,
    [ATTRIBUTES.tool]: about.tool,
    [ATTRIBUTES.call]: about.call,
    [ATTRIBUTES.tier]: about.tier,
    [ATTRIBUTES.class]: about.class,
    [ATTRIBUTES.session]: about.session,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as Otel.Attributes;
}
