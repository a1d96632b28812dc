import { countsOf } from "../../gate/counts.ts";
import type { Deps } from "../../gate/deps.ts";
import { headOf } from "../../gate/record/ledger.ts";
import { policyInForce } from "../../gate/standing/policy.ts";
import { available, LeewayRefusal } from "../../service/refusal.ts";
import { anyText, flag, maybe, open } from "../../service/shape.ts";
import { readRoute, reply, textRoute } from "../api-route.ts";

export const HEALTH_ROUTES = [
  readRoute("GET /healthz", {
    for: ["anybody"],
    summary: "Says that the process is running.",
    gives: open({ ok: flag }),
    answer: async () => reply({ ok: true }),
  }),
  readRoute("GET /readyz", {
    for: ["anybody"],
    summary: "Says that the store works and a policy is in force; otherwise 503 with the reason.",
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
    return noPolicy === undefined ? undefined : "no policy loads, so everything is denied";
  } catch (error) {
    if (!(error instanceof LeewayRefusal)) throw error;
    return "the store cannot be used, so everything is denied";
  }
}

/** The figures for monitoring: whether people answer in time, whether calls end, and whether the gate decides anything. */
async function metricsText(deps: Deps): Promise<string> {
  const counts = await countsOf(deps);
  const policy = await policyInForce(deps);
  const { pauses } = await deps.standing.current();
  return [
    gauge("leeway_ledger_entries", "entries of the ledger", counts.entries),
    gauge("leeway_approvals_pending", "open questions", counts.pending),
    gauge("leeway_executions_ready", "approved calls that have not run", counts.ready),
    gauge("leeway_executions_unknown", "executions with an unknown outcome", counts.unknown),
    gauge("leeway_notices_dead", "notices that could not be delivered", counts.dead),
    gauge("leeway_pauses", "pauses in force", pauses.length),
    gauge("leeway_policy_in_force", "1 while a policy loads, 0 while everything is denied", policy.noPolicy ? 0 : 1),
    gauge("leeway_resident_bytes", "memory of the process", process.memoryUsage().rss),
  ].join("");
}

function gauge(name: string, help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;
}
