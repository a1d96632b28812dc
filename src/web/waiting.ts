import type { Approval } from "../core/approval.ts";
import type { Deps } from "../gate/deps.ts";
import { cursorOf, cursorText } from "../http/paging.ts";
import { listApprovals } from "../library/approvals.ts";
import { headlineOf } from "../library/cards.ts";

/** What the list is narrowed to; nothing is everything that waits. */
export type Narrowed = { agent: string; class: string; q: string; after: string };

export function narrowedOf(query: Readonly<Record<string, string>>): Narrowed {
  const { agent = "", class: effectClass = "", q = "", after = "" } = query;
  return { agent, class: effectClass, q, after };
}

export function isNarrowed({ agent, class: effectClass, q }: Narrowed): boolean {
  return [agent, effectClass, q].some((one) => one !== "");
}

/** One line of the list. */
export type Line = { approval: Approval; headline: string };
export type Waiting = { lines: readonly Line[]; next?: string };

const LISTED = 50;
const PAGE = 200;
/** Looking further for one word would hold everybody else up; the list then goes on from there. */
const LOOKED_AT_MAX = 1_000;

/** The newest that fit, and where the list goes on. The one whose time is over first stands on top: somebody waits for it. */
export async function waitingOf(deps: Deps, narrowed: Narrowed): Promise<Waiting> {
  const lines: Line[] = [];
  const { agent } = narrowed;
  const cursor = cursorOf(narrowed.after === "" ? undefined : narrowed.after);
  let after = cursor && { id: cursor.id as Approval["id"], openedMs: cursor.ms };
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX && lines.length < LISTED; ) {
    const limit = isNarrowed(narrowed) ? PAGE : LISTED;
    const filter = { state: "pending" as const, limit, ...(agent === "" ? {} : { agent }), ...(after && { after }) };
    const found = await listApprovals(deps, filter);
    for (const approval of found) {
      if (lines.length === LISTED) break;
      after = { id: approval.id, openedMs: approval.openedMs };
      const line = await fitting(deps, approval, narrowed);
      if (line !== undefined) lines.push(line);
    }
    lookedAt += found.length;
    if (found.length < limit) {
      if (found.at(-1)?.id === after?.id || found.length === 0) after = undefined;
      break;
    }
  }
  const sorted = lines.sort((a, b) => a.approval.answerByMs - b.approval.answerByMs);
  return { lines: sorted, ...(after && { next: cursorText(after.openedMs, after.id) }) };
}

async function fitting(deps: Deps, approval: Approval, { class: effectClass, q }: Narrowed): Promise<Line | undefined> {
  if (effectClass !== "" && approval.class !== effectClass) return undefined;
  const headline = await headlineOf(deps, approval);
  const text = `${headline} ${approval.agent} ${approval.tool} ${approval.id}`.toLowerCase();
  return text.includes(q.trim().toLowerCase()) ? { approval, headline } : undefined;
}
