import type { Approval, Question } from "../../core/approval.ts";
import type { PersonName } from "../../core/ids.ts";
import type { EntryKind } from "../../core/ledger.ts";
import { type Circle, isForAdmins, isOfRequester, mayDeny } from "../../core/steps/quorum.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json } from "../../core/values/json.ts";
import type { Deps } from "../deps.ts";
import { circleFor } from "../standing/owner.ts";
import { circleOf } from "../standing/standing.ts";

// How many of the open questions one person can answer. Who may answer depends on groups and pauses, which change at any time,
// so no store can keep the figure. But few things about a question decide it, and almost all questions are alike in these:
// each process counts the questions of each sort. The ledger tells what has changed since it counted last.

/** What decides who may answer a question. */
type Sort = Pick<
  Question,
  "agent" | "root" | "tool" | "reviewers" | "escalate" | "selfReview" | "requestedBy" | "joinedBy"
>;

type Counted = { index: number; sortOf: Map<string, string>; sorts: Map<string, { sort: Sort; count: number }> };

const counted = new WeakMap<Deps["store"], Map<string, Promise<Counted>>>();

/** Whether this person can answer the question: approve it, or at least deny it. Nobody answers what they asked for. */
function canAnswer(question: Sort, person: PersonName, circle: Circle): boolean {
  return mayDeny(question, person, circle) && !isOfRequester(question, { by: person });
}

/** An auditor reads all questions and answers none; everybody else sees those that they can answer. */
export async function seesQuestion(deps: Deps, question: Sort, person: PersonName): Promise<boolean> {
  const inForce = await deps.standing.current();
  const found = inForce.rows.people.find(({ name }) => name === person);
  // A program that names nobody of the people sees everything, as it did before there were people.
  if (found === undefined || found.auditor) return true;
  // Only questions for the owner and the admins depend on the owner, whose name costs a read.
  const { agent, root = agent } = question;
  const circle = isForAdmins(question)
    ? await circleFor(deps, inForce, question)
    : circleOf(inForce, { agent: root }, []);
  return canAnswer(question, person, circle);
}

/** How many of the open questions this person sees in their list. */
export async function countSeen(deps: Deps, person: PersonName): Promise<number> {
  let count = 0;
  for (const one of (await countedNow(deps)).sorts.values()) {
    if (await seesQuestion(deps, one.sort, person)) count += one.count;
  }
  return count;
}

/** Whoever asks at the same time waits for the same count. */
async function countedNow(deps: Deps): Promise<Counted> {
  const { store, workspace } = deps;
  const here = counted.get(store) ?? new Map<string, Promise<Counted>>();
  counted.set(store, here);
  const before = here.get(workspace);
  const next = (async () => {
    const known = await before?.catch(() => undefined);
    const { index } = await store.read({ ask: "head", workspace });
    if (known === undefined || index < known.index) return countAll(deps, index);
    return index === known.index ? known : caughtUp(deps, known, index);
  })();
  here.set(workspace, next);
  return next;
}

const PAGE = 500;

/** `index`: what was recorded before the rows are read; what is recorded meanwhile is looked at again. */
async function countAll(deps: Deps, index: number): Promise<Counted> {
  const { store, workspace } = deps;
  const all: Counted = { index, sortOf: new Map(), sorts: new Map() };
  const asked = { ask: "rows", workspace, table: "approvals", where: { state: "pending" }, limit: PAGE } as const;
  for (let after: { sortMs: number; id: string } | undefined; ; ) {
    const found = await store.read({ ...asked, order: "soonest", ...(after === undefined ? {} : { after }) });
    for (const { row } of found) recount(all, row.id, row);
    const last = found.at(-1)?.row;
    if (found.length < PAGE || last === undefined) return all;
    after = { sortMs: last.answerByMs, id: last.id };
    await deps.clock.sleep(0);
  }
}

/** Every entry after which a question is open or closed, or other people may answer it. */
const KINDS: readonly EntryKind[] = [
  "approval.opened",
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
  "approval.escalated",
  "approval.reopened",
  "approval.joined",
];

async function caughtUp(deps: Deps, known: Counted, headIndex: number): Promise<Counted> {
  const { store, workspace } = deps;
  for (;;) {
    const where = { afterIndex: known.index, kinds: KINDS };
    const entries = await store.read({ ask: "entries", workspace, where, limit: PAGE, order: "oldest" });
    for (const id of new Set(entries.map(({ subject }) => subject.approval))) {
      if (id === undefined) continue;
      const found = await store.read({ ask: "row", workspace, table: "approvals", id });
      recount(known, id, found?.row);
    }
    known.index = entries.at(-1)?.index ?? known.index;
    if (entries.length < PAGE) return Object.assign(known, { index: Math.max(known.index, headIndex) });
  }
}

function recount({ sortOf, sorts }: Counted, id: string, row: Approval | undefined): void {
  const before = sorts.get(sortOf.get(id) ?? "");
  sortOf.delete(id);
  if (before !== undefined) before.count--;
  if (before?.count === 0) sorts.delete(canonical(before.sort as unknown as Json));
  if (row?.state !== "pending") return;
  const sort = sortFor(row);
  const key = canonical(sort as unknown as Json);
  sortOf.set(id, key);
  const now = sorts.get(key) ?? { sort, count: 0 };
  now.count++;
  sorts.set(key, now);
}

function sortFor({ agent, root, tool, reviewers, escalate, selfReview, requestedBy, joinedBy }: Approval): Sort {
  return {
    agent,
    tool,
    reviewers,
    selfReview,
    ...(root === undefined ? {} : { root }),
    // Before it is done, and afterwards its time, it decides nothing.
    ...(escalate?.done === true ? { escalate: { ...escalate, atMs: 0 } } : {}),
    ...(requestedBy === undefined ? {} : { requestedBy }),
    ...(joinedBy === undefined ? {} : { joinedBy }),
  };
}
