import type { Approval } from "../core/approval.ts";
import { cursorText } from "../http/paging.ts";
import type { Gate } from "../library/gate.ts";
import type { ApprovalFilter } from "../service/approvals.ts";
import { textOf } from "../service/shape.ts";
import type { ServerConnection } from "./server-connection.ts";

const LISTED = 100;
const PAGE_MAX = 500;

export function approvalsAt({ ask }: ServerConnection): Gate["approvals"] {
  return {
    list: async (filter: ApprovalFilter = {}) => {
      const { state, agent, limit = LISTED, after } = filter;
      const found: Approval[] = [];
      let cursor = after === undefined ? undefined : cursorText(after.openedMs, after.id);
      for (;;) {
        const query = { status: state, agent, cursor, limit: Math.min(PAGE_MAX, limit - found.length) };
        const page = await ask("GET /v1/approvals", { query });
        found.push(...page.approvals);
        cursor = page.next;
        if (cursor === undefined || found.length >= limit) return found;
      }
    },
    get: async (approvalId) => {
      const params = { id: textOf(approvalId, "approvalId") };
      const { card: _, remember: __, ...view } = await ask("GET /v1/approvals/:id", { params });
      return view;
    },
  };
}
