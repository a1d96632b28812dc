import { type Piece, put, unchanged } from "../change.ts";
import type { Mint } from "../ids.ts";
import { say } from "../messages/message.ts";
import { madeRow } from "../rows/row-hash.ts";
import type { Versioned } from "../rows/rows.ts";
import type { Pause } from "../standing/standing.ts";
import { draft } from "./draft.ts";
import { tell } from "./notices.ts";
import type { Submission } from "./submission-input.ts";

/** A model that sends a denied call this often ignores the denial. */
const INSISTED_MAX = 3;

/**
 * Counts a denied call that is sent again; every third time the tool is paused for its session, or else for its
 * agent.
 */
export function insistPiece(denied: Versioned<"approvals">, s: Submission, mint: Mint, nowMs: number): Piece {
  const row = { ...denied.row, insisted: denied.row.insisted + 1 };
  const counted: Piece = {
    needs: [unchanged("approvals", row.id, denied.version)],
    writes: [put("approvals", row)],
  };
  const { session, tool, agent, workspace } = s.call;
  if (row.insisted % INSISTED_MAX !== 0) return counted;
  const because = say("reason.insisted", { agent, count: row.insisted });
  const pause: Pause = {
    id: mint.next("pau"),
    workspace,
    scope: { of: "tool", name: tool, ...(session === undefined ? { agent } : { session }) },
    because,
    by: "leeway",
    setMs: nowMs,
    state: "set",
  };
  const to = [s.circle.owner ?? "admins"];
  return {
    needs: counted.needs ?? [],
    writes: [
      ...(counted.writes ?? []),
      put("pauses", pause),
      { do: "turn" },
      ...tell(mint, s.circle, { kind: "paused", to, ref: pause.id, workspace, nowMs, about: row, text: because }),
    ],
    entries: [
      draft(mint, {
        kind: "pause.set",
        actor: "leeway",
        subject: { agent, tool, ...(session === undefined ? {} : { session }), approval: row.id },
        body: { pause: pause.id, because },
        rows: [madeRow("pauses", pause)],
      }),
    ],
  };
}
