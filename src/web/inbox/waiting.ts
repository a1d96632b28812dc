import { type Approval, askerOf, snoozedUntilMs } from "../../core/approval.ts";
import type { Language } from "../../core/messages/text.ts";
import { seesQuestion } from "../../gate/approvals/open-questions.ts";
import { awaitedOf } from "../../gate/approvals/presence.ts";
import { snoozedBy } from "../../gate/counts.ts";
import type { Deps } from "../../gate/deps.ts";
import { cursorOf, cursorText } from "../../http/paging.ts";
import { callRow, mostUrgent } from "../../service/approvals.ts";
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
  /** `1`: only questions that the reader cannot answer; otherwise only those that they can. */
  others: string;
  after: string;
};

export function narrowedOf(query: Readonly<Record<string, string>>): InboxFilter {
  const { agent = "", session = "", class: effectClass = "", q = "", aside, others, after = "" } = query;
  return {
    agent,
    session,
    class: effectClass,
    q,
    aside: aside === "1" ? aside : "",
    others: others === "1" ? others : "",
    after,
  };
}

export function isNarrowed({ agent, session, class: effectClass, q, aside, others }: InboxFilter): boolean {
  return [agent, session, effectClass, q, aside, others].some((one) => one !== "");
}

/** The person who reads the list. */
export type Reader = { person: string; language: Language };

/** The list as a query string, so that links from a question lead back to the same list. */
export function listQuery(narrowed: InboxFilter, more: Readonly<Record<string, string>> = {}): string {
  const kept = Object.entries({ ...narrowed, ...more }).filter(([, value]) => value !== "");
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}

/**
 * One line of the list, with the number of valid approvals. `folder`: the last name of the folder in which the call would run.
 * `untilMs`: when the agent that waits for the answer now stops waiting.
 */
export type WaitingLine = { approval: Approval; headline: Headline; have: number; folder?: string; untilMs?: number };

/**
 * `before`: how many are on earlier pages. `next`: where the list continues. `lookedAt`: set if it continues although
 * there are few matches, because enough were checked for now.
 */
export type WaitingList = { lines: readonly WaitingLine[]; before: number; next?: string; lookedAt?: number };

const LISTED = 50;
/** One page looks for this long at most, so that nobody waits without a word. A person can ask to search further. */
const LOOKED_FOR_MS = 3_000;
/** How many are checked before other requests are answered. */
const TURN = 50;

/** The matches, the one that expires first at the top, and where the list continues. */
export async function waitingOf(deps: Deps, narrowed: InboxFilter, reader: Reader): Promise<WaitingList> {
  const { after } = narrowed;
  const { language } = reader;
  const cursor = cursorOf(after === "" ? undefined : after);
  const untilMs = deps.clock.nowMs() + LOOKED_FOR_MS;
  const lines: WaitingLine[] = [];
  let [before, lookedAt] = [0, 0];
  let last: Approval | undefined;
  for await (const approval of listed(deps, narrowed, reader)) {
    if (cursor !== undefined && !isBehind(approval, cursor)) {
      before++;
      continue;
    }
    if (last !== undefined && (lines.length === LISTED || deps.clock.nowMs() >= untilMs)) {
      const next = cursorText(last.answerByMs, last.id);
      return { lines: await withEnds(deps, lines), before, next, ...(lines.length < LISTED ? { lookedAt } : {}) };
    }
    last = approval;
    lookedAt++;
    const line = await fitting(deps, approval, narrowed, language);
    if (line !== undefined) lines.push(line);
    if (lookedAt % TURN === 0) await deps.clock.sleep(0);
  }
  return { lines: await withEnds(deps, lines), before };
}

/** One read for the whole list. */
async function withEnds(deps: Deps, lines: readonly WaitingLine[]): Promise<readonly WaitingLine[]> {
  const awaited = await awaitedOf(
    deps,
    lines.map(({ approval }) => approval.id),
  );
  return lines.map((line) => ({ ...line, ...awaited.get(line.approval.id) }));
}

/** The questions of the list, the one that expires first at the top. */
async function* listed(
  deps: Deps,
  { agent, aside, others }: InboxFilter,
  { person }: Reader,
): AsyncGenerator<Approval> {
  if (aside !== "") {
    const mine = (await snoozedBy(deps, person)).filter((one) => agent === "" || one.agent === agent);
    yield* mine.toSorted((a, b) => a.answerByMs - b.answerByMs || (a.id < b.id ? -1 : 1));
    return;
  }
  for await (const { row } of mostUrgent(deps, agent === "" ? undefined : agent)) {
    if (snoozedUntilMs(row, person, deps.clock.nowMs()) !== undefined) continue;
    if ((others !== "") !== (await seesQuestion(deps, row, person))) yield row;
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
  const { headline, folder } = await keptLine(deps, approval, language);
  const { lead, sentence } = headline;
  const text = `${lead} ${sentence} ${askerOf(approval)} ${folder ?? ""} ${approval.tool} ${approval.id}`.toLowerCase();
  if (!text.includes(q.trim().toLowerCase())) return undefined;
  const have = await approvedBy(deps, approval);
  return { approval, headline, have, ...(folder === undefined ? {} : { folder }) };
}

type KeptLine = Pick<WaitingLine, "headline" | "folder">;

/** A call never changes, and reading and decrypting it is almost all of the cost of a search, so what it says is kept. */
const keptLines = new WeakMap<Deps["store"], Map<string, KeptLine>>();
const KEPT_MAX = 50_000;

async function keptLine(deps: Deps, approval: Approval, language: Language): Promise<KeptLine> {
  const here = keptLines.get(deps.store) ?? new Map<string, KeptLine>();
  keptLines.set(deps.store, here);
  // The sentence shows paths relative to the project.
  const key = `${approval.call} ${language} ${deps.policies.current().project}`;
  const known = here.get(key);
  if (known !== undefined) return known;
  const headline = await headlineOf(deps, approval, language);
  const { cwd } = await callRow(deps, approval.call);
  const folder = cwd?.split(/[\\/]/).findLast((name) => name !== "");
  const line = { headline, ...(folder === undefined ? {} : { folder }) };
  const [oldest] = here.keys();
  if (here.size >= KEPT_MAX && oldest !== undefined) here.delete(oldest);
  here.set(key, line);
  return line;
}
