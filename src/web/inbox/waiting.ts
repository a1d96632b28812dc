import { type Approval, askerOf, snoozedUntilMs } from "../../core/approval.ts";
import type { Language } from "../../core/messages/text.ts";
import { snoozedBy } from "../../gate/counts.ts";
import type { Deps } from "../../gate/deps.ts";
import { cursorOf, cursorText } from "../../http/paging.ts";
import { mostUrgent } from "../../service/approvals.ts";
import { approvedBy, type Headline, headlineOf } from "../../service/views/cards.ts";

/** The filters of the list, and where it starts; empty means everything, from the top. */
export type InboxFilter = {
  agent: string;
  /** All agents of this session, sub-agents too. */
  session: string;
  class: string;
  q: string;
  /** `1`: only questions that the reader has put aside; otherwise all other questions. */
  aside: string;
  after: string;
};

export function narrowedOf(query: Readonly<Record<string, string>>): InboxFilter {
  const { agent = "", session = "", class: effectClass = "", q = "", aside, after = "" } = query;
  return { agent, session, class: effectClass, q, aside: aside === "1" ? aside : "", after };
}

export function isNarrowed({ agent, session, class: effectClass, q, aside }: InboxFilter): boolean {
  return [agent, session, effectClass, q, aside].some((one) => one !== "");
}

/** The person who reads the list. */
export type Reader = { person: string; language: Language };

/** The list as a query string, so that links from a question lead back to the same list. */
export function listQuery(narrowed: InboxFilter, more: Readonly<Record<string, string>> = {}): string {
  const kept = Object.entries({ ...narrowed, ...more }).filter(([, value]) => value !== "");
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}

/** One line of the list, with the number of valid approvals. */
export type WaitingLine = { approval: Approval; headline: Headline; have: number };

/**
 * `before`: how many are on earlier pages. `next`: where the list continues. `lookedAt`: set if it continues although
 * there are few matches, because enough were checked for now.
 */
export type WaitingList = { lines: readonly WaitingLine[]; before: number; next?: string; lookedAt?: number };

const LISTED = 50;
/** Checking everything for one search would delay everybody else. A person can ask to search further. */
const LOOKED_AT_MAX = { first: 100, further: 2_000 } as const;
/** How many are checked before other requests are answered. */
const TURN = 50;

/** The matches, the one that expires first at the top, and where the list continues. */
export async function waitingOf(deps: Deps, narrowed: InboxFilter, reader: Reader): Promise<WaitingList> {
  const { after } = narrowed;
  const { language } = reader;
  const cursor = cursorOf(after === "" ? undefined : after);
  const lookedAtMax = LOOKED_AT_MAX[cursor === undefined ? "first" : "further"];
  const lines: WaitingLine[] = [];
  let [before, lookedAt] = [0, 0];
  let last: Approval | undefined;
  for await (const approval of listed(deps, narrowed, reader)) {
    if (cursor !== undefined && !isBehind(approval, cursor)) {
      before++;
      continue;
    }
    if (last !== undefined && (lines.length === LISTED || lookedAt === lookedAtMax)) {
      const next = cursorText(last.answerByMs, last.id);
      return { lines, before, next, ...(lines.length < LISTED ? { lookedAt } : {}) };
    }
    last = approval;
    lookedAt++;
    const line = await fitting(deps, approval, narrowed, language);
    if (line !== undefined) lines.push(line);
    if (lookedAt % TURN === 0) await deps.clock.sleep(0);
  }
  return { lines, before };
}

/** The questions of the list, the one that expires first at the top. */
async function* listed(deps: Deps, { agent, aside }: InboxFilter, { person }: Reader): AsyncGenerator<Approval> {
  if (aside !== "") {
    const mine = (await snoozedBy(deps, person)).filter((one) => agent === "" || one.agent === agent);
    yield* mine.toSorted((a, b) => a.answerByMs - b.answerByMs || (a.id < b.id ? -1 : 1));
    return;
  }
  for await (const { row } of mostUrgent(deps, agent === "" ? undefined : agent)) {
    if (snoozedUntilMs(row, person, deps.clock.nowMs()) === undefined) yield row;
  }
}

function isBehind({ answerByMs, id }: Approval, cursor: { ms: number; id: string }): boolean {
  return answerByMs > cursor.ms || (answerByMs === cursor.ms && id > cursor.id);
}

async function fitting(
  deps: Deps,
  approval: Approval,
  { session, class: effectClass, q }: InboxFilter,
  language: Language,
): Promise<WaitingLine | undefined> {
  if (session !== "" && approval.session !== session) return undefined;
  if (effectClass !== "" && approval.class !== effectClass) return undefined;
  const headline = await keptHeadline(deps, approval, language);
  const { lead, sentence } = headline;
  const text = `${lead} ${sentence} ${askerOf(approval)} ${approval.tool} ${approval.id}`.toLowerCase();
  if (!text.includes(q.trim().toLowerCase())) return undefined;
  return { approval, headline, have: await approvedBy(deps, approval) };
}

/** A call never changes, and reading and decrypting it is most of the cost of a line, so its sentence is kept. */
const headlines = new WeakMap<Deps["store"], Map<string, Headline>>();
const HEADLINES_MAX = 5_000;

async function keptHeadline(deps: Deps, approval: Approval, language: Language): Promise<Headline> {
  const here = headlines.get(deps.store) ?? new Map<string, Headline>();
  headlines.set(deps.store, here);
  // The sentence shows paths relative to the project.
  const key = `${approval.call} ${language} ${deps.policies.current().project}`;
  const known = here.get(key);
  if (known !== undefined) return known;
  const headline = await headlineOf(deps, approval, language);
  const [oldest] = here.keys();
  if (here.size >= HEADLINES_MAX && oldest !== undefined) here.delete(oldest);
  here.set(key, headline);
  return headline;
}
