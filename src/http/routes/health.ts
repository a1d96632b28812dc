import type { Deps } from "../../gate/deps.ts";
import { workspaceGauges } from "../../gate/gauges.ts";
import { canRecord } from "../../gate/record/last-write.ts";
import { headOf } from "../../gate/record/ledger.ts";
import { policyInForce } from "../../gate/standing/policy.ts";
import { available, LeewayRefusal } from "../../service/refusal.ts";
import { anyText, flag, maybe, open } from "../../service/shape.ts";
import { readRoute, reply, textRoute } from "../api-route.ts";
import { listenersOf } from "./follow.ts";

export const HEALTH_ROUTES = [
  readRoute("GET /healthz", {
    for: ["anybody"],
    summary: "Says that the process is running.",
    gives: open({ ok: flag }),
    answer: async () => reply({ ok: true }),
  }),
  readRoute("GET /readyz", {
    for: ["anybody"],
    summary:
      "Says that the store can be read, that the last write to it succeeded, and that a policy is in force; otherwise 503 with the reason.",
    gives: open({ ok: flag, why: maybe(anyText) }),
    answer: async ({ deps }) => {
      const why = await unready(deps);
      return reply(why === undefined ? { ok: true } : { ok: false, why }, why === undefined ? 200 : 503);
    },
  }),
  textRoute("GET /metrics", {
    for: ["read"],
    summary: "Metrics in the text format of Prometheus.",
    gives: "text/plain",
    act: async ({ deps }) => ({
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      body: await metricsText(deps),
    }),
  }),
];

async function unready(deps: Deps): Promise<string | undefined> {
  try {
    await available(() => headOf(deps));
    const { noPolicy } = await policyInForce(deps);
    if (noPolicy !== undefined) return "no policy loads, so everything is denied";
    return (await canRecord(deps)) ? undefined : "nothing can be recorded, so everything is denied";
  } catch (error) {
    if (!(error instanceof LeewayRefusal)) throw error;
    return "the store cannot be used, so everything is denied";
  }
}

/** What is counted in this process, what the store knows, and the process itself. */
async function metricsText(deps: Deps): Promise<string> {
  if (deps.metrics === undefined) throw new Error("a server without metrics (this is a bug)");
  const { rss } = process.memoryUsage();
  return deps.metrics.text([
    ...(await workspaceGauges(deps)),
    { name: "leeway_event_listeners", value: listenersOf(deps) },
    { name: "leeway_resident_bytes", value: rss },
    { name: "leeway_start_time_seconds", value: Math.round((performance.timeOrigin / 1_000) * 1_000) / 1_000 },
  ]);
}
