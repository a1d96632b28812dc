import type { Need } from "../../../core/change.ts";
import type { Table } from "../../../core/rows/rows.ts";
import { callNamed } from "../../../core/rows/stored-call.ts";
import { CLOSING_KINDS, OPENING_KINDS, trackedBy } from "../../../core/trust/trust.ts";
import type { Ready, ReadyEntry, ReadyWrite } from "../../sql/prepare.ts";
import { storedText } from "../../sql/text.ts";
import { wantVersioned } from "./rights.ts";
import type { BatchView } from "./view.ts";

/**
 * Notes everything that applying a Change usually looks at, so that it is read at once. What is forgotten here is found
 * out while the Change is applied, and costs one more question to the server.
 */
export function wantFor(view: BatchView, ready: Ready): void {
  for (const need of ready.needs) wantNeed(view, need);
  if (!ready.once) wantKnown(view, ready);
  if (ready.proving !== undefined) wantVersioned(view, ready.proving.write);
  for (const write of ready.writes) wantWrite(view, write);
  for (const entry of ready.entries) wantEntry(view, entry);
}

/** Notes what later Changes about the same agents will look at too. */
export function wantAgain(view: BatchView, { needs, entries }: Ready): void {
  for (const need of needs) {
    if (need.is === "quiet") wantAsker(view, storedText(need.agent));
    else if (need.is === "room") wantNeed(view, need);
  }
  for (const entry of entries) wantTrack(view, entry);
}

function wantNeed(view: BatchView, need: Need): void {
  if (need.is === "version") wantRow(view, need.ref.table, need.ref.id);
  else if (need.is === "unique" && need.table === "calls") view.want("callKey", storedText(need.key));
  else if (need.is === "unique") view.want("key", need.table, storedText(need.key));
  else if (need.is === "quiet") wantQuiet(view, storedText(need.agent), storedText(need.digest));
  else if (need.is === "room") for (const counter of need.counters) view.want("counter", storedText(counter));
}

function wantAsker(view: BatchView, agent: string): void {
  view.want("waiting", agent);
  view.want("asker", agent);
}

function wantRow(view: BatchView, table: Table, id: string): void {
  if (table === "calls") view.want("call", storedText(id));
  else view.want("row", table, storedText(id));
  if (table === "executions") view.want("call", storedText(callNamed(id)));
}

function wantQuiet(view: BatchView, agent: string, digest: string): void {
  wantAsker(view, agent);
  if (view.known("asker", agent) !== false) view.want("asked", agent, digest);
}

/** The same as `known` in `apply.ts` looks at. */
function wantKnown(view: BatchView, { id, starts, entries }: Ready): void {
  const call = entries.find(({ about }) => about.call !== undefined)?.about.call;
  if (starts !== undefined) view.want("first", storedText(starts));
  else if (call !== undefined) view.want("byChange", storedText(call), storedText(id));
  else view.want("change", storedText(id));
}

function wantWrite(view: BatchView, write: ReadyWrite): void {
  if (write.do === "put") view.want("row", write.table, storedText(String(write.values[0])));
  else if (write.do === "start" || write.do === "step") wantVersioned(view, write);
  else if (write.do === "lead") view.want("call", storedText(write.call));
  else if (write.do === "add") view.want("counter", storedText(write.counter));
}

/** False, if the entry is not counted. */
function wantTrack(view: BatchView, { kind, about }: ReadyEntry): boolean {
  const of = trackedBy({ kind, subject: about });
  if (of === undefined) return false;
  view.want("track", storedText(of.agent), storedText(of.class), storedText(of.tool));
  return true;
}

const OF_QUESTIONS: ReadonlySet<string> = new Set([...OPENING_KINDS, ...CLOSING_KINDS]);

function wantEntry(view: BatchView, entry: ReadyEntry): void {
  const { kind, about } = entry;
  if (!wantTrack(view, entry) || about.approval === undefined) return;
  const isRefusal = kind === "call.decided" && about.outcome === "denied";
  if (isRefusal || OF_QUESTIONS.has(kind)) view.want("question", storedText(about.approval));
}
