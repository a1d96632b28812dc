import type { Committed, Need } from "../../../core/change.ts";
import { type EntryKind, headAfter, linkHashOf } from "../../../core/ledger.ts";
import { emptyRecord, foldTrust, type TrustRecord, trackedBy, trustKey } from "../../../core/trust/trust.ts";
import { Unfit } from "../../grouping.ts";
import { agentColumn } from "../../sql/columns.ts";
import { indexAt, placeOf } from "../../sql/places.ts";
import type { Ready, ReadyEntry, ReadyStart, ReadyStep, ReadyWrite } from "../../sql/prepare.ts";
import { storedText } from "../../sql/text.ts";
import { bookOver, countedEntry } from "../../sql/tracks.ts";
import { eraseEntry } from "./erasing.ts";
import { columnsOf } from "./prepare.ts";
import { applyStart, applyStep, setCall, versionOf, type Writing } from "./rights.ts";
import { putRow } from "./rows.ts";
import { type BatchView, Missing } from "./view.ts";

/**
 * Applies Changes to the view, one after the other. A Change whose need fails is stale and leaves no trace; one whose
 * id is known returns its earlier answer. Returns nothing if something has to be read first; then the view is as before.
 */
export function applyTo(of: Writing, batch: readonly Ready[]): readonly Committed[] | undefined {
  const { view } = of;
  const start = view.mark();
  let isMissing = false;
  const answers = batch.map((ready, place): Committed | undefined => {
    const before = view.mark();
    try {
      return applyOne(of, ready);
    } catch (error) {
      view.rewind(before);
      if (!(error instanceof Missing)) throw new Unfit(place, error);
      isMissing = true;
      return undefined;
    }
  });
  if (!isMissing) return answers as readonly Committed[];
  view.rewind(start);
  return undefined;
}

function applyOne(of: Writing, ready: Ready): Committed {
  const { view } = of;
  for (const need of ready.needs) {
    // A Change that was applied before usually fails its own needs; it returns its earlier answer.
    if (!holds(view, need, ready.atMs)) return known(view, ready) ?? { ok: false, stale: need };
  }
  const before = ready.once ? undefined : known(view, ready);
  if (before !== undefined) return before;
  const firstIndex = view.state().head.index + 1;
  const { proving } = ready;
  if (proving !== undefined && !applyVersioned(of, proving.write)) {
    return known(view, ready) ?? { ok: false, stale: proving.need };
  }
  // Even a Change without writes moves the workspace: its id is remembered.
  view.setState({});
  remember(view, ready);
  for (const write of ready.writes) applyWrite(of, write, ready.atMs);
  for (const entry of ready.entries) append(view, entry, ready);
  return { ok: true, firstIndex };
}

function holds(view: BatchView, need: Need, nowMs: number): boolean {
  switch (need.is) {
    case "version":
      return versionOf(view, need.ref) === need.version;
    case "unique":
      if (need.table === "calls") return !view.get("callKey", storedText(need.key));
      return view.get("key", need.table, storedText(need.key)).size === 0;
    case "epoch":
      return view.state().epoch === need.epoch;
    case "empty":
      return view.state().head.index === 0;
    case "quiet":
      return isQuiet(view, storedText(need.agent), storedText(need.digest));
    case "room":
      return need.counters.reduce((sum, id) => sum + sumOf(view, id, nowMs), 0) + need.add <= need.max;
  }
}

function isQuiet(view: BatchView, agent: string, digest: string): boolean {
  if (view.get("waiting", agent) > 0) return false;
  return !view.get("asker", agent) || view.get("asked", agent, digest) === 0;
}

/** The current value of a counter; an expired one is zero. */
function sumOf(view: BatchView, counter: string, nowMs: number): number {
  const found = view.get("counter", storedText(counter));
  return found === null || found.untilMs <= nowMs ? 0 : found.sum;
}

function applyWrite(of: Writing, write: ReadyWrite, nowMs: number): void {
  const { view } = of;
  switch (write.do) {
    case "put": {
      const columns = columnsOf(write.values, write.dueMs);
      const version = view.get("row", write.table, columns.id)?.version ?? 0;
      putRow(view, write.table, columns, version + 1);
      break;
    }
    case "start":
    case "step":
      // Its version was checked by the needs, so this can fail only because of a bug.
      if (!applyVersioned(of, write)) throw new Error("a right or a call is not as it was needed (this is a bug)");
      break;
    case "lead":
      lead(view, storedText(write.call), write.to);
      break;
    case "turn":
      view.setState({ epoch: view.state().epoch + 1 });
      break;
    case "mark":
      view.setState({ mark: write.mark });
      break;
    case "add": {
      // A returned reservation of a counter that was reset meanwhile must not make it negative.
      const sum = Math.max(sumOf(view, write.counter, nowMs) + write.by, 0);
      view.set("counter", [storedText(write.counter)], { sum, untilMs: write.untilMs });
      break;
    }
    case "erase":
      eraseEntry(of, placeOf(view.state().space, write.index));
      break;
  }
}

function lead(view: BatchView, id: string, approvalId: string): void {
  const call = view.get("call", id);
  if (call === null) return;
  const row = JSON.stringify({ ...JSON.parse(call.row), approvalId });
  setCall(view, id, { ...call, version: call.version + 1, row, write: call.write ?? "content" });
}

function applyVersioned(of: Writing, write: ReadyStart | ReadyStep): boolean {
  // Entries are appended after the writes of their Change, but their index is already known.
  const { head } = of.view.state();
  return write.do === "start" ? applyStart(of, write, head.index + 1 + write.entry) : applyStep(of, write);
}

// Which Changes were applied. A Change about a call is recognised by its entry, through an index that exists anyway;
// nearly all Changes are of this kind, so this costs no extra row. Only the others have a table.

/** The earlier answer, if this Change was applied before. */
function known(view: BatchView, { id, starts, entries }: Ready): Committed | undefined {
  if (starts !== undefined) {
    // A call is created once, and no two bodies have the same hash.
    const at = entries.findIndex(({ kind, about }) => kind === "call.decided" && about.call === starts);
    const first = view.get("first", storedText(starts));
    return first !== null && first.bodyHash === entries[at]?.bodyHash ? answered(first.place, at) : undefined;
  }
  const at = entries.findIndex(({ about }) => about.call !== undefined);
  const call = entries[at]?.about.call;
  if (call !== undefined) return answered(view.get("byChange", storedText(call), storedText(id)), at);
  const firstIndex = view.get("change", storedText(id));
  return firstIndex === null ? undefined : { ok: true, firstIndex };
}

/** `at`: which of its entries is at this place. */
function answered(place: number | null, at: number): Committed | undefined {
  return place === null ? undefined : { ok: true, firstIndex: indexAt(place) - at };
}

function remember(view: BatchView, { id, entries }: Ready): void {
  if (entries.some(({ about }) => about.call !== undefined)) return;
  view.set("change", [storedText(id)], view.state().head.index + 1);
}

/** Appends the entry. The stamp of the workspace also protects the head, so two entries never have the same parent. */
function append(view: BatchView, entry: ReadyEntry, change: Ready): void {
  const { space, head } = view.state();
  const index = head.index + 1;
  // If the clock was set back, the entries must still be in order of time.
  const atMs = Math.max(change.atMs, head.atMs);
  const { kind, actor, subject, bodyHash, about } = entry;
  const previous = head.hash;
  const place = placeOf(space, index);
  const hash = linkHashOf({ workspace: change.workspace, index, atMs, kind, actor, subject, bodyHash, previous });
  const call = stored(about.call);
  const by = call !== null && about.call !== change.starts ? storedText(change.id) : null;
  // Written out: this is done for every entry.
  view.append({
    place,
    atMs,
    kind,
    actor: storedText(actor),
    subject: storedText(subject),
    call,
    change: by,
    approval: stored(about.approval),
    grant: stored(about.grant),
    person: stored(about.person),
    agent: stored(agentColumn(about.agent)),
    bodyHash,
    previous,
    hash,
    salt: entry.salt,
    body: storedText(entry.text),
  });
  if (call !== null) tellCall(view, call, { kind, place, bodyHash, change: by });
  view.setState({ head: headAfter({ index, atMs, hash }) });
  count(view, { place, atMs, kind, actor, subject: about, text: entry.text });
  if (about.approval !== undefined) tellQuestion(view, storedText(about.approval), { kind, atMs, subject });
}

function stored(text: string | null | undefined): string | null {
  return text === undefined || text === null ? null : storedText(text);
}

/** The same Change may be in the batch twice. */
function tellCall(
  view: BatchView,
  call: string,
  { kind, place, bodyHash, change }: { kind: EntryKind; place: number; bodyHash: string; change: string | null },
): void {
  if (kind === "call.decided" && view.known("first", call) === null) view.set("first", [call], { place, bodyHash });
  if (change !== null && view.known("byChange", call, change) === null) view.set("byChange", [call, change], place);
}

function tellQuestion(
  view: BatchView,
  approval: string,
  entry: { kind: EntryKind; atMs: number; subject: string },
): void {
  const before = view.known("question", approval);
  if (before !== undefined) view.set("question", [approval], [entry, ...before]);
}

function count(view: BatchView, entry: Parameters<typeof countedEntry>[0]): void {
  if (trackedBy(entry) === undefined) return;
  const copies = new Map<string, TrustRecord>();
  const record = (of: Pick<TrustRecord, "agent" | "class" | "tool">) => {
    const known = copies.get(trustKey(of));
    if (known !== undefined) return known;
    const parts = [storedText(of.agent), storedText(of.class), storedText(of.tool)];
    const { outcomes, answered: times, ...rest } = view.get("track", ...parts) ?? emptyRecord(of);
    // A copy, because counting changes it, and the Change may turn out to be stale.
    const own = { ...rest, outcomes: { ...outcomes }, answered: { ...times } };
    copies.set(trustKey(of), own);
    view.set("track", parts, own);
    return own;
  };
  foldTrust(
    bookOver((approval) => view.get("question", storedText(approval)), record),
    countedEntry(entry),
  );
}
