import { type Piece, put, unchanged } from "../../change.ts";
import { type Refused, refused } from "../../codes.ts";
import type { Mint, PersonName } from "../../ids.ts";
import type { Actor } from "../../ledger.ts";
import { say } from "../../messages/message.ts";
import { madeRow } from "../../rows/row-hash.ts";
import type { Versioned } from "../../rows/rows.ts";
import { endMs, type Grant, type GrantCover } from "../../standing/grant.ts";
import type { Json } from "../../values/json.ts";
import { draft } from "../draft.ts";

export type Lasting = { untilMs?: number; usesMax?: number };

export function boundedBy(lasting: Lasting, covers: GrantCover, nowMs: number): Lasting {
  const { usesMax } = lasting;
  const endsMs = endMs({ ...lasting, covers, createdMs: nowMs });
  const untilMs = Number.isFinite(endsMs) ? endsMs : undefined;
  return { ...(untilMs === undefined ? {} : { untilMs }), ...(usesMax === undefined ? {} : { usesMax }) };
}

/** Why these limits are not valid, if they are not. */
export function badBounds({ untilMs, usesMax }: Lasting, nowMs: number): Refused | undefined {
  if (usesMax !== undefined && !(Number.isSafeInteger(usesMax) && usesMax > 0)) {
    return refused(
      "LEEWAY_BAD_INPUT",
      say("refusal.uses_not_positive", { found: usesMax }),
      say("hint.whole_number_above_0"),
    );
  }
  if (untilMs !== undefined && !(Number.isSafeInteger(untilMs) && untilMs > nowMs)) {
    return refused("LEEWAY_BAD_INPUT", say("refusal.grant_ends_before"), say("hint.future_time"));
  }
  return undefined;
}

export function createGrant(grant: Grant, mint: Mint): Piece {
  const actor: Actor = "person" in grant.grantedBy ? `person:${grant.grantedBy.person}` : "leeway";
  const { id, subject, covers, tier, because, fromApproval, untilMs, usesMax } = grant;
  return {
    needs: [unchanged("grants", id, 0)],
    writes: [put("grants", grant), { do: "turn" }],
    entries: [
      draft(mint, {
        kind: "grant.created",
        actor,
        subject: {
          grant: id,
          ...(subject.agent === undefined ? {} : { agent: subject.agent }),
          ...(subject.session === undefined ? {} : { session: subject.session }),
          ...(fromApproval === undefined ? {} : { approval: fromApproval }),
          ...("person" in grant.grantedBy ? { person: grant.grantedBy.person } : {}),
        },
        body: {
          covers: covers as unknown as Json,
          tier,
          because,
          ...(untilMs === undefined ? {} : { untilMs }),
          ...(usesMax === undefined ? {} : { usesMax }),
          ...("callback" in grant.grantedBy ? { callback: grant.grantedBy.callback } : {}),
        },
        rows: [madeRow("grants", grant)],
      }),
    ],
  };
}

/** Revoked or expired: it no longer covers anything. */
export function endGrant(
  held: Versioned<"grants">,
  how: { state: "revoked"; by: PersonName } | { state: "expired" },
  mint: Mint,
  nowMs: number,
): { ok: true; piece: Piece; grant: Grant } | Refused {
  const grant = held.row;
  if (grant.state !== "live") {
    return refused(
      "LEEWAY_ALREADY_RESOLVED",
      say("refusal.closed", { id: grant.id, state: say(`state.${grant.state}`) }),
      say("hint.grant_covers_nothing"),
    );
  }
  const row: Grant =
    how.state === "revoked"
      ? { ...grant, state: "revoked", atMs: nowMs, by: how.by }
      : { ...grant, state: "expired", atMs: nowMs };
  const entry = draft(mint, {
    kind: how.state === "revoked" ? "grant.revoked" : "grant.expired",
    actor: how.state === "revoked" ? `person:${how.by}` : "leeway",
    subject: { grant: grant.id, ...(grant.subject.agent === undefined ? {} : { agent: grant.subject.agent }) },
    rows: [madeRow("grants", row, grant)],
  });
  return {
    ok: true,
    grant: row,
    piece: {
      needs: [unchanged("grants", row.id, held.version)],
      writes: [put("grants", row), { do: "turn" }],
      entries: [entry],
    },
  };
}
