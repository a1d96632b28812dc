import type { Table } from "../../../core/rows/rows.ts";
import type { RowColumns } from "./prepare.ts";
import type { BatchView, RowItem } from "./view.ts";

/** Tables whose rows are counted by state, so that a full inbox costs no more than an empty one. */
export const TALLIED: ReadonlySet<Table> = new Set(["approvals", "notices"]);

/** Above this number nobody counts: it stays above it, which is the careful answer. */
export const COUNTED_MAX = 100;

/** Writes a row into the view, with everything that is known about rows of its kind. */
export function putRow(view: BatchView, table: Exclude<Table, "calls">, columns: RowColumns, version: number): void {
  const old = view.get("row", table, columns.id);
  const { key, state, agent, digest, collect } = columns;
  const item: RowItem = { version, key, state, agent, digest, collect, write: { columns } };
  view.set("row", [table, columns.id], item);
  if (old?.key !== key) moveKey(view, table, columns.id, old?.key ?? null, key);
  if (TALLIED.has(table) && old?.state !== state) {
    if (old !== null && old.state !== null) tally(view, table, old.state, -1);
    if (state !== null) tally(view, table, state, 1);
  }
  if (table === "approvals") countQuestion(view, old, item);
  if (table === "executions") countWaiting(view, old, item);
}

/** The content of a row without its columns. */
export function patchRow(view: BatchView, table: "executions", id: string, text: string): void {
  const old = view.get("row", table, id);
  if (old === null) return;
  const write =
    old.write !== undefined && "columns" in old.write ? { columns: { ...old.write.columns, row: text } } : { text };
  view.set("row", [table, id], { ...old, version: old.version + 1, write });
}

/** The content of a row, as the batch has left it. */
export function contentOf(view: BatchView, table: Exclude<Table, "calls">, id: string) {
  const item = view.get("row", table, id);
  if (item === null) return null;
  if (item.write !== undefined && "columns" in item.write) {
    return { row: item.write.columns.row, call: item.write.columns.call };
  }
  const read = view.get("text", table, id);
  return read === null || item.write === undefined ? read : { ...read, row: item.write.text };
}

function moveKey(view: BatchView, table: string, id: string, from: string | null, to: string | null): void {
  const left = from === null ? undefined : view.known("key", table, from);
  if (from !== null && left !== undefined)
    view.set("key", [table, from], new Set([...left].filter((one) => one !== id)));
  const joined = to === null ? undefined : view.known("key", table, to);
  if (to !== null && joined !== undefined) view.set("key", [table, to], new Set([...joined, id]));
}

function tally(view: BatchView, table: string, state: string, by: number): void {
  view.set("tally", [table, state], (view.known("tally", table, state) ?? 0) + by);
}

function countQuestion(view: BatchView, old: RowItem | null, item: RowItem): void {
  if (old?.agent === item.agent && old?.digest === item.digest) return;
  if (old !== null && old.agent !== null) countIn(view, "asked", [old.agent, old.digest ?? ""], -1);
  if (item.agent === null) return;
  countIn(view, "asked", [item.agent, item.digest ?? ""], 1);
  if (view.known("asker", item.agent) === false) view.set("asker", [item.agent], true);
}

function countWaiting(view: BatchView, old: RowItem | null, item: RowItem): void {
  if (old !== null && old.collect !== null && old.agent !== null) countIn(view, "waiting", [old.agent], -1);
  if (item.collect !== null && item.agent !== null) countIn(view, "waiting", [item.agent], 1);
}

/** What was not read needs no counting: it is read after the batch was written. */
function countIn(view: BatchView, kind: "asked" | "waiting", parts: readonly string[], by: number): void {
  const count = view.known(kind, ...parts);
  if (count !== undefined && count < COUNTED_MAX) view.set(kind, parts, count + by);
}
