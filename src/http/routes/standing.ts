import type { PauseScope } from "../../core/standing.ts";
import type { Move } from "../../gate/standing/agents.ts";
import { listPauses } from "../../gate/standing/pause.ts";
import { DECLARATION, type DeclarationInput, toolsOf } from "../../service/declarations.ts";
import { GRANT, type GrantInput, grantsOf } from "../../service/grants.ts";
import { agentsOf, agentView, MOVE, pausesOf } from "../../service/people.ts";
import { maybe, reason, text } from "../../service/shape.ts";
import { json } from "../answer.ts";
import { actingOf } from "../person.ts";
import type { Asked } from "../request.ts";
import type { Route } from "../route.ts";

// What decisions rest on: grants, how much leeway each agent has, pauses.

const { by: _grantor, ...NEW_GRANT } = GRANT;
const { by: _declarer, ...NEW_DECLARATION } = DECLARATION;
const { by: _mover, agent: _agent, ...NEW_MOVE } = MOVE;

export const STANDING_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/grants",
    for: ["read"],
    summary: "Grants, each with how often it was used.",
    gives: { grants: ["HeldGrant"] },
    act: async ({ deps }) => json({ grants: await grantsOf(deps).list() }),
  },
  {
    method: "POST",
    path: "/v1/grants",
    for: ["act"],
    fresh: true,
    summary: "A person's bounded yes in advance. Neither `until` nor `uses`: 24 hours.",
    gives: "Grant",
    body: NEW_GRANT,
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      return json(await grantsOf(deps, sure).add({ ...bodyOf<Omit<GrantInput, "by">>(asked), by }), 201);
    },
  },
  {
    method: "DELETE",
    path: "/v1/grants/:id",
    for: ["act"],
    summary: "Revokes a grant; from the next call on it covers nothing.",
    gives: "Grant",
    act: async ({ deps }, asked) => json(await grantsOf(deps).revoke(paramOf(asked, "id"), { by: actingOf(asked).by })),
  },
  {
    method: "GET",
    path: "/v1/tools",
    for: ["read"],
    summary: "What people declared that tools do, newest first.",
    gives: { tools: ["Declaration"] },
    act: async ({ deps }) => json({ tools: await toolsOf(deps).list() }),
  },
  {
    method: "POST",
    path: "/v1/tools",
    for: ["act"],
    fresh: true,
    summary: "Says what a tool does, by name and definition, or what the tools of a whole server do.",
    gives: "Declaration",
    body: NEW_DECLARATION,
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      return json(await toolsOf(deps, sure).declare({ ...bodyOf<Omit<DeclarationInput, "by">>(asked), by }), 201);
    },
  },
  {
    method: "DELETE",
    path: "/v1/tools/:id",
    for: ["act"],
    summary: "Takes a declaration back; from the next call on the tool is unknown again.",
    gives: "Declaration",
    act: async ({ deps }, asked) => json(await toolsOf(deps).forget(paramOf(asked, "id"), { by: actingOf(asked).by })),
  },
  {
    method: "GET",
    path: "/v1/agents",
    for: ["read"],
    summary: "Every agent that ever asked.",
    gives: { agents: ["Agent"] },
    act: async ({ deps }) => json({ agents: await agentsOf(deps).list() }),
  },
  {
    method: "GET",
    path: "/v1/agents/:name",
    for: ["read"],
    summary: "One agent with what was decided about its leeway, and its record.",
    gives: "Agent",
    act: async ({ deps }, asked) => json(await agentView(deps, paramOf(asked, "name"))),
  },
  {
    method: "POST",
    path: "/v1/agents/:name/promote",
    for: ["act"],
    fresh: true,
    summary: "More leeway for an agent, for a class of effect or in general, until a time.",
    body: NEW_MOVE,
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      return json(await agentsOf(deps, sure).promote({ ...moveOf(asked), by }));
    },
  },
  {
    method: "POST",
    path: "/v1/agents/:name/demote",
    for: ["act"],
    summary: "Less leeway for an agent.",
    body: NEW_MOVE,
    act: async ({ deps }, asked) => json(await agentsOf(deps).demote({ ...moveOf(asked), by: actingOf(asked).by })),
  },
  {
    method: "POST",
    path: "/v1/agents/:name/pause",
    for: ["act"],
    summary: "Stops an agent: from its next call on everything it asks is refused.",
    gives: "Pause",
    body: { because: reason },
    act: async ({ deps }, asked) => {
      const { because } = bodyOf<{ because: string }>(asked);
      const scope: PauseScope = { of: "agent", name: paramOf(asked, "name") };
      return json(await pausesOf(deps).pause(scope, { because, by: actingOf(asked).by }), 201);
    },
  },
  {
    method: "GET",
    path: "/v1/pauses",
    for: ["read"],
    summary: "What stands still, and why.",
    gives: { pauses: ["Pause"] },
    act: async ({ deps }) => json({ pauses: await listPauses(deps) }),
  },
  {
    method: "POST",
    path: "/v1/pauses",
    for: ["act"],
    summary:
      "The kill switch: everything, an agent, a session, a tool, a grant or a reviewer; a reviewer takes an admin and a fresh sign-in.",
    gives: "Pause",
    body: { of: text, name: maybe(text), session: maybe(text), agent: maybe(text), because: reason },
    act: async ({ deps }, asked) => {
      const { because, ...scope } = bodyOf<{ because: string } & PauseScope>(asked);
      const { by, ...sure } = actingOf(asked);
      return json(await pausesOf(deps, sure).pause(scope as PauseScope, { because, by }), 201);
    },
  },
  {
    method: "DELETE",
    path: "/v1/pauses/:id",
    for: ["act"],
    fresh: true,
    summary: "Lifts a pause.",
    gives: "Pause",
    act: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      return json(await pausesOf(deps, sure).resume(paramOf(asked, "id"), { by }));
    },
  },
];

function moveOf(asked: Asked): Omit<Move, "by"> {
  return { ...bodyOf<Omit<Move, "by" | "agent">>(asked), agent: paramOf(asked, "name") };
}

/** Looked at against the route's shape already. */
function bodyOf<T>({ body }: Asked): T {
  return body as T;
}

function paramOf({ params }: Asked, name: string): string {
  return params[name] ?? "";
}
