import type { Change, Write } from "../core/change.ts";
import { isChannelKind } from "../core/channel.ts";
import type { EntryDraft } from "../core/ledger.ts";
import type { Notice } from "../core/notice.ts";
import type { Metrics } from "../observer-port.ts";
import { type Series, seriesOf } from "./series.ts";

const SECOND_MS = 1_000;

/** Counts what this process does. The values of labels are words of Leeway; nothing that an agent wrote is among them. */
export function processMetrics(): Metrics {
  const series = seriesOf();
  return {
    committed: (change, done, ms) => {
      if (!done.ok) return series.add("leeway_stale_total", { need: done.stale.is });
      series.observe("leeway_commit_seconds", ms / SECOND_MS);
      for (const entry of change.entries) countEntry(series, entry, change);
      for (const write of change.writes) countNotice(series, write);
    },
    decided: (_call, { ledgerIndex, decision, code }, ms) => {
      series.observe("leeway_decide_seconds", ms / SECOND_MS);
      const refusedBy = code ?? decision.code;
      if (ledgerIndex === undefined && refusedBy !== undefined && UNRECORDED.has(refusedBy))
        series.add("leeway_unrecorded_total", { code: refusedBy });
    },
    batched: (changes, ms) => {
      series.observe("leeway_batch_changes", changes);
      series.observe("leeway_batch_seconds", ms / SECOND_MS);
    },
    locked: (ms) => series.observe("leeway_lock_wait_seconds", ms / SECOND_MS),
    overtaken: () => series.add("leeway_head_moved_total"),
    hooked: (host) => series.add("leeway_hooks_total", { host }),
    requested: ({ route, status }) =>
      series.add("leeway_requests_total", { route, status: `${Math.floor(status / 100)}xx` }),
    text: (gauges) => series.text(gauges),
  };
}

/** Codes of calls that were refused before anything was recorded. */
const UNRECORDED: ReadonlySet<string> = new Set([
  "LEEWAY_AUDIT_UNAVAILABLE",
  "LEEWAY_BAD_CALL",
  "LEEWAY_BUSY",
  "LEEWAY_INTERNAL",
  "LEEWAY_LEDGER_BROKEN",
  "LEEWAY_TAMPERED",
  "LEEWAY_WENT_BACK",
]);

function countEntry(series: Series, { kind, subject }: EntryDraft, change: Change): void {
  const [noun, state = ""] = kind.split(".");
  if (kind === "call.decided") {
    series.add("leeway_decisions_total", { tier: subject.tier ?? "", outcome: subject.outcome ?? "" });
  } else if (kind === "limit.reached") {
    series.add("leeway_limits_reached_total");
  } else if (noun === "execution") {
    series.add("leeway_executions_total", { state });
    const ranMs = runningMs(change.writes, subject.execution);
    if (ranMs !== undefined) series.observe("leeway_execution_seconds", ranMs / SECOND_MS);
  } else if (noun === "approval" && ENDS.has(state)) {
    const openedMs = openedOf(change.writes, subject.approval);
    if (openedMs !== undefined)
      series.observe("leeway_answer_seconds", Math.max(0, change.atMs - openedMs) / SECOND_MS, { state });
  }
}

/** The states in which a question is over. */
const ENDS: ReadonlySet<string> = new Set(["approved", "denied", "expired", "cancelled", "superseded"]);

function openedOf(writes: readonly Write[], id: string | undefined): number | undefined {
  for (const write of writes)
    if (write.do === "put" && write.table === "approvals" && write.row.id === id) return write.row.openedMs;
  return undefined;
}

/** How long the execution ran, if this Change settles it. */
function runningMs(writes: readonly Write[], id: string | undefined): number | undefined {
  for (const write of writes) {
    if (write.do !== "step" || write.right.id !== id) continue;
    const { right } = write;
    if (right.state !== "succeeded" && right.state !== "failed") return undefined;
    return right.startedMs === undefined ? undefined : Math.max(0, right.settledMs - right.startedMs);
  }
  return undefined;
}

/** A notice that was delivered before, and was only read now, is not counted again. */
function countNotice(series: Series, write: Write): void {
  if (write.do !== "put" || write.table !== "notices") return;
  const { state, readMs } = write.row;
  if (readMs !== undefined || state === "waiting") return;
  series.add("leeway_notices_total", { channel: channelOf(write.row), state });
}

/** Programs can give the gate channels with names of their own; these share one value. */
function channelOf({ channel }: Notice): string {
  return channel === "inbox" || isChannelKind(channel) ? channel : "program";
}
