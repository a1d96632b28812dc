import { say } from "../../core/messages/message.ts";
import { inEnglish } from "../../core/messages/text.ts";
import { NOTICE_KINDS, type Notice, type NoticeText, TOLD_KINDS } from "../../core/notice.ts";
import type { Person } from "../../core/people.ts";
import type { Deps } from "../../gate/deps.ts";
import { listNotices, type NoticeFilter, readNotice } from "../../gate/notices/notices.ts";
import { LeewayRefusal, orThrow } from "../refusal.ts";
import { flag, listOf, maybe, object, oneOf, parse, type Shape, text, textOf, whole } from "../shape.ts";

const FILTER: Shape<NoticeFilter> = object({
  to: maybe(text),
  unread: maybe(flag),
  kinds: maybe(listOf(oneOf(NOTICE_KINDS))),
  limit: maybe(whole(1)),
  newest: maybe(whole(1)),
});

/** A notice as every door shows it, without its delivery. */
export type NoticeView = Pick<
  NoticeText,
  "id" | "kind" | "to" | "title" | "text" | "ref" | "state" | "createdMs" | "readMs"
>;

const TOLD_MAX = 200;

/** The notices that are not questions, newest first: of this person, or of everybody. */
export async function toldTo(deps: Deps, to: string | undefined): Promise<readonly NoticeView[]> {
  const told = await listNotices(deps, { kinds: TOLD_KINDS, limit: TOLD_MAX, ...(to === undefined ? {} : { to }) });
  return told.map((notice) => inEnglish(notice));
}

export function noticesOf(deps: Deps) {
  return {
    /** The notices, newest first: calls that ran under `notify`, and other news. */
    list: async (filter: NoticeFilter = {}): Promise<readonly NoticeView[]> =>
      (await listNotices(deps, parse(FILTER, filter))).map((notice) => inEnglish(notice)),
    /** Marks a notice as read. */
    read: async (id: string): Promise<NoticeView> => inEnglish(orThrow(await readNotice(deps, textOf(id, "id")))),
  };
}

/** The notice without its delivery. */
export function noticeView(notice: Notice): NoticeView {
  const { id, kind, to, title, text: said, ref, state, createdMs, readMs } = inEnglish(notice);
  return { id, kind, to, title, text: said, ref, state, createdMs, ...(readMs === undefined ? {} : { readMs }) };
}

/** A server shows people only their own notices. */
export function ensureFor(notice: Notice | undefined, id: string, { name, groups, admin }: Person): Notice {
  const to = notice?.to;
  const isFor = to === name || (to === "admins" && admin) || groups.some((group) => to === `group:${group}`);
  if (notice !== undefined && isFor) return notice;
  const hint = say("hint.your_notices");
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.no_notice_for_you", { id }), hint });
}
