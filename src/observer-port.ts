import type { ToolCall } from "./core/call.ts";
import type { Change, Committed } from "./core/change.ts";
import type { Receipt } from "./core/receipt.ts";

/**
 * Is told what a process does, for metrics, traces and logs. Everything that happens is a Change, so most of it is seen
 * there. An observer changes nothing, and nobody waits for it.
 */
export interface Observer {
  /** A Change was applied or was stale. `ms`: how long its caller waited. */
  committed?(change: Change, done: Committed, ms: number): void;
  /** A call was answered, whether or not it could be recorded. */
  decided?(call: ToolCall, receipt: Receipt, ms: number): void;
  /** A store committed so many Changes in one transaction. */
  batched?(changes: number, ms: number): void;
  /** A batch waited for the lock of the chain, because other processes write to it too. */
  locked?(ms: number): void;
  /** Another process wrote first, so the batch is tried again with the lock. */
  overtaken?(): void;
  /** A hook of this host was answered. */
  hooked?(host: string): void;
}

/** A value that is read when somebody asks for the metrics. */
export type Gauge = { name: string; labels?: Readonly<Record<string, string>>; value: number };

/** The metrics of a process. */
export interface Metrics extends Observer {
  requested(request: { route: string; status: number }): void;
  /** All metrics in the text format of Prometheus, with these gauges. */
  text(gauges: readonly Gauge[]): string;
}

/** All observers of a process. */
export type Observers = ReadonlySet<Observer>;
