import { changeOf, type Piece, put, unchanged } from "../../core/change.ts";
import type { Person } from "../../core/people.ts";
import { madeRow, rowHashOf, rowId } from "../../core/rows/row-hash.ts";
import type { Table } from "../../core/rows/rows.ts";
import { draft } from "../../core/steps/draft.ts";
import type { Hash } from "../../core/values/hash.ts";
import type { StandingRows } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { keepAdmins } from "../people/admins.ts";
import { sealHash } from "../people/passphrase.ts";
import { markedStore } from "../record/guarded-store.ts";
import { verifyLedger } from "../record/ledger.ts";
import { ledgerId, newestKept, sealLedger } from "../record/sealing.ts";
import { isMarkedAsBefore, keyOf, MARKED_BEFORE } from "./mark.ts";

type Adopting = Pick<Deps, "store" | "seals" | "sealer" | "mint" | "clock" | "workspace">;

/**
 * A database of an earlier version has no mark, or a mark over all rows. When it is first opened, it gets the current mark in
 * one Change. Rows without a mark are compared with the entries that made them. This is done only once: a checkpoint with an
 * epoch shows that the database was marked. If the rows do not match the ledger, they get no mark, and nothing is decided.
 */
export async function adoptStanding(given: Adopting): Promise<void> {
  const { store, workspace } = given;
  const rows = await store.read({ ask: "standing", workspace });
  if (rows === undefined) return;
  if (rows.mark === null) return adoptUnmarked(given, rows);
  if (await isOfBefore(given, rows, rows.mark)) await markNow(given, rows, []);
}

async function adoptUnmarked(given: Adopting, rows: StandingRows): Promise<void> {
  const { seals } = given;
  if (seals === undefined) return;
  const newest = await newestKept(given);
  if (newest !== undefined && ("code" in newest || newest.end !== undefined)) return;
  if (!(await verifyLedger(given)).ok) return;
  if (!(await markNow(given, rows, await sealedPeople(given, rows)))) return;
  await sealLedger(given);
  await keepAdmins({ ...given, seals });
}

/** False if another process was faster: then the database is marked, and this Change is stale. */
async function markNow(given: Adopting, rows: StandingRows, also: readonly Piece[]): Promise<boolean> {
  const pieces = [{ needs: [{ is: "epoch" as const, epoch: rows.epoch }] }, ...also, TURN];
  const change = changeOf(given.mint, { workspace: given.workspace, nowMs: given.clock.nowMs() }, pieces);
  return (await markedStore({ ...given, adopts: rows }).commit(change)).ok;
}

/** The mark of earlier versions also covered ended rows, of which there may be many. They are read once. */
async function isOfBefore(given: Adopting, { epoch }: StandingRows, mark: string): Promise<boolean> {
  const { sealer, workspace } = given;
  const hashes: [key: string, hash: Hash][] = [];
  for (const table of MARKED_BEFORE) {
    for (const { row } of await allRows(given, table)) hashes.push([keyOf(table, rowId(row)), rowHashOf(table, row)]);
  }
  return isMarkedAsBefore(sealer, { workspace, ledger: await ledgerId(given), epoch, mark }, hashes);
}

function allRows<T extends Table>({ store, workspace }: Adopting, table: T) {
  const limit = Number.MAX_SAFE_INTEGER;
  return store.read({ ask: "rows", workspace, table, where: {}, limit, order: "oldest" });
}

const TURN: Piece = { writes: [{ do: "turn" }] };

/** Earlier versions stored hashes of passphrases unencrypted. They are encrypted now; an unencrypted one does not count. */
async function sealedPeople(given: Adopting, { people }: StandingRows): Promise<readonly Piece[]> {
  const { store, workspace, mint } = given;
  const pieces: Piece[] = [];
  for (const { name, passphrase } of people) {
    if (passphrase === undefined || passphrase.startsWith("sealed:")) continue;
    const held = await store.read({ ask: "row", workspace, table: "people", id: name });
    if (held === undefined) continue;
    const row: Person = { ...held.row, passphrase: sealHash(given, name, passphrase) };
    const entry = draft(mint, {
      kind: "person.changed",
      actor: "leeway",
      subject: { person: name },
      body: { admin: row.admin, auditor: row.auditor, groups: [...row.groups], sealed: true },
      rows: [madeRow("people", row, held.row)],
    });
    const needs = [unchanged("people", name, held.version)];
    pieces.push({ needs, writes: [put("people", row)], entries: [entry] });
  }
  return pieces;
}
