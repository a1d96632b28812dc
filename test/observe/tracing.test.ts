import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gate, openGate } from "../../src/index.ts";
import { type Served, served } from "../http/served.ts";

// The real SDK of OpenTelemetry sends to a collector on this machine.

type OtlpValue = { stringValue?: string; intValue?: number };
type OtlpSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: readonly { key: string; value: OtlpValue }[];
};

const spans: OtlpSpan[] = [];
const bodies: string[] = [];
let collector: Server;
let provider: TracerProvider;
let on: Served;
let coder: string;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      bodies.push(body);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
  provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  });
  trace.setGlobalTracerProvider(provider);
  on = await served();
  coder = await on.token({ agent: "coder" });
});
afterAll(async () => {
  await on.remove();
  await provider.shutdown();
  trace.disable();
  collector.close();
});

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;

/** Everything that was sent to the collector about one trace, in the order in which it ended. */
async function traced(traceId: string): Promise<readonly OtlpSpan[]> {
  await provider.forceFlush();
  return spans.filter((span) => span.traceId === traceId);
}

function shown({ name, parentSpanId, attributes, status }: OtlpSpan) {
  const pairs = attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]);
  return { name, parent: parentSpanId, status: status.code ?? 0, ...Object.fromEntries(pairs) };
}

test("deciding, waiting and running are spans in the caller's trace, with the names for generative AI", async () => {
  const headers = { traceparent: TRACEPARENT };
  const body = { tool: "refund", args: { order: "secret-order" }, callId: "c1", session: "s1" };
  const first = (await on.ask("POST", "/v1/calls", { token: coder, body, headers })).body;
  const cookie = await on.signIn();
  const review = { verdict: "approve", digest: first.digest, note: "a note of a person" };
  await on.ask("POST", `/v1/approvals/${first.approvalId}/reviews`, { cookie, body: review });
  const again = (await on.ask("POST", "/v1/calls", { token: coder, body: { ...body, callId: "c2" }, headers })).body;
  const settled = { attempt: again.attempt, ok: false, error: "the bank said secret-word" };
  await on.ask("POST", `/v1/calls/${again.id}/settle`, { token: coder, body: settled });
  const found = await traced(TRACE);
  const about = {
    "gen_ai.agent.name": "coder",
    "gen_ai.conversation.id": "s1",
    "gen_ai.tool.name": "refund",
    "leeway.tier": "ask",
    parent: SPAN,
  };
  expect(found.map(shown)).toEqual([
    {
      ...about,
      name: "leeway.decide refund",
      status: 0,
      "gen_ai.tool.call.id": "c1",
      "leeway.call.id": first.id,
      "leeway.code": "LEEWAY_NEEDS_HUMAN",
      "leeway.ledger.index": first.ledgerIndex,
      "leeway.outcome": "denied",
    },
    {
      ...about,
      name: "leeway.wait refund",
      status: 0,
      "leeway.call.id": first.id,
      "leeway.class": "payments.move",
      "leeway.state": "approved",
    },
    {
      ...about,
      name: "leeway.decide refund",
      status: 0,
      "gen_ai.tool.call.id": "c2",
      "leeway.call.id": again.id,
      "leeway.ledger.index": again.ledgerIndex,
      "leeway.outcome": "run",
    },
    {
      ...about,
      name: "execute_tool refund",
      status: 2,
      "error.type": "execution.failed",
      "gen_ai.operation.name": "execute_tool",
      // The approval was for the call that asked first.
      "leeway.call.id": first.id,
      "leeway.class": "payments.move",
      "leeway.state": "failed",
    },
  ]);
  for (const { startTimeUnixNano, endTimeUnixNano } of found)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  for (const word of ["secret-order", "secret-word", "a note of a person"]) expect(bodies.join("")).not.toContain(word);
});

test("a caller that does not sample its trace gets no spans", async () => {
  const quiet = "5bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { traceparent: `00-${quiet}-${SPAN}-00` };
  const body = { tool: "memo", args: {}, callId: "quiet" };
  expect((await on.ask("POST", "/v1/calls", { token: coder, body, headers })).status).toBe(200);
  expect(await traced(quiet)).toEqual([]);
});

test("in a program, the spans of a call without a trace id are in one trace of their own", async () => {
  const gate: Gate = await openGate({ db: ":memory:", policy: { tiers: { "metadata.write": "auto" } } });
  const note = gate.guard("note", (args: { text: string }) => args.text, { class: "metadata.write" });
  expect(await note({ text: "hello" })).toBe("hello");
  await gate.close();
  await provider.forceFlush();
  const own = spans.filter(({ name }) => name.endsWith(" note"));
  expect(own.map(({ name }) => name)).toEqual(["leeway.decide note", "execute_tool note"]);
  const [decided, ran] = own;
  expect([ran?.traceId, ran?.parentSpanId]).toEqual([decided?.traceId, decided?.spanId]);
  expect(decided?.parentSpanId ?? "").toBe("");
});
