import { inEnglish } from "../core/messages/in-english.ts";
import { NOTICE_KINDS, type NoticeText, TOLD_KINDS } from "../core/notice.ts";
import type { Deps } from "../gate/deps.ts";
import { listNotices, type NoticeFilter, readNotice } from "../gate/notices/notices.ts";
import { orThrow } from "./refusal.ts";
import { flag, listOf, maybe, object, oneOf, parse, type Shape, text, textOf, whole } from "./shape.ts";

const FILTER: Shape<NoticeFilter> = object({
  to: maybe(text),
  unread: maybe(flag),
  kinds: maybe(listOf(oneOf(NOTICE_KINDS))),
  limit: maybe(whole(1)),
  newest: maybe(whole(1)),
});

/** A notice as every door shows it; how it is delivered is the gate's own concern. */
export type NoticeView = Pick<
  NoticeText,
  "id" | "kind" | "to" | "title" | "text" | "ref" | "state" | "createdMs" | "readMs"
>;

const TOLD_MAX = 200;

/** What people are told besides being asked, newest first: this person, or anybody where nobody is named. */
export async function toldTo(deps: Deps, to: string | undefined): Promise<readonly NoticeView[]> {
  const told = await listNotices(deps, { kinds: TOLD_KINDS, limit: TOLD_MAX, ...(to === undefined ? {} : { to }) });
  return told.map((notice) => inEnglish(notice));
}

export function noticesOf(deps: Deps) {
  return {
    /** What people were told, newest first: calls that ran under `notify`, and whatever else they should hear of. */
    list: async (filter: NoticeFilter = {}): Promise<readonly NoticeView[]> =>
      (await listNotices(deps, parse(FILTER, filter))).map((notice) => inEnglish(notice)),
    /** Marks one as seen. */
    read: async (id: string): Promise<NoticeView> => inEnglish(orThrow(await readNotice(deps, textOf(id, "id")))),
  };
}
