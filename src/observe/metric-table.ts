/** What one metric means. `labels` are all the labels it can have; their values come from lists that Leeway knows. */
export type MetricFacts = {
  type: "counter" | "gauge" | "histogram";
  labels: readonly string[];
  help: string;
  /** The upper bounds of a histogram. */
  bounds?: readonly number[];
};

/** Seconds of work of the gate itself. */
const WORK_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Seconds that a person takes to answer: from a few seconds to a day. */
const PERSON_SECONDS = [5, 15, 60, 300, 900, 3_600, 14_400, 86_400];
/** Seconds that a call takes to run. */
const RUN_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3_600];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Every metric at `/metrics`. Counters and histograms are about this process since it started; gauges about the
 * workspace are read from the store, and are the same on every server of the workspace. docs/operating.md has the same
 * list, and a test keeps the two alike.
 */
export const METRICS = {
  leeway_agents: { type: "gauge", labels: [], help: "agents that have made a call" },
  leeway_answer_seconds: {
    type: "histogram",
    labels: ["state"],
    help: "time from a question to its end",
    bounds: PERSON_SECONDS,
  },
  leeway_approvals_pending: { type: "gauge", labels: [], help: "open questions" },
  leeway_batch_changes: {
    type: "histogram",
    labels: [],
    help: "Changes that were committed together in one transaction",
    bounds: BATCH_SIZES,
  },
  leeway_batch_seconds: {
    type: "histogram",
    labels: [],
    help: "time of one transaction, waiting for the lock included",
    bounds: WORK_SECONDS,
  },
  leeway_commit_seconds: {
    type: "histogram",
    labels: [],
    help: "time that a Change waited for its commit",
    bounds: WORK_SECONDS,
  },
  leeway_decide_seconds: {
    type: "histogram",
    labels: [],
    help: "time from the arrival of a call until its decision was recorded",
    bounds: WORK_SECONDS,
  },
  leeway_decisions_total: { type: "counter", labels: ["outcome", "tier"], help: "recorded decisions" },
  leeway_event_listeners: { type: "gauge", labels: [], help: "open connections to /v1/events" },
  leeway_execution_seconds: {
    type: "histogram",
    labels: [],
    help: "time from the start of a call to its reported result",
    bounds: RUN_SECONDS,
  },
  leeway_executions_ready: { type: "gauge", labels: [], help: "approved calls that have not run" },
  leeway_executions_total: { type: "counter", labels: ["state"], help: "what became of executions" },
  leeway_executions_unknown: { type: "gauge", labels: [], help: "executions with an unknown outcome" },
  leeway_head_moved_total: {
    type: "counter",
    labels: [],
    help: "batches that another process overtook and that were tried again (PostgreSQL)",
  },
  leeway_hooks_total: { type: "counter", labels: ["host"], help: "hooks of agent programs that this process answered" },
  leeway_ledger_entries: { type: "gauge", labels: [], help: "entries of the ledger" },
  leeway_limits_reached_total: { type: "counter", labels: [], help: "calls that reached a limit of the policy" },
  leeway_lock_wait_seconds: {
    type: "histogram",
    labels: [],
    help: "time that a batch waited for the lock of the chain (PostgreSQL)",
    bounds: WORK_SECONDS,
  },
  leeway_notices_dead: { type: "gauge", labels: ["channel"], help: "notices that could not be delivered" },
  leeway_notices_total: { type: "counter", labels: ["channel", "state"], help: "notices that were sent or given up" },
  leeway_notices_waiting: { type: "gauge", labels: ["channel"], help: "notices to channels outside that wait" },
  leeway_oldest_seconds: {
    type: "gauge",
    labels: ["queue"],
    help: "age of the oldest row that waits (for `executions`: since its approval); 0 if none does",
  },
  leeway_pauses: { type: "gauge", labels: [], help: "pauses in force" },
  leeway_policy_in_force: {
    type: "gauge",
    labels: [],
    help: "1 while a policy loads, 0 while everything is denied",
  },
  leeway_requests_total: { type: "counter", labels: ["route", "status"], help: "requests that were answered" },
  leeway_resident_bytes: { type: "gauge", labels: [], help: "memory of the process" },
  leeway_stale_total: {
    type: "counter",
    labels: ["need"],
    help: "Changes that were tried again because something had changed",
  },
  leeway_start_time_seconds: { type: "gauge", labels: [], help: "when the process started, in seconds since 1970" },
  leeway_unrecorded_total: {
    type: "counter",
    labels: ["code"],
    help: "calls that were refused without a record",
  },
} as const satisfies Record<string, MetricFacts>;

export type MetricName = keyof typeof METRICS;
