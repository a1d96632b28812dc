import type { Piece, Write } from "../change.ts";
import { bare, type Execution, type ExecutionIn, isLapsed, isUnattended } from "../execution.ts";
import type { Mint } from "../ids.ts";
import type { EntryDraft } from "../ledger.ts";
import type { Versioned } from "../rows/rows.ts";
import { draft } from "./draft.ts";

type Held = Versioned<"executions">;

/** Whether the lease of a call has ended and no person has to check the call. */
export function isLeftAlone({ row }: Held, nowMs: number): boolean {
  return isLapsed(row, nowMs) && isUnattended(row);
}

/**
 * Calls whose callers never reported a result, if the policy alone allowed them. Each call then counts as handed
 * over, and its caller may still report the result. The ledger gets one entry for each agent, tool and class, with
 * the number of calls; they are the calls without a later entry.
 */
export function lapseTogether(held: readonly Held[], mint: Mint): Piece {
  const writes: Write[] = [];
  const groups = new Map<string, ExecutionIn<"claimed">[]>();
  for (const { row, version } of held) {
    if (row.state !== "claimed") throw new Error(`a ${row.state} execution cannot lapse (this is a bug)`);
    writes.push({ do: "step", right: handedOver(row), from: version });
    const name = JSON.stringify([row.agent, row.tool, row.class]);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return { writes, entries: [...groups.values()].map((rows) => lapsedEntry(rows, mint)) };
}

function handedOver(row: ExecutionIn<"claimed">): Execution {
  return { ...bare(row), state: "handed", attempt: row.attempt, handedMs: row.claimedMs };
}

function lapsedEntry(rows: readonly ExecutionIn<"claimed">[], mint: Mint): EntryDraft {
  const [{ agent, tool, class: effectClass }] = rows as [ExecutionIn<"claimed">];
  const times = rows.map(({ claimedMs }) => claimedMs);
  return draft(mint, {
    kind: "execution.lapsed",
    actor: "leeway",
    subject: { agent, class: effectClass, tool },
    body: { calls: rows.length, fromMs: Math.min(...times), toMs: Math.max(...times) },
  });
}
