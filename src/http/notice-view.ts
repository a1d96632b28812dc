import type { Notice } from "../core/notice.ts";
import type { Person } from "../core/people.ts";
import { LeewayRefusal } from "../service/refusal.ts";

type NoticeView = Pick<Notice, "id" | "kind" | "to" | "title" | "text" | "ref" | "state" | "createdMs" | "readMs">;

/** Without how it is delivered, which is nobody's concern but the gate's. */
export function noticeView({ id, kind, to, title, text: said, ref, state, createdMs, readMs }: Notice): NoticeView {
  return { id, kind, to, title, text: said, ref, state, createdMs, ...(readMs === undefined ? {} : { readMs }) };
}

/** A server tells everybody their own notices alone. */
export function ensureFor(notice: Notice | undefined, id: string, { name, groups, admin }: Person): Notice {
  const to = notice?.to;
  const isFor = to === name || (to === "admins" && admin) || groups.some((group) => to === `group:${group}`);
  if (notice !== undefined && isFor) return notice;
  const hint = "GET /v1/notices lists yours";
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: `there is no notice ${id} for you`, hint });
}
