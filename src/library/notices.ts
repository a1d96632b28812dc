import type { Deps } from "../gate/deps.ts";
import { listNotices, type NoticeFilter, readNotice } from "../gate/notices.ts";
import { orThrow } from "./refusal.ts";

export function noticesOf(deps: Deps) {
  return {
    /** What people were told, newest first: calls that ran under `notify`, and whatever else they should hear of. */
    list: (filter: NoticeFilter = {}) => listNotices(deps, filter),
    /** Marks one as seen. */
    read: async (id: string) => orThrow(await readNotice(deps, id)),
  };
}
