import { type Piece, put, unchanged } from "../../change.ts";
import { type Refused, refused } from "../../codes.ts";
import type { Mint, PersonName } from "../../ids.ts";
import type { Subject } from "../../ledger.ts";
import { say } from "../../messages/message.ts";
import { madeRow } from "../../rows/row-hash.ts";
import type { Versioned } from "../../rows/rows.ts";
import { type Declaration, declarationKey } from "../../standing/declaration.ts";
import { draft } from "../draft.ts";

/** A new declaration; an earlier one about the same tool for the same agents is removed in the same step. */
export function declareTool(
  declaration: Declaration,
  before: readonly Versioned<"declarations">[],
  mint: Mint,
  nowMs: number,
): readonly Piece[] {
  const key = declarationKey(declaration);
  const replaced = before.filter(({ row }) => row.state === "live" && declarationKey(row) === key);
  const { class: cls, because } = declaration;
  const made: Piece = {
    needs: [unchanged("declarations", declaration.id, 0)],
    writes: [put("declarations", declaration), { do: "turn" }],
    entries: [
      draft(mint, {
        kind: "tool.declared",
        actor: `person:${declaration.declaredBy}`,
        subject: { ...subjectOf(declaration), class: cls },
        body: { because },
        rows: [madeRow("declarations", declaration)],
      }),
    ],
  };
  return [...replaced.map((held) => forgotten(held, declaration.declaredBy, mint, nowMs)), made];
}

/** Removed: from the next call the tool is unknown again. */
export function forgetTool(
  held: Versioned<"declarations">,
  by: PersonName,
  mint: Mint,
  nowMs: number,
): { ok: true; piece: Piece; declaration: Declaration } | Refused {
  const { row } = held;
  if (row.state !== "live") {
    return refused(
      "LEEWAY_ALREADY_RESOLVED",
      say("refusal.declaration_forgotten", { id: row.id }),
      say("hint.declaration_gone"),
    );
  }
  return {
    ok: true,
    piece: forgotten(held, by, mint, nowMs),
    declaration: { ...row, state: "forgotten", atMs: nowMs, by },
  };
}

function forgotten({ row: before, version }: Versioned<"declarations">, by: PersonName, mint: Mint, nowMs: number) {
  const row: Declaration = { ...before, state: "forgotten", atMs: nowMs, by };
  return {
    needs: [unchanged("declarations", row.id, version)],
    writes: [put("declarations", row), { do: "turn" }],
    entries: [
      draft(mint, {
        kind: "tool.forgotten",
        actor: `person:${by}`,
        subject: { ...subjectOf(row), class: row.class },
        rows: [madeRow("declarations", row, before)],
      }),
    ],
  } satisfies Piece;
}

function subjectOf({ about, agent, fromApproval, declaredBy }: Declaration): Subject {
  return {
    tool: about.of === "tool" ? about.tool : `${about.server}/*`,
    ...(agent === undefined ? {} : { agent }),
    ...(fromApproval === undefined ? {} : { approval: fromApproval }),
    person: declaredBy,
  };
}
