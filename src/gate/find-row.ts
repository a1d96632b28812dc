import { type Refused, refused } from "../core/codes.ts";
import { say } from "../core/messages/message.ts";
import type { Rows } from "../core/rows/rows.ts";
import type { Deps } from "./deps.ts";

const TABLES = {
  apr: "approvals",
  call: "calls",
  exe: "executions",
  grt: "grants",
  ntc: "notices",
  pau: "pauses",
  pro: "promotions",
  dec: "declarations",
} as const;
type Findable = (typeof TABLES)[keyof typeof TABLES];

/** A row, and the table that it is in. */
export type FoundRow = { [T in Findable]: { table: T; row: Rows[T] } }[Findable];

/** Finds a row by its id, or by the start of its id if only one row matches. */
export async function find(deps: Deps, idOrPrefix: string): Promise<{ ok: true; value: FoundRow } | Refused> {
  const kind = idOrPrefix.split("_")[0] ?? "";
  const table = Object.hasOwn(TABLES, kind) ? TABLES[kind as keyof typeof TABLES] : undefined;
  if (table === undefined) {
    const kinds = Object.keys(TABLES).map((name) => `${name}_…`);
    return refused(
      "LEEWAY_NOT_FOUND",
      say("refusal.not_an_id", { text: idOrPrefix }),
      say("hint.ids_begin", { kinds: kinds.join(", ") }),
    );
  }
  const exact = await deps.store.read({ ask: "row", workspace: deps.workspace, table, id: idOrPrefix });
  if (exact !== undefined) return { ok: true, value: { table, row: exact.row } as FoundRow };
  const fits = await deps.store.read({
    ask: "rows",
    workspace: deps.workspace,
    table,
    where: { idPrefix: idOrPrefix },
    limit: 2,
    order: "newest",
  });
  const [only, second] = fits;
  if (only === undefined)
    return refused("LEEWAY_NOT_FOUND", say("refusal.nothing_called", { id: idOrPrefix }), say("hint.check_id"));
  if (second !== undefined) {
    return refused("LEEWAY_AMBIGUOUS", say("refusal.ambiguous", { id: idOrPrefix }), say("hint.more_of_id"));
  }
  return { ok: true, value: { table, row: only.row } as FoundRow };
}
