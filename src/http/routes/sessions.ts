import { endSession } from "../../gate/calls/sessions.ts";
import { listNotices, noticeAt, readNotice } from "../../gate/notices/notices.ts";
import { listLimits } from "../../gate/standing/limits.ts";
import { orThrow } from "../../service/refusal.ts";
import { listOf, maybe, object, open, text } from "../../service/shape.ts";
import { actRoute, NO_BODY, readRoute, reply } from "../api-route.ts";
import { ensureFor, noticeView } from "../notice-view.ts";
import { LISTED, PAGE_QUERY, yesOrNo } from "../paging.ts";
import { actingOf, personOf } from "../person.ts";
import type { Asked } from "../request.ts";
import { count, LIMIT, NOTICE } from "../schemas.ts";

// What comes and goes with the work: sessions, what people were told, how full the limits are.

const { limit } = PAGE_QUERY;

export const SESSION_ROUTES = [
  actRoute("POST /v1/sessions/:id/end", {
    for: ["agent", "act"],
    summary: "Ends a session: its grants, open questions and unused permits end with it. An agent ends its own part.",
    gives: open({ grants: count, approvals: count, executions: count }),
    body: NO_BODY,
    answer: async ({ deps }, asked) => reply(orThrow(await endSession(deps, endingOf(asked, asked.params.id)))),
  }),
  readRoute("GET /v1/notices", {
    for: ["read"],
    summary: "What the one who asks was told, newest first.",
    gives: open({ notices: listOf(NOTICE) }),
    query: object({ unread: maybe(yesOrNo), limit }),
    answer: async ({ deps }, asked) => {
      const { unread = false, limit: listed = LISTED } = asked.query;
      const notices = await listNotices(deps, { to: personOf(asked).name, unread, limit: listed });
      return reply({ notices: notices.map(noticeView) });
    },
  }),
  actRoute("POST /v1/notices/:id/read", {
    for: ["self"],
    summary: "Marks one as seen.",
    gives: NOTICE,
    body: NO_BODY,
    answer: async ({ deps }, asked) => {
      const id = asked.params.id;
      ensureFor(await noticeAt(deps, id), id, personOf(asked));
      return reply(noticeView(orThrow(await readNotice(deps, id))));
    },
  }),
  readRoute("GET /v1/limits", {
    for: ["read"],
    summary:
      "The limits of the policy and how full each is, for every agent that asked and every tool that is declared.",
    gives: open({ limits: listOf(LIMIT) }),
    query: object({ agent: maybe(text), session: maybe(text), tool: maybe(text) }),
    answer: async ({ deps }, asked) => reply({ limits: await listLimits(deps, asked.query) }),
  }),
];

/** An agent never says whose session it ends: only its own part of it. */
function endingOf(asked: Pick<Asked, "who">, session: string): { session: string; agent?: string; by: string } {
  const { who } = asked;
  return who.is === "agent" ? { session, agent: who.agent, by: who.agent } : { session, by: actingOf(asked).by };
}
