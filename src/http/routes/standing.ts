import { inEnglish } from "../../core/messages/text.ts";
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
import { actingOf } from "../identity/person.ts";
import { AGENT, DECLARATION, GRANT, HELD_GRANT, PAUSE, PROMOTION } from "../schemas.ts";

// What decisions depend on: grants, the tiers of agents, pauses.

// Who acts is known from the token or cookie, and is not part of a body.
const { by: _grantor, ...NEW_GRANT } = GRANT_INPUT.keys;
const { by: _mover, agent: _agent, ...NEW_MOVE } = MOVE.keys;

export const STANDING_ROUTES = [
  readRoute("GET /v1/grants", {
    for: ["read"],
    summary: "The grants, each with its number of uses.",
    gives: open({ grants: listOf(HELD_GRANT) }),
    answer: async ({ deps }) => reply({ grants: await listGrants(deps) }),
  }),
  actRoute("POST /v1/grants", {
    for: ["act"],
    fresh: true,
    summary: "Adds a grant: a limited approval in advance. Without `until` and `uses` it lasts 24 hours.",
    gives: GRANT,
    body: object(NEW_GRANT),
    answer: async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      return reply(await give(deps, { ...request.body, by }, sure), 201);
    },
  }),
  actRoute("DELETE /v1/grants/:id", {
    for: ["act"],
    summary: "Revokes a grant; it covers nothing from the next call.",
    gives: GRANT,
    answer: async ({ deps }, request) =>
      reply(await grantsOf(deps).revoke(request.params.id, { by: actingOf(request).by })),
  }),
  readRoute("GET /v1/tools", {
    for: ["read"],
    summary: "What people declared about tools, newest first.",
    gives: open({ tools: listOf(DECLARATION) }),
    answer: async ({ deps }) => reply({ tools: await listDeclarations(deps) }),
  }),
  actRoute("POST /v1/tools", {
    for: ["act"],
    fresh: true,
    summary: "Declares what a tool does, by name and definition, or what the tools of a whole server do.",
    gives: DECLARATION,
    body: DECLARED,
    answer: async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      return reply(await declare(deps, { ...request.body, by }, sure), 201);
    },
  }),
  actRoute("DELETE /v1/tools/:id", {
    for: ["act"],
    summary: "Removes a declaration; from the next call the tool is unknown again.",
    gives: DECLARATION,
    answer: async ({ deps }, request) =>
      reply(await toolsOf(deps).forget(request.params.id, { by: actingOf(request).by })),
  }),
  readRoute("GET /v1/agents", {
    for: ["read"],
    summary: "Every agent that has made a call.",
    gives: open({ agents: listOf(AGENT) }),
    answer: async ({ deps }) => reply({ agents: await listAgents(deps) }),
  }),
  readRoute("GET /v1/agents/:name", {
    for: ["read"],
    summary: "One agent with its promotions and demotions, and its record.",
    gives: AGENT,
    answer: async ({ deps }, request) => reply(await agentView(deps, request.params.name)),
  }),
  actRoute("POST /v1/agents/:name/promote", {
    for: ["act"],
    fresh: true,
    summary: "Promotes an agent to a looser tier, for a class of effect or in general, until a time.",
    gives: PROMOTION,
    body: object(NEW_MOVE),
    answer: async ({ deps }, request) => {
      const { by, ...sure } = actingOf(request);
      return reply(orThrow(await promote(deps, { ...request.body, agent: request.params.name, by, ...sure })));
    },
  }),
  actRoute("POST /v1/agents/:name/demote", {
    for: ["act"],
    summary: "Demotes an agent to a stricter tier.",
    gives: PROMOTION,
    body: object(NEW_MOVE),
    answer: async ({ deps }, request) => {
      const { by } = actingOf(request);
      return reply(orThrow(await demote(deps, { ...request.body, agent: request.params.name, by })));
    },
  }),
  actRoute("POST /v1/agents/:name/pause", {
    for: ["act"],
    summary: "Pauses an agent: all its calls are refused from the next one.",
    gives: PAUSE,
    body: object({ because: reason }),
    answer: async ({ deps }, request) => {
      const scope = { of: "agent" as const, name: request.params.name };
      const { by } = actingOf(request);
      return reply(inEnglish(orThrow(await setPause(deps, { ...request.body, scope, by, ...VOUCHED }))), 201);
    },
  }),
  readRoute("GET /v1/pauses", {
    for: ["read"],
    summary: "What is paused, and why.",
    gives: open({ pauses: listOf(PAUSE) }),
    answer: async ({ deps }) => reply({ pauses: inEnglish(await listPauses(deps)) }),
  }),
  actRoute("POST /v1/pauses", {
    for: ["act"],
    summary:
      "The kill switch: pauses everything, an agent, a session, a tool, a grant or a reviewer. Pausing a reviewer needs an admin and a fresh sign-in.",
    gives: PAUSE,
    body: choice("of", withAll(PAUSABLE, { because: reason })),
    answer: async ({ deps }, request) => {
      const { because, ...scope } = request.body;
      return reply(inEnglish(orThrow(await setPause(deps, { scope, because, ...actingOf(request) }))), 201);
    },
  }),
  actRoute("DELETE /v1/pauses/:id", {
    for: ["act"],
    fresh: true,
    summary: "Ends a pause.",
    gives: PAUSE,
    answer: async ({ deps }, request) => {
      return reply(inEnglish(orThrow(await liftPause(deps, textOf(request.params.id, "id"), actingOf(request)))));
    },
  }),
];
