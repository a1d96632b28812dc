import { NOTICE_KINDS, type Notice, TOLD_KINDS } from "../core/notice.ts";
import type { Deps } from "../gate/deps.ts";
import { listNotices, type NoticeFilter, readNotice } from "../gate/notices/notices.ts";
import { orThrow } from "./refusal.ts";
import { checked, flag, listOf, maybe, oneOf, type Shape, text, textOf, whole } from "./shape.ts";

const FILTER: Shape<NoticeFilter> = {
  to: maybe(text),
  unread: maybe(flag),
  kinds: maybe(listOf(oneOf(NOTICE_KINDS))),
  limit: maybe(whole(1)),
  newest: maybe(whole(1)),
};

const TOLD_MAX = 200;

/** What people are told besides being asked, newest first: this person, or anybody where nobody is named. */
export function toldTo(deps: Deps, to: string | undefined): Promise<readonly Notice[]> {
  return listNotices(deps, { kinds: TOLD_KINDS, limit: TOLD_MAX, ...(to === undefined ? {} : { to }) });
}

export function noticesOf(deps: Deps) {
  return {
    /** What people were told, newest first: calls that ran under `notify`, and whatever else they should hear of. */
    list: async (filter: NoticeFilter = {}) => listNotices(deps, checked(filter, FILTER)),
    /** Marks one as seen. */
    read: async (id: string) => orThrow(await readNotice(deps, textOf(id, "id"))),
  };
}
