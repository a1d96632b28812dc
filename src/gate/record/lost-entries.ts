import { changeOf, type Piece, put, unchanged } from "../../core/change.ts";
import type { PersonName, WorkspaceId } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { madeRow } from "../../core/rows/row-hash.ts";
import type { Pause } from "../../core/standing/standing.ts";
import { draft } from "../../core/steps/draft.ts";
import { type Store, StoreUnavailable } from "../../ports.ts";
import type { Deps } from "../deps.ts";

// A database that other machines use too can go back behind what one of them has appended, for example if a standby took over
// that was behind. Whoever appended none of that sees nothing: to them a used permission looks unused, and a revoked grant live.
// So the machine that notices pauses everything in the database, which every process obeys from its next call on.

type Pausing = Pick<Deps, "mint" | "clock"> & { store: Store; machine: string };

/** If other processes change something meanwhile. */
const TRIES = 20;

/**
 * `lastMs`: when this process last appended something. If a person has recovered since, the others go on. `store` must be a new
 * one: the one that noticed refuses everything.
 */
export async function pauseForLost(of: Pausing, workspace: WorkspaceId, lastMs: number): Promise<void> {
  const { store, mint, clock } = of;
  for (let tries = 0; tries < TRIES; tries++) {
    const standing = await store.read({ ask: "standing", workspace });
    if (standing === undefined || standing.pauses.some(isForLost) || (await recoveredMs(of, workspace)) > lastMs)
      return;
    const row = pauseOf(of, workspace);
    const { id, because } = row;
    const entry = draft(mint, {
      kind: "pause.set",
      actor: "leeway",
      subject: {},
      body: { pause: id, because, scope: row.scope },
      rows: [madeRow("pauses", row)],
    });
    const piece = {
      needs: [unchanged("pauses", id, 0), { is: "epoch" as const, epoch: standing.epoch }],
      writes: [put("pauses", row), { do: "turn" as const }],
      entries: [entry],
    };
    const { ok } = await store.commit(changeOf(mint, { workspace, nowMs: clock.nowMs() }, [piece]));
    if (ok) return;
  }
  throw new StoreUnavailable("other processes changed the settings in force all the time");
}

function pauseOf({ mint, clock, machine }: Pausing, workspace: WorkspaceId): Pause {
  const because = say("reason.entries_lost", { machine });
  const id = mint.next("pau");
  return { id, workspace, scope: { of: "everything" }, because, by: "leeway", setMs: clock.nowMs(), state: "set" };
}

/** Whoever recovers has said what happened, so the others go on too. */
export async function liftedForLost(
  { store, mint, workspace }: Deps,
  pauses: readonly Pause[],
  { by, nowMs }: { by: PersonName; nowMs: number },
): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const { id } of pauses.filter(isForLost)) {
    const held = await store.read({ ask: "row", workspace, table: "pauses", id });
    if (held === undefined) continue;
    const row: Pause = { ...held.row, state: "lifted", atMs: nowMs, by };
    const entry = draft(mint, {
      kind: "pause.lifted",
      actor: `person:${by}`,
      subject: { person: by },
      body: { pause: id, scope: row.scope },
      rows: [madeRow("pauses", row, held.row)],
    });
    pieces.push({ needs: [unchanged("pauses", id, held.version)], writes: [put("pauses", row)], entries: [entry] });
  }
  return pieces;
}

function isForLost({ because, by, state }: Pause): boolean {
  return state === "set" && by === "leeway" && typeof because === "object" && because.say === "reason.entries_lost";
}

async function recoveredMs({ store }: Pausing, workspace: WorkspaceId): Promise<number> {
  const where = { kinds: ["ledger.recovered" as const] };
  const [newest] = await store.read({ ask: "entries", workspace, where, limit: 1, order: "newest" });
  return newest?.atMs ?? 0;
}
