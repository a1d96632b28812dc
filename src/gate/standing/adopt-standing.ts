import { changeOf, type Piece, put, unchanged } from "../../core/change.ts";
import type { Person } from "../../core/people.ts";
import { madeRow } from "../../core/row-hash.ts";
import { draft } from "../../core/steps/draft.ts";
import type { StandingRows } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { keepAdmins } from "../people/admins.ts";
import { sealHash } from "../people/passphrase.ts";
import { verifyLedger } from "../record/ledger.ts";
import { newestKept, sealLedger } from "../record/sealing.ts";
import { markedStore } from "./marked-store.ts";

type Adopting = Pick<Deps, "store" | "seals" | "sealer" | "mint" | "clock" | "workspace">;

/**
 * A database of before carries no mark. It gets one when it is first opened, after its rows were compared with the entries
 * that made them, and never again: a checkpoint that knows the epoch says that it was marked. What is not as the ledger
 * made it stays without, and nothing is decided by it.
 */
export async function adoptStanding(given: Adopting): Promise<void> {
  const { store, seals, workspace } = given;
  if (seals === undefined) return;
  const newest = await newestKept(given);
  if (newest !== undefined && ("code" in newest || newest.end !== undefined)) return;
  const rows = await store.read({ ask: "standing", workspace });
  if (rows === undefined || rows.mark !== null || !(await verifyLedger(given)).ok) return;
  const pieces = [{ needs: [{ is: "epoch" as const, epoch: rows.epoch }] }, ...(await sealedPeople(given, rows))];
  const change = changeOf(given.mint, { workspace, nowMs: given.clock.nowMs() }, [...pieces, TURN]);
  // Another process may have been faster: then it is marked, and this one is stale.
  const committed = await markedStore({ ...given, adopts: rows }).commit(change);
  if (!committed.ok) return;
  await sealLedger(given);
  await keepAdmins({ ...given, seals });
}

const TURN: Piece = { writes: [{ do: "turn" }] };

/** Hashes of passphrases were once kept as they are: they are sealed now, and one that is not sealed is nobody's. */
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
