import { type Approval, askerOf } from "../core/approval.ts";
import type { Language } from "../core/show/say/say.ts";
import type { Deps } from "../gate/deps.ts";
import { cursorOf, cursorText } from "../http/paging.ts";
import { listApprovals } from "../library/approvals.ts";
import { approvedBy, headlineOf } from "../library/cards.ts";

/** What the list is narrowed to; nothing is everything that waits. */
export type Narrowed = { agent: string; class: string; q: string; after: string };

export function narrowedOf(query: Readonly<Record<string, string>>): Narrowed {
  const { agent = "", class: effectClass = "", q = "", after = "" } = query;
  return { agent, class: effectClass, q, after };
}

export function isNarrowed({ agent, class: effectClass, q }: Narrowed): boolean {
  return [agent, effectClass, q].some((one) => one !== "");
}

/** One line of the list, with how many yeses count so far. */
export type Line = { approval: Approval; headline: string; have: number };
/** `next`: where the list goes on; `lookedAt`: it goes on although too few fitted, because so many were enough for now. */
export type Waiting = { lines: readonly Line[]; next?: string; lookedAt?: number };

const LISTED = 50;
const PAGE = 75;
/** Looking at everything for one word would hold everybody else up. Whoever asks to go on is looked for further. */
const LOOKED_AT_MAX = { first: 75, further: 2_000 } as const;

/** The newest that fit, and where the list goes on. The one whose time is over first stands on top: somebody waits for it. */
export async function waitingOf(deps: Deps, narrowed: Narrowed, language: Language): Promise<Waiting> {
  const lines: Line[] = [];
  const { agent } = narrowed;
  const cursor = cursorOf(narrowed.after === "" ? undefined : narrowed.after);
  let after = cursor && { id: cursor.id as Approval["id"], openedMs: cursor.ms };
  let lookedAt = 0;
  while (lookedAt < LOOKED_AT_MAX[cursor === undefined ? "first" : "further"] && lines.length < LISTED) {
    const limit = isNarrowed(narrowed) ? PAGE : LISTED;
    const filter = { state: "pending" as const, limit, ...(agent === "" ? {} : { agent }), ...(after && { after }) };
    const found = await listApprovals(deps, filter);
    for (const approval of found) {
      if (lines.length === LISTED) break;
      after = { id: approval.id, openedMs: approval.openedMs };
      const line = await fitting(deps, approval, narrowed, language);
      if (line !== undefined) lines.push(line);
    }
    lookedAt += found.length;
    if (found.length < limit) {
      if (found.at(-1)?.id === after?.id || found.length === 0) after = undefined;
      break;
    }
    if (lines.length < LISTED) await deps.clock.sleep(0);
  }
  const sorted = lines.sort((a, b) => a.approval.answerByMs - b.approval.answerByMs);
  const stopped = lines.length < LISTED ? { lookedAt } : {};
  return { lines: sorted, ...(after && { next: cursorText(after.openedMs, after.id), ...stopped }) };
}

async function fitting(
  deps: Deps,
  approval: Approval,
  { class: effectClass, q }: Narrowed,
  language: Language,
): Promise<Line | undefined> {
  if (effectClass !== "" && approval.class !== effectClass) return undefined;
  const headline = await keptHeadline(deps, approval, language);
  const text = `${headline} ${askerOf(approval)} ${approval.tool} ${approval.id}`.toLowerCase();
  if (!text.includes(q.trim().toLowerCase())) return undefined;
  return { approval, headline, have: await approvedBy(deps, approval) };
}

/** A call never changes, and to read and unseal it for one sentence is most of what a line costs. */
const headlines = new WeakMap<Deps["store"], Map<string, string>>();
const HEADLINES_MAX = 5_000;

async function keptHeadline(deps: Deps, approval: Approval, language: Language): Promise<string> {
  const here = headlines.get(deps.store) ?? new Map<string, string>();
  headlines.set(deps.store, here);
  // The sentence tells paths from the project on.
  const key = `${approval.call} ${language} ${deps.policies.current().project}`;
  const known = here.get(key);
  if (known !== undefined) return known;
  const headline = await headlineOf(deps, approval, language);
  const [oldest] = here.keys();
  if (here.size >= HEADLINES_MAX && oldest !== undefined) here.delete(oldest);
  here.set(key, headline);
  return headline;
}
