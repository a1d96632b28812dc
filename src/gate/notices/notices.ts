import { put, unchanged } from "../../core/change.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { type Notice, type NoticeKind, TOLD_KINDS } from "../../core/notice.ts";
import type { Facts } from "../../core/rows/rows.ts";
import { commitStep } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { withNames } from "./notice-text.ts";

export type NoticeFilter = {
  /** A person: the notices to them, to their groups, and to the admins if they are an admin. */
  to?: PersonName;
  unread?: boolean;
  kinds?: readonly NoticeKind[];
  limit?: number;
  /** Reads only this many of the newest; if left out, all. */
  newest?: number;
};

const PAGE = 500;
const LISTED = 100;

/** The notices in the inbox, newest first. Other channels get the same notices. */
export async function listNotices(deps: Deps, filter: NoticeFilter = {}): Promise<readonly Notice[]> {
  const { unread = false, kinds, limit = LISTED, newest = Number.POSITIVE_INFINITY } = filter;
  const addresses = filter.to === undefined ? undefined : await addressesOf(deps, filter.to);
  const isMeant = (row: Notice) =>
    row.channel === "inbox" &&
    (kinds === undefined || kinds.includes(row.kind)) &&
    (addresses === undefined || addresses.has(row.to)) &&
    (!unread || row.readMs === undefined);
  const found: Notice[] = [];
  for (const where of wheresOf(unread, kinds)) found.push(...(await meantIn(deps, where, { isMeant, limit, newest })));
  const sorted = found.sort((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? 1 : -1));
  return Promise.all(sorted.slice(0, limit).map((row) => withNames(deps, row)));
}

type Where = Pick<Facts, "collect">;

/** In the inbox, notices that are not questions have their own index. */
function wheresOf(unread: boolean, kinds: readonly NoticeKind[] | undefined): readonly Where[] {
  if (kinds === undefined || !kinds.every((kind) => TOLD_KINDS.includes(kind))) return [{}];
  return unread ? [{ collect: "news" }] : [{ collect: "news" }, { collect: "told" }];
}

type Looking = { isMeant(row: Notice): boolean; limit: number; newest: number };

async function meantIn(deps: Deps, where: Where, { isMeant, limit, newest }: Looking): Promise<readonly Notice[]> {
  const found: Notice[] = [];
  let lookedAt = 0;
  for (let after: { sortMs: number; id: string } | undefined; found.length < limit && lookedAt < newest; ) {
    const page = await pageOf(deps, where, after);
    lookedAt += page.length;
    found.push(...page.map(({ row }) => row).filter(isMeant));
    const last = page.at(-1)?.row;
    if (last === undefined || page.length < PAGE) break;
    after = { sortMs: last.createdMs, id: last.id };
  }
  return found;
}

/** The notice with this id, if there is one. */
export async function noticeAt({ store, workspace }: Deps, id: string): Promise<Notice | undefined> {
  return (await store.read({ ask: "row", workspace, table: "notices", id }))?.row;
}

/** Marks a notice as read. It stays in the list, but no longer counts as new. */
export function readNotice(deps: Deps, id: string): Promise<{ ok: true; value: Notice } | Refused> {
  return commitStep(deps, async (nowMs) => {
    const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "notices", id });
    if (held === undefined)
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_notice", { id }), say("hint.inbox_lists"));
    if (held.row.readMs !== undefined) return { ok: true, pieces: [], value: held.row };
    const read: Notice = { ...held.row, readMs: nowMs };
    const needs = [unchanged("notices", id, held.version)];
    return { ok: true, pieces: [{ needs, writes: [put("notices", read)] }], value: read };
  });
}

function pageOf(deps: Deps, where: Where, after: { sortMs: number; id: string } | undefined) {
  return deps.store.read({
    ask: "rows",
    workspace: deps.workspace,
    table: "notices",
    where,
    limit: PAGE,
    order: "newest",
    ...(after === undefined ? {} : { after }),
  });
}

/** The addresses of the notices that a person gets now: their name, their groups, and the roles that they have. */
async function addressesOf(deps: Deps, name: PersonName): Promise<ReadonlySet<string>> {
  const { people } = (await deps.standing.current()).rows;
  const person = people.find((one) => one.name === name && one.state === "active");
  const groups = (person?.groups ?? []).map((group) => `group:${group}`);
  const roles = [
    ...(person?.admin === true ? ["admins"] : []),
    ...(person === undefined || person.auditor ? [] : ["reviewers"]),
  ];
  return new Set([name, ...groups, ...roles]);
}

/** The time of the last event in it. A digest has the time at which its window begins, which may be before any event. */
export async function toldMs(
  { store, workspace }: Deps,
  notice: Pick<Notice, "id" | "ref" | "createdMs">,
): Promise<number> {
  const { id, ref, createdMs } = notice;
  if (!id.startsWith("ntc_ran_")) return createdMs;
  const held = await store.read({ ask: "row", workspace, table: "calls", id: ref });
  return held?.row.atMs ?? createdMs;
}
