import type { Approval } from "../../core/approval.ts";
import type { Execution } from "../../core/execution.ts";
import type { Entry, Link } from "../../core/ledger.ts";
import type { SignIn } from "../../core/people.ts";
import {
  approvalVerdict,
  callVerdict,
  executionVerdict,
  type RowVerdict,
  signInVerdict,
} from "../../core/record/call-rows.ts";
import { displacedRow, missingRow, type RowFault } from "../../core/record/row-fault.ts";
import {
  type Compared,
  compareRows,
  FOLDED_TABLES,
  foldLink,
  type StandingFold,
  startFolding,
} from "../../core/record/standing-fold.ts";
import { rowId } from "../../core/rows/row-hash.ts";
import { factsOf, type Rows, type Table } from "../../core/rows/rows.ts";
import type { EntryFilter, RowFilter } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { foldTrackLink, miscountedTracks, startTracks, type TracksFold } from "./verify-tracks.ts";
import { foldUsesLink, miscountedGrants, startUses, type UsesFold } from "./verify-uses.ts";

// The rows besides the chain. All rows that decisions depend on and all questions are compared. Of executions and sign-ins
// those are compared that can still be used, with the calls of these executions.

const PAGE = 500;
const ROUNDS_MAX = 5;

type Reading = Pick<Deps, "store" | "workspace" | "clock">;

/** What the entries say about rows. */
export type RowsFold = { standing: StandingFold; tracks: TracksFold; uses: UsesFold };

export function startRowsFold(): RowsFold {
  return { standing: startFolding(), tracks: startTracks(), uses: startUses() };
}

export function foldRowsLink({ standing, tracks, uses }: RowsFold, link: Link): void {
  foldLink(standing, link);
  foldTrackLink(tracks, link);
  foldUsesLink(uses, link);
}

/**
 * Compares rows with the entries that made them. `fold` contains the entries up to `index`. Other processes write
 * meanwhile, so a difference is checked again after the new entries are added; only what remains is an error.
 */
export async function verifyRows(deps: Reading, fold: RowsFold, index: number): Promise<Compared> {
  let folded = index;
  let compared: Compared | undefined;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    folded = await foldBeyond(deps, fold, folded);
    const now = await compareAll(deps, fold);
    const before = compared?.faults;
    compared = { ...now, faults: before === undefined ? now.faults : now.faults.filter((one) => isAmong(one, before)) };
    const head = await deps.store.read({ ask: "head", workspace: deps.workspace });
    if (compared.faults.length === 0 || head.index === folded) break;
  }
  if (compared === undefined) throw new Error("the rows were never compared (this is a bug)");
  return compared;
}

function isAmong(fault: RowFault, faults: readonly RowFault[]): boolean {
  return faults.some(({ table, id }) => table === fault.table && id === fault.id);
}

async function foldBeyond({ store, workspace }: Reading, fold: RowsFold, index: number): Promise<number> {
  for (let afterIndex = index; ; ) {
    const links = await store.read({ ask: "links", workspace, afterIndex, limit: PAGE });
    for (const link of links) foldRowsLink(fold, link);
    afterIndex += links.length;
    if (links.length < PAGE) return afterIndex;
  }
}

const PLACED = [...FOLDED_TABLES, "approvals", "executions", "signins", "buckets"] as const;
const DISPLACED_MAX = 100;

async function compareAll(deps: Reading, { standing, tracks, uses }: RowsFold): Promise<Compared> {
  const displaced = await displacedRows(deps);
  // A row in the wrong place may be unreadable, so nothing else is checked before this is repaired.
  if (displaced.length > 0) return { faults: displaced, compared: 0, unproved: 0 };
  const rows: Partial<Record<(typeof FOLDED_TABLES)[number], Rows[Table][]>> = {};
  for (const table of FOLDED_TABLES) {
    const all: Rows[Table][] = [];
    for await (const { row } of rowsOf(deps, table, {})) all.push(row);
    rows[table] = all;
  }
  const tally = tallyOf(compareRows(standing, rows as Parameters<typeof compareRows>[1]));
  for await (const { row } of rowsOf(deps, "approvals", {})) await compareApproval(deps, row, tally.count);
  for (const state of USABLE) {
    for await (const { row } of rowsOf(deps, "executions", { state })) await compareExecution(deps, row, tally.count);
  }
  for await (const { row } of rowsOf(deps, "signins", { state: "live" })) {
    if (row.untilMs > deps.clock.nowMs()) tally.count(signInVerdict(row, await entriesOfSignIn(deps, row)));
  }
  tally.faults.push(...(await missingApprovals(deps, standing)), ...(await miscountedTracks(deps, tracks)));
  tally.faults.push(...(await miscountedGrants(deps, uses)));
  return tally.sum();
}

/**
 * States in which an execution can still run, if it is not found through its approval. An execution that is stored with its
 * call cannot be made usable again.
 */
const USABLE = ["ready", "unknown"] as const;

async function displacedRows({ store, workspace }: Reading): Promise<RowFault[]> {
  const faults: RowFault[] = [];
  for (const table of PLACED) {
    const ids = await store.read({ ask: "displaced", workspace, table, limit: DISPLACED_MAX });
    for (const id of ids) faults.push(displacedRow(table, id));
  }
  return faults;
}

async function compareApproval(deps: Reading, row: Approval, count: Count): Promise<void> {
  const entries = await entriesOfCall(deps, row.call);
  count(approvalVerdict(row, entries));
  if (row.state === "pending") await compareCall(deps, row.call, entries, count);
  if (row.state !== "approved") return;
  const { store, workspace } = deps;
  const held = await store.read({ ask: "row", workspace, table: "executions", id: row.executionId });
  const made = entries.find(({ kind, subject }) => kind === "approval.approved" && subject.approval === row.id);
  count(
    held === undefined
      ? { is: "wrong", fault: missingRow("executions", row.executionId, made?.index ?? 0) }
      : executionVerdict(held.row, entries),
  );
}

async function compareExecution(deps: Reading, row: Execution, count: Count): Promise<void> {
  const entries = await entriesOfCall(deps, row.call);
  // It was compared together with its approval.
  if (row.approval === undefined || !namesExecution(entries, row)) count(executionVerdict(row, entries));
  await compareCall(deps, row.call, entries, count);
}

function namesExecution(entries: readonly Entry[], { id, approval }: Execution): boolean {
  return entries.some(({ subject, body }) => subject.approval === approval && body?.json["execution"] === id);
}

async function compareCall(deps: Reading, id: string, entries: readonly Entry[], count: Count): Promise<void> {
  const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id });
  count(
    held === undefined
      ? { is: "wrong", fault: missingRow("calls", id, entries[0]?.index ?? 0) }
      : callVerdict(held.row, entries),
  );
}

/** Every opened question must have a row. If one is missing, a denial could be lost. */
async function missingApprovals(deps: Reading, fold: StandingFold): Promise<RowFault[]> {
  const { store, workspace } = deps;
  const kept = await store.read({ ask: "count", workspace, table: "approvals", where: {} });
  const faults: RowFault[] = [];
  if (kept >= fold.opened) return faults;
  for (let afterIndex = 0; ; ) {
    const where = { kinds: ["approval.opened"] as const, afterIndex };
    const opened = await store.read({ ask: "entries", workspace, where, limit: PAGE, order: "oldest" });
    for (const { subject, index } of opened) {
      const id = subject.approval ?? "";
      const held = await store.read({ ask: "row", workspace, table: "approvals", id });
      if (held === undefined) faults.push(missingRow("approvals", id, index));
    }
    const last = opened.at(-1);
    if (last === undefined || opened.length < PAGE) return faults;
    afterIndex = last.index;
  }
}

type Looking = Pick<Deps, "store" | "workspace">;

export function entriesOfCall(deps: Looking, call: string): Promise<readonly Entry[]> {
  return entriesWhere(deps, { subject: { call } });
}

const SIGN_IN_KINDS = ["signin.started", "signin.proved", "signin.ended"] as const;

/** Includes the entries of other sign-ins of the person since then. */
export function entriesOfSignIn(deps: Looking, { person, startedMs }: SignIn): Promise<readonly Entry[]> {
  return entriesWhere(deps, { subject: { person }, kinds: SIGN_IN_KINDS, fromMs: startedMs });
}

async function entriesWhere({ store, workspace }: Looking, where: EntryFilter): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  for (let afterIndex = 0; ; ) {
    const page = await store.read({
      ask: "entries",
      workspace,
      where: { ...where, afterIndex },
      limit: PAGE,
      order: "oldest",
    });
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    afterIndex = last.index;
  }
}

/** Page by page; other work gets a turn between two pages. */
async function* rowsOf<T extends Table>(
  { store, workspace, clock }: Reading,
  table: T,
  where: RowFilter,
): AsyncGenerator<{ row: Rows[T] }> {
  let after: { sortMs: number; id: string } | undefined;
  for (;;) {
    const page = (await store.read({
      ask: "rows",
      workspace,
      table,
      where,
      limit: PAGE,
      order: "oldest",
      ...(after === undefined ? {} : { after }),
    })) as readonly { row: Rows[T] }[];
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { sortMs: factsOf(table, last.row).sortMs, id: rowId(last.row) };
    await clock.sleep(0);
  }
}

type Count = (verdict: RowVerdict) => void;

function tallyOf(start: Compared): { faults: RowFault[]; count: Count; sum(): Compared } {
  const faults = [...start.faults];
  let { compared, unproved } = start;
  return {
    faults,
    count: (verdict) => {
      compared += 1;
      if (verdict.is === "unproved") unproved += 1;
      if (verdict.is === "wrong" && !isAmong(verdict.fault, faults)) faults.push(verdict.fault);
    },
    sum: () => ({ faults, compared, unproved }),
  };
}
