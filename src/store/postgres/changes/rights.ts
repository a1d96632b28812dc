import type { Execution } from "../../../core/execution.ts";
import type { CallId } from "../../../core/ids.ts";
import type { Ref, Versioned } from "../../../core/rows/rows.ts";
import { callNamed } from "../../../core/rows/stored-call.ts";
import type { SqlRow } from "../../sql/columns.ts";
import { bornRightIn } from "../../sql/found.ts";
import { placeOf } from "../../sql/places.ts";
import type { ReadyStart, ReadyStep } from "../../sql/prepare.ts";
import { storedText } from "../../sql/text.ts";
import type { Secrets } from "../secrets.ts";
import { executionColumns } from "./prepare.ts";
import { putRow } from "./rows.ts";
import type { BatchView, CallItem } from "./view.ts";

// Calls and executions are written only from a known version, and each write checks it. An execution created with its
// call stays in the call's row until somebody may look it up; then it moves to `executions` and stays there.

/** The context of a write. */
export type Writing = { view: BatchView; workspace: string; secrets: Secrets };

/** False if the key is taken, or the call has changed since it was read. */
export function applyStart(of: Writing, start: ReadyStart, index: number): boolean {
  const { view, secrets } = of;
  const { id, atMs: sortMs, row, from } = start;
  const place = placeOf(view.state().space, index);
  const call = storedText(id);
  if (from === 0) return newCall(of, start, place);
  const before = view.get("call", call);
  if (before === null || before.version !== from) return false;
  // The execution can no longer be derived from the new decision, so it moves out.
  const born = bornRightOf(of, id);
  const args = secrets.keep(start.args, start.digest);
  setCall(view, call, {
    ...{ ...before, version: from + 1, sortMs, wakeMs: null, decided: place, row, args },
    ...{ execution: null, executionVersion: null, result: null },
    write: "alarm",
  });
  return born === undefined || newRight(of, born.row, born.version);
}

/** Written out: this is done for every call. */
function newCall({ view, secrets }: Writing, start: ReadyStart, place: number): boolean {
  const key = storedText(start.key);
  if (view.get("callKey", key)) return false;
  view.set("callKey", [key], true);
  setCall(view, storedText(start.id), {
    place,
    version: 1,
    key,
    sortMs: start.atMs,
    wakeMs: start.wakeMs,
    decided: null,
    row: start.row,
    args: secrets.keep(start.args, start.digest),
    execution: start.execution,
    executionVersion: start.execution === null ? null : 1,
    result: null,
    write: "alarm",
  });
  return true;
}

export function setCall(view: BatchView, id: string, call: CallItem): void {
  view.set("call", [id], call);
}

/** The execution stored with a call. */
export function bornRightOf(of: Writing, id: CallId): Versioned<"executions"> | undefined {
  const call = of.view.get("call", storedText(id));
  return call === null || call.execution === null
    ? undefined
    : bornRightIn(secretsIn(of), callColumns(of.view, id, call));
}

export function secretsIn({ workspace, secrets }: Writing) {
  return { workspace, seals: secrets };
}

/** A call with what its deciding entry says. */
export function callColumns(view: BatchView, id: CallId, call: CallItem): SqlRow {
  const said = entryAt(view, call.decided ?? call.place);
  return {
    place: call.place,
    version: call.version,
    key: call.key,
    sort_ms: call.sortMs,
    row: call.row,
    args: call.args,
    execution: call.execution,
    execution_version: call.executionVersion,
    result: call.result,
    id,
    subject: said?.subject ?? null,
    body: said?.body ?? null,
  };
}

/** An entry of the ledger, also one that this batch appends. */
export function entryAt(view: BatchView, place: number) {
  const first = view.appended[0]?.place;
  const entry = first !== undefined && place >= first ? view.appended[place - first] : view.get("entry", String(place));
  if (entry === null || entry === undefined) return undefined;
  return view.erased.includes(place) ? { ...entry, body: null } : entry;
}

function newRight(of: Writing, right: Execution, version: number): boolean {
  const { view } = of;
  if (view.get("row", "executions", storedText(right.id)) !== null) return false;
  putRow(view, "executions", executionColumns(of.secrets, right, isErased(of, right)), version);
  return true;
}

function isErased({ view }: Writing, right: Execution): boolean {
  const hasResult = "result" in right && right.result !== undefined;
  return hasResult && view.get("call", storedText(right.call))?.args === null;
}

/** False if the execution has changed since it was read. */
export function applyStep(of: Writing, step: ReadyStep): boolean {
  const { view } = of;
  const { right, from } = step;
  if (from === 0) return versionOf(view, { table: "executions", id: right.id }) === 0 && newRight(of, right, 1);
  const isOwn = callNamed(right.id) === right.call;
  const call = isOwn ? view.get("call", storedText(right.call)) : null;
  if (call !== null && call.executionVersion === from) {
    if (step.execution !== undefined) return stay(of, call, step, step.execution);
    const gone = { execution: null, executionVersion: null, result: null, wakeMs: null, write: "alarm" } as const;
    setCall(view, storedText(right.call), { ...call, ...gone });
    return newRight(of, right, from + 1);
  }
  const row = view.get("row", "executions", storedText(right.id));
  if (row?.version !== from) return false;
  putRow(view, "executions", executionColumns(of.secrets, right, isErased(of, right)), from + 1);
  return true;
}

function stay({ view, secrets }: Writing, call: CallItem, { right, from, wakeMs }: ReadyStep, execution: string): true {
  const secret = "result" in right ? right.result : undefined;
  // If the call was erased meanwhile, no result is stored.
  const result = secret === undefined || call.args === null ? null : secrets.keep(secret, right.id);
  setCall(view, storedText(right.call), {
    ...call,
    ...{ execution, executionVersion: from + 1, result, wakeMs, write: "alarm" },
  });
  return true;
}

/** 0 if there is none. */
export function versionOf(view: BatchView, { table, id }: Ref): number {
  if (table === "calls") return view.get("call", storedText(id))?.version ?? 0;
  if (table === "executions") {
    const born = view.get("call", storedText(callNamed(id)));
    if (born !== null && born.execution !== null) return born.executionVersion ?? 0;
  }
  return view.get("row", table, storedText(id))?.version ?? 0;
}

/** Notes what `applyStart` and `applyStep` will look at. */
export function wantVersioned(view: BatchView, write: ReadyStart | ReadyStep): void {
  if (write.do === "start") {
    if (write.from === 0) view.want("callKey", storedText(write.key));
    else view.want("call", storedText(write.id));
    return;
  }
  const { right, from } = write;
  const call = callNamed(right.id);
  if (from === 0 || call === right.call) view.want("call", storedText(call));
  const isWithCall = from > 0 && view.known("call", storedText(call))?.executionVersion === from;
  if (!isWithCall) view.want("row", "executions", storedText(right.id));
}
