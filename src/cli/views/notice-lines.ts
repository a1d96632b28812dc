import { clockText } from "../../core/show/when.ts";
import type { NoticeView } from "../../service/views/notices.ts";

// Notices, which need no answer. Questions have their own list.

function unreadOf(notices: readonly NoticeView[]): readonly NoticeView[] {
  return notices.filter((notice) => notice.readMs === undefined);
}

/** Says how many notices are not listed. */
export function moreLines(more: number): readonly string[] {
  return more > 0 ? [`and ${more} more, shown after you answer these`] : [];
}

/** One line about everything that is new; undefined if nothing is. */
export function toldLine(notices: readonly NoticeView[]): string {
  const unread = unreadOf(notices);
  const oldest = unread.at(-1);
  if (oldest === undefined) return "";
  const calls = unread.reduce((sum, notice) => sum + callsOf(notice), 0);
  const others = unread.filter((notice) => !isDigest(notice)).length;
  const said = [
    ...(calls === 0 ? [] : [`${calls} ${calls === 1 ? "call" : "calls"} ran under notify`]),
    ...(others === 0 ? [] : [`${others} ${others === 1 ? "notice" : "notices"}`]),
  ];
  return `new: ${said.join(", ")} since ${clockText(oldest.createdMs).slice(0, -3)}`;
}

/** The title of a digest has its number of calls; a digest without a number counts as at least one. */
function callsOf(notice: NoticeView): number {
  return isDigest(notice) ? Number(/^(\d+) calls? /.exec(notice.title)?.[1] ?? 1) : 0;
}

/** Calls that ran under notify are combined; how an approved call ended is a separate notice. */
function isDigest({ kind, id }: NoticeView): boolean {
  return kind === "ran" && id.startsWith("ntc_ran_");
}
