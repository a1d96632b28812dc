import { listSessions } from "../../gate/calls/session-list.ts";
import { endSession } from "../../gate/calls/sessions.ts";
import { listNotices, noticeAt, readNotice } from "../../gate/notices/notices.ts";
import { listLimits } from "../../gate/standing/limits.ts";
import { orThrow } from "../../service/refusal.ts";
import { anyText, flag, listOf, maybe, object, oneOf, open, text } from "../../service/shape.ts";
import { ensureFor, noticeView } from "../../service/views/notices.ts";
import { actRoute, NO_BODY, readRoute, reply } from "../api-route.ts";
import { actingOf, personOf } from "../identity/person.ts";
import { LISTED, PAGE_QUERY, yesOrNo } from "../paging.ts";
import type { HttpRequest } from "../request.ts";
import { count, LIMIT, ms, NOTICE } from "../schemas.ts";

// Sessions, notices and limits.

const { limit } = PAGE_QUERY;

const SESSION = open({
  session: anyText,
  agent: anyText,
  state: oneOf(["waiting", "active", "finished"]),
  questions: count,
  calls: count,
  lastMs: ms,
  lastTool: maybe(anyText),
  lastCall: maybe(anyText),
  cwd: maybe(anyText),
});

export const SESSION_ROUTES = [
  readRoute("GET /v1/sessions", {
    for: ["read"],
    summary: "The sessions of recent calls: which wait for an answer, which go on, and which have ended.",
    gives: open({ sessions: listOf(SESSION) }),
    answer: async ({ deps }) => reply({ sessions: await listSessions(deps) }),
  }),
  actRoute("POST /v1/sessions/:id/end", {
    for: ["agent", "act"],
    summary:
      "Ends a session: its grants, open questions and unused permits end with it. An agent ends its own part. `isHost`: proposals and calls that need a person stay.",
    gives: open({ grants: count, approvals: count, executions: count }),
    body: object({ isHost: maybe(flag) }),
    answer: async ({ deps }, request) => {
      const host = request.body.isHost === true ? { isHost: true as const } : {};
      return reply(orThrow(await endSession(deps, { ...endingOf(request, request.params.id), ...host })));
    },
  }),
  readRoute("GET /v1/notices", {
    for: ["read"],
    summary: "Your notices, newest first.",
    gives: open({ notices: listOf(NOTICE) }),
    query: object({ unread: maybe(yesOrNo), limit }),
    answer: async ({ deps }, request) => {
      const { unread = false, limit: listed = LISTED } = request.query;
      const notices = await listNotices(deps, { to: personOf(request).name, unread, limit: listed });
      return reply({ notices: notices.map(noticeView) });
    },
  }),
  actRoute("POST /v1/notices/:id/read", {
    for: ["self"],
    summary: "Marks a notice as read.",
    gives: NOTICE,
    body: NO_BODY,
    answer: async ({ deps }, request) => {
      const id = request.params.id;
      ensureFor(await noticeAt(deps, id), id, personOf(request));
      return reply(noticeView(orThrow(await readNotice(deps, id))));
    },
  }),
  readRoute("GET /v1/limits", {
    for: ["read"],
    summary: "The limits of the policy and their use, for every known agent and every declared tool.",
    gives: open({ limits: listOf(LIMIT) }),
    query: object({ agent: maybe(text), session: maybe(text), tool: maybe(text) }),
    answer: async ({ deps }, request) => reply({ limits: await listLimits(deps, request.query) }),
  }),
];

/** An agent can end only its own part of a session. */
function endingOf(request: Pick<HttpRequest, "who">, session: string): { session: string; agent?: string; by: string } {
  const { who } = request;
  return who.is === "agent" ? { session, agent: who.agent, by: who.agent } : { session, by: actingOf(request).by };
}
