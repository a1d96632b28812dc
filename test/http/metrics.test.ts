import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { METRICS, type MetricFacts } from "../../src/observe/metric-table.ts";
import { seriesOf } from "../../src/observe/series.ts";
import { root } from "../tidy/sources.ts";
import { type Served, served } from "./served.ts";

let on: Served;
let scraper: string;
let coder: string;

beforeAll(async () => {
  on = await served({
    policy: `version: 1
preset: standard
tools:
  refund: { class: payments.move, reversible: false }
  memo: { class: metadata.write }
  burn: { class: payments.move }
rules:
  - { name: never-burn, match: { tool: burn }, tier: deny, because: "money is not burnt" }
limits:
  - { name: few-memos, match: { tool: memo }, max: 2, per: 1h, by: agent, then: deny }
approvals: { selfReview: true }
`,
  });
  coder = await on.token({ agent: "agent-with-a-telling-name" });
  scraper = await on.token({ person: "cleo", can: "read" });
});
afterAll(() => on.remove());

const call = (tool: string, args: object, callId: string) =>
  on.ask("POST", "/v1/calls", { token: coder, body: { tool, args, callId } });

/** The samples of all metrics whose values do not depend on the machine. */
async function samples(): Promise<Record<string, number>> {
  const { text } = await on.ask("GET", "/metrics", { token: scraper });
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const pairs = lines.map((line) => {
    const at = line.lastIndexOf(" ");
    return [line.slice(0, at), Number(line.slice(at + 1))] as const;
  });
  return Object.fromEntries(pairs);
}

/** What was added between two readings, for the metrics with these names. */
function added(before: Record<string, number>, after: Record<string, number>, names: readonly string[]) {
  const of = Object.entries(after).filter(([key]) => names.some((name) => key === name || key.startsWith(`${name}{`)));
  return Object.fromEntries(
    of.map(([key, value]) => [key, value - (before[key] ?? 0)]).filter(([, more]) => more !== 0),
  );
}

test("decisions, answers, runs, limits and requests are counted as they are recorded", async () => {
  const before = await samples();
  const refund = (await call("refund", { order: 1 }, "r1")).body;
  const cookie = await on.signIn();
  const review = { verdict: "approve", digest: refund.digest, note: "ok" };
  expect((await on.ask("POST", `/v1/approvals/${refund.approvalId}/reviews`, { cookie, body: review })).status).toBe(
    200,
  );
  const again = (await call("refund", { order: 1 }, "r2")).body;
  expect(again.outcome).toBe("run");
  const settled = { attempt: again.attempt, ok: true, result: "done" };
  expect((await on.ask("POST", `/v1/calls/${again.id}/settle`, { token: coder, body: settled })).status).toBe(200);
  await call("burn", { order: 2 }, "b1");
  for (const id of ["m1", "m2", "m3"]) await call("memo", { text: id }, id);
  const after = await samples();
  const names = [
    "leeway_decisions_total",
    "leeway_answer_seconds_count",
    "leeway_execution_seconds_count",
    "leeway_decide_seconds_count",
    "leeway_limits_reached_total",
  ];
  expect(added(before, after, names)).toEqual({
    // Nobody may approve money that cannot come back without a person: such a call is denied, and asked about.
    'leeway_decisions_total{outcome="denied",tier="ask"}': 1,
    'leeway_decisions_total{outcome="run",tier="ask"}': 1,
    'leeway_decisions_total{outcome="denied",tier="deny"}': 2,
    'leeway_decisions_total{outcome="run",tier="notify"}': 2,
    'leeway_answer_seconds_count{state="approved"}': 1,
    leeway_execution_seconds_count: 1,
    leeway_decide_seconds_count: 6,
    leeway_limits_reached_total: 1,
  });
  expect(added(before, after, ["leeway_requests_total"])).toMatchObject({
    'leeway_requests_total{route="/v1/calls",status="2xx"}': 6,
  });
});

test("open questions and their age are gauges of the workspace", async () => {
  await call("refund", { order: 77 }, "waiting");
  const now = await samples();
  expect(now["leeway_approvals_pending"]).toBe(1);
  expect(now['leeway_oldest_seconds{queue="approvals"}']).toBeGreaterThanOrEqual(0);
  expect(now['leeway_oldest_seconds{queue="executions"}']).toBe(0);
});

test("a call that was approved and has not run has an age, from its approval on", async () => {
  const asked = (await call("refund", { order: 78 }, "approved")).body;
  const cookie = await on.signIn();
  const body = { verdict: "approve", digest: asked.digest, note: "ok" };
  const startedMs = Date.now();
  expect((await on.ask("POST", `/v1/approvals/${asked.approvalId}/reviews`, { cookie, body })).status).toBe(200);
  const age = async () => (await samples())['leeway_oldest_seconds{queue="executions"}'] ?? 0;
  await expect.poll(age).toBeGreaterThan(0);
  expect(await age()).toBeLessThanOrEqual((Date.now() - startedMs) / 1_000);
});

test("nothing that an agent wrote is in the metrics", async () => {
  await call("refund", { order: "telling-argument" }, "telling-id");
  const { text } = await on.ask("GET", "/metrics", { token: scraper });
  expect(text).not.toContain("telling");
});

test("an agent and a stranger cannot read the metrics, whatever their address; a token that only reads can", async () => {
  const statusOf = async (given: { token?: string }) => (await on.ask("GET", "/metrics", given)).status;
  expect([await statusOf({}), await statusOf({ token: coder }), await statusOf({ token: scraper })]).toEqual([
    401, 403, 200,
  ]);
});

test("every metric has its help and type, and those without labels have a value from the beginning or after their first use", async () => {
  const { text, headers } = await on.ask("GET", "/metrics", { token: scraper });
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const typed = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
  expect(typed).toEqual(Object.entries(METRICS).map(([name, { type }]) => [name, type]));
  const named = new Set(
    [...text.matchAll(/^(leeway_\w+?)(?:_bucket|_sum|_count)?(?:\{.*\})? /gm)].map(([, name]) => name),
  );
  const gauges = Object.entries(METRICS).filter(([, { type }]) => type === "gauge");
  expect(gauges.map(([name]) => name).filter((name) => !named.has(name))).toEqual([]);
});

test("the page about operating lists every metric with its type, labels and meaning, and no other", () => {
  const page = readFileSync(join(root, "docs/operating.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(leeway_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$/gm)].map(([, ...cells]) => cells);
  const table: [string, MetricFacts][] = Object.entries(METRICS);
  const listed = table.map(([name, { type, labels, help }]) => {
    return [name, type, labels.map((label) => `\`${label}\``).join(", "), help];
  });
  expect(rows).toEqual(listed);
});

test("a metric with too many series counts the rest as `other`", () => {
  const series = seriesOf();
  for (let i = 0; i < 600; i++) series.add("leeway_hooks_total", { host: `host-${i}` });
  const lines = series.text([]).match(/^leeway_hooks_total\{.*$/gm) ?? [];
  expect([lines.length, lines.at(-1)]).toEqual([501, 'leeway_hooks_total{host="other"} 100']);
});
