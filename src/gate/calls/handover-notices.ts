import type { Write } from "../../core/change.ts";
import type { AgentName, PersonName } from "../../core/ids.ts";
import { tell } from "../../core/steps/notices.ts";
import type { Deps } from "../deps.ts";
import { circleFor } from "../standing/owner.ts";

const OPEN_MAX = 500;

/** When an agent gets a new owner, the new owner is told about its open questions. */
export async function handoverNotices(
  deps: Deps,
  agent: AgentName,
  owner: PersonName,
  nowMs: number,
): Promise<Write[]> {
  const { workspace } = deps;
  const circle = await circleFor(deps, await deps.standing.current(), { agent });
  const open = await deps.store.read({
    ask: "rows",
    workspace,
    table: "approvals",
    where: { agent, state: "pending" },
    limit: OPEN_MAX,
    order: "oldest",
  });
  return open.flatMap(({ row }) =>
    tell(deps.mint, circle, {
      kind: "pending",
      to: [owner],
      ref: row.id,
      workspace,
      nowMs,
      about: row,
      isPersonal: true,
    }),
  );
}
