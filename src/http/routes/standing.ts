import { inEnglish } from "../../core/messages/in-english.ts";
import { demote, listAgents, promote } from "../../gate/standing/agents.ts";
import { listDeclarations } from "../../gate/standing/declarations.ts";
import { listGrants } from "../../gate/standing/grants.ts";
import { liftPause, listPauses, setPause } from "../../gate/standing/pause.ts";
import { declare, toolsOf } from "../../service/declarations.ts";
import { give, grantsOf } from "../../service/grants.ts";
import { agentView, VOUCHED } from "../../service/people.ts";
import { orThrow } from "../../service/refusal.ts";
import { choice, listOf, object, open, reason, textOf, withAll } from "../../service/shape.ts";
import { DECLARED } from "../../service/shapes/declaration.ts";
import { GRANT_INPUT } from "../../service/shapes/grant.ts";
import { MOVE, PAUSABLE } from "../../service/shapes/people.ts";
import { actRoute, readRoute, reply } from "../api-route.ts";
import { actingOf } from "../person.ts";
import { AGENT, DECLARATION, GRANT, HELD_GRANT, PAUSE, PROMOTION } from "../schemas.ts";

// What decisions rest on: grants, how much leeway each agent has, pauses.

// Who does it is proved, and is no part of a body.
const { by: _grantor, ...NEW_GRANT } = GRANT_INPUT.keys;
const { by: _mover, agent: _agent, ...NEW_MOVE } = MOVE.keys;

export const STANDING_ROUTES = [
  readRoute("GET /v1/grants", {
    for: ["read"],
    summary: "Grants, each with how often it was used.",
    gives: open({ grants: listOf(HELD_GRANT) }),
    answer: async ({ deps }) => reply({ grants: await listGrants(deps) }),
  }),
  actRoute("POST /v1/grants", {
    for: ["act"],
    fresh: true,
    summary: "A person's bounded yes in advance. Neither `until` nor `uses`: 24 hours.",
    gives: GRANT,
    body: object(NEW_GRANT),
    answer: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      return reply(await give(deps, { ...asked.body, by }, sure), 201);
    },
  }),
  actRoute("DELETE /v1/grants/:id", {
    for: ["act"],
    summary: "Revokes a grant; from the next call on it covers nothing.",
    gives: GRANT,
    answer: async ({ deps }, asked) => reply(await grantsOf(deps).revoke(asked.params.id, { by: actingOf(asked).by })),
  }),
  readRoute("GET /v1/tools", {
    for: ["read"],
    summary: "What people declared that tools do, newest first.",
    gives: open({ tools: listOf(DECLARATION) }),
    answer: async ({ deps }) => reply({ tools: await listDeclarations(deps) }),
  }),
  actRoute("POST /v1/tools", {
    for: ["act"],
    fresh: true,
    summary: "Says what a tool does, by name and definition, or what the tools of a whole server do.",
    gives: DECLARATION,
    body: DECLARED,
    answer: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      return reply(await declare(deps, { ...asked.body, by }, sure), 201);
    },
  }),
  actRoute("DELETE /v1/tools/:id", {
    for: ["act"],
    summary: "Takes a declaration back; from the next call on the tool is unknown again.",
    gives: DECLARATION,
    answer: async ({ deps }, asked) => reply(await toolsOf(deps).forget(asked.params.id, { by: actingOf(asked).by })),
  }),
  readRoute("GET /v1/agents", {
    for: ["read"],
    summary: "Every agent that ever asked.",
    gives: open({ agents: listOf(AGENT) }),
    answer: async ({ deps }) => reply({ agents: await listAgents(deps) }),
  }),
  readRoute("GET /v1/agents/:name", {
    for: ["read"],
    summary: "One agent with what was decided about its leeway, and its record.",
    gives: AGENT,
    answer: async ({ deps }, asked) => reply(await agentView(deps, asked.params.name)),
  }),
  actRoute("POST /v1/agents/:name/promote", {
    for: ["act"],
    fresh: true,
    summary: "More leeway for an agent, for a class of effect or in general, until a time.",
    gives: PROMOTION,
    body: object(NEW_MOVE),
    answer: async ({ deps }, asked) => {
      const { by, ...sure } = actingOf(asked);
      return reply(orThrow(await promote(deps, { ...asked.body, agent: asked.params.name, by, ...sure })));
    },
  }),
  actRoute("POST /v1/agents/:name/demote", {
    for: ["act"],
    summary: "Less leeway for an agent.",
    gives: PROMOTION,
    body: object(NEW_MOVE),
    answer: async ({ deps }, asked) => {
      const { by } = actingOf(asked);
      return reply(orThrow(await demote(deps, { ...asked.body, agent: asked.params.name, by })));
    },
  }),
  actRoute("POST /v1/agents/:name/pause", {
    for: ["act"],
    summary: "Stops an agent: from its next call on everything it asks is refused.",
    gives: PAUSE,
    body: object({ because: reason }),
    answer: async ({ deps }, asked) => {
      const scope = { of: "agent" as const, name: asked.params.name };
      const { by } = actingOf(asked);
      return reply(inEnglish(orThrow(await setPause(deps, { ...asked.body, scope, by, ...VOUCHED }))), 201);
    },
  }),
  readRoute("GET /v1/pauses", {
    for: ["read"],
    summary: "What stands still, and why.",
    gives: open({ pauses: listOf(PAUSE) }),
    answer: async ({ deps }) => reply({ pauses: inEnglish(await listPauses(deps)) }),
  }),
  actRoute("POST /v1/pauses", {
    for: ["act"],
    summary:
      "The kill switch: everything, an agent, a session, a tool, a grant or a reviewer; a reviewer takes an admin and a fresh sign-in.",
    gives: PAUSE,
    body: choice("of", withAll(PAUSABLE, { because: reason })),
    answer: async ({ deps }, asked) => {
      const { because, ...scope } = asked.body;
      return reply(inEnglish(orThrow(await setPause(deps, { scope, because, ...actingOf(asked) }))), 201);
    },
  }),
  actRoute("DELETE /v1/pauses/:id", {
    for: ["act"],
    fresh: true,
    summary: "Lifts a pause.",
    gives: PAUSE,
    answer: async ({ deps }, asked) => {
      return reply(inEnglish(orThrow(await liftPause(deps, textOf(asked.params.id, "id"), actingOf(asked)))));
    },
  }),
];
