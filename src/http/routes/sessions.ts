import { endSession } from "../../gate/calls/sessions.ts";
import { listNotices, noticeAt, readNotice } from "../../gate/notices/notices.ts";
import { listLimits } from "../../gate/standing/limits.ts";
import { orThrow } from "../../service/refusal.ts";
import { maybe, oneOf, text } from "../../service/shape.ts";
import { json } from "../answer.ts";
import { ensureFor, noticeView } from "../notice-view.ts";
import { limitOf, PAGE_QUERY } from "../paging.ts";
import { actingOf, personOf } from "../person.ts";
import type { Asked } from "../request.ts";
import type { Route } from "../route.ts";

// What comes and goes with the work: sessions, what people were told, how full the limits are.

const { limit } = PAGE_QUERY;

export const SESSION_ROUTES: readonly Route[] = [
  {
    method: "POST",
    path: "/v1/sessions/:id/end",
    for: ["agent", "act"],
    summary: "Ends a session: its grants, open questions and unused permits end with it. An agent ends its own part.",
    body: {},
    act: async ({ deps }, asked) => json(orThrow(await endSession(deps, endingOf(asked)))),
  },
  {
    method: "GET",
    path: "/v1/notices",
    for: ["read"],
    summary: "What the one who asks was told, newest first.",
    gives: { notices: ["Notice"] },
    query: { unread: maybe(oneOf(["true", "false"])), limit },
    act: async ({ deps }, asked) => {
      const unread = asked.query["unread"] === "true";
      const notices = await listNotices(deps, { to: personOf(asked).name, unread, limit: limitOf(asked.query) });
      return json({ notices: notices.map(noticeView) });
    },
  },
  {
    method: "POST",
    path: "/v1/notices/:id/read",
    for: ["self"],
    summary: "Marks one as seen.",
    gives: "Notice",
    body: {},
    act: async ({ deps }, asked) => {
      const id = asked.params["id"] ?? "";
      ensureFor(await noticeAt(deps, id), id, personOf(asked));
      return json(noticeView(orThrow(await readNotice(deps, id))));
    },
  },
  {
    method: "GET",
    path: "/v1/limits",
    for: ["read"],
    summary:
      "The limits of the policy and how full each is, for every agent that asked and every tool that is declared.",
    gives: { limits: ["Limit"] },
    query: { agent: maybe(text), session: maybe(text), tool: maybe(text) },
    act: async ({ deps }, asked) => json({ limits: await listLimits(deps, asked.query) }),
  },
];

/** An agent never says whose session it ends: only its own part of it. */
function endingOf(asked: Asked): { session: string; agent?: string; by: string } {
  const session = asked.params["id"] ?? "";
  const { who } = asked;
  return who.is === "agent" ? { session, agent: who.agent, by: who.agent } : { session, by: actingOf(asked).by };
}
