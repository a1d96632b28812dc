import type { Change } from "../../../core/change.ts";
import type { Execution } from "../../../core/execution.ts";
import { factsOf } from "../../../core/rows/rows.ts";
import { type RowValues, rowValues, type SqlValue } from "../../sql/columns.ts";
import { prepare as prepareChange, type Ready } from "../../sql/prepare.ts";
import { storedText } from "../../sql/text.ts";
import type { Secrets } from "../secrets.ts";

/** A row as its columns, except workspace, place and version. */
export type RowColumns = {
  id: string;
  key: string | null;
  state: string | null;
  agent: string | null;
  digest: string | null;
  call: string | null;
  collect: string | null;
  sortMs: number;
  dueMs: number | null;
  queue: string | null;
  wakeMs: number | null;
  row: string;
};

/**
 * A batch is written by one statement, so a value that cannot be stored must be refused before. Arguments are encrypted here,
 * so that nobody waits for it who needs the lock of the chain.
 */
export function prepare(secrets: Secrets, change: Change): Ready {
  const ready = prepareChange(change);
  refuseFraction(ready.atMs);
  for (const write of ready.proving === undefined ? ready.writes : [ready.proving.write, ...ready.writes]) {
    if (write.do === "put") columnsOf(write.values, write.dueMs);
    else if (write.do === "start") {
      refuseFraction(write.atMs);
      secrets.keep(write.args, write.digest);
    } else if (write.do === "add" && !(Number.isFinite(write.by) && Number.isSafeInteger(write.untilMs))) {
      throw new TypeError("a counter can only be changed by a number, until a time in whole milliseconds");
    }
  }
  return ready;
}

export function columnsOf(values: RowValues, dueMs: number | null): RowColumns {
  const [id, key, state, agent, digest, call, collect, sortMs, queue, wakeMs, row] = values;
  return {
    id: storedText(String(id)),
    key: text(key),
    state: text(state),
    agent: text(agent),
    digest: text(digest),
    call: text(call),
    collect: text(collect),
    sortMs: refuseFraction(Number(sortMs)),
    dueMs: dueMs === null ? null : refuseFraction(dueMs),
    queue: text(queue),
    wakeMs: wakeMs === null ? null : refuseFraction(Number(wakeMs)),
    row: storedText(String(row)),
  };
}

function text(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : storedText(String(value));
}

function refuseFraction(ms: number): number {
  if (!Number.isSafeInteger(ms))
    throw new TypeError(`${ms} is not a time in whole milliseconds, so it cannot be stored`);
  return ms;
}

/** An execution that is stored separately. `isErased`: of an erased call no result is stored. */
export function executionColumns(secrets: Secrets, right: Execution, isErased: boolean): RowColumns {
  const result = "result" in right ? right.result : undefined;
  const { result: _, ...bare } = { result, ...right };
  const kept = result === undefined || isErased ? bare : { ...bare, result: secrets.keep(result, right.id) };
  return columnsOf(rowValues(right.id, factsOf("executions", right), JSON.stringify(kept)), null);
}
