import { inEnglish } from "../core/messages/in-english.ts";
import { say } from "../core/messages/message.ts";
import type { Notice } from "../core/notice.ts";
import type { Person } from "../core/people.ts";
import type { NoticeView } from "../service/notices.ts";
import { LeewayRefusal } from "../service/refusal.ts";

/** Without how it is delivered, which is nobody's concern but the gate's. */
export function noticeView(notice: Notice): NoticeView {
  const { id, kind, to, title, text: said, ref, state, createdMs, readMs } = inEnglish(notice);
  return { id, kind, to, title, text: said, ref, state, createdMs, ...(readMs === undefined ? {} : { readMs }) };
}

/** A server tells everybody their own notices alone. */
export function ensureFor(notice: Notice | undefined, id: string, { name, groups, admin }: Person): Notice {
  const to = notice?.to;
  const isFor = to === name || (to === "admins" && admin) || groups.some((group) => to === `group:${group}`);
  if (notice !== undefined && isFor) return notice;
  const hint = say("hint.your_notices");
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.no_notice_for_you", { id }), hint });
}
