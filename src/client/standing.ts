import type { Gate } from "../library/gate.ts";
import { parse, textOf } from "../service/shape.ts";
import { DECLARED } from "../service/shapes/declaration.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { Vouching } from "./vouching.ts";

// What decisions are based on, as far as a person's token may see and change it. Each method returns what the library's verb returns.

const named = (id: string, path = "id") => ({ id: textOf(id, path) });
const called = (name: string, path = "name") => ({ name: textOf(name, path) });

export function grantsAt({ ask }: ServerConnection, { as }: Vouching): Gate["grants"] {
  return {
    list: async () => (await ask("GET /v1/grants", {})).grants,
    add: async ({ by, ...body }) => {
      await as({ by });
      return ask("POST /v1/grants", { body });
    },
    revoke: async (id, who) => {
      await as(who);
      return ask("DELETE /v1/grants/:id", { params: named(id) });
    },
    suggest: async (approvalId) =>
      (await ask("GET /v1/approvals/:id", { params: named(approvalId, "approvalId") })).remember,
  };
}

export function toolsAt({ ask }: ServerConnection, { as }: Vouching): Gate["tools"] {
  return {
    list: async () => (await ask("GET /v1/tools", {})).tools,
    declare: async ({ by, ...declaration }) => {
      const body = parse(DECLARED, declaration);
      await as({ by });
      return ask("POST /v1/tools", { body });
    },
    forget: async (id, who) => {
      await as(who);
      return ask("DELETE /v1/tools/:id", { params: named(id) });
    },
  };
}

export function agentsAt({ ask }: ServerConnection, { as }: Vouching): Gate["agents"] {
  return {
    list: async () => (await ask("GET /v1/agents", {})).agents,
    get: async (name) => {
      const {
        record: _,
        promotions: __,
        pauses: ___,
        ...agent
      } = await ask("GET /v1/agents/:name", {
        params: called(name),
      });
      return agent;
    },
    promote: async ({ by, agent, ...body }) => {
      await as({ by });
      return ask("POST /v1/agents/:name/promote", { params: called(agent, "agent"), body });
    },
    demote: async ({ by, agent, ...body }) => {
      await as({ by });
      return ask("POST /v1/agents/:name/demote", { params: called(agent, "agent"), body });
    },
  };
}

export function peopleAt({ ask }: ServerConnection, { as }: Vouching): Gate["people"] {
  return {
    list: async () => (await ask("GET /v1/people", {})).people,
    add: async ({ by, ...body }) => {
      if (by !== undefined) await as({ by });
      return ask("POST /v1/people", { body });
    },
    change: async (name, { by, ...body }) => {
      await as({ by });
      return ask("PUT /v1/people/:name", { params: called(name), body });
    },
    remove: async (name, who) => {
      await as(who);
      return ask("DELETE /v1/people/:name", { params: called(name) });
    },
  };
}

export function pausesAt({ ask }: ServerConnection, { as }: Vouching): Pick<Gate, "pause" | "resume" | "pauses"> {
  return {
    pause: async (scope, { by, because }) => {
      await as({ by });
      return ask("POST /v1/pauses", { body: { ...scope, because } });
    },
    resume: async (id, who) => {
      await as(who);
      return ask("DELETE /v1/pauses/:id", { params: named(id) });
    },
    pauses: async () => (await ask("GET /v1/pauses", {})).pauses,
  };
}
