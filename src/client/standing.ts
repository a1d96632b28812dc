import type { Gate } from "../library/gate.ts";
import type { AgentView } from "../service/people.ts";
import { textOf } from "../service/shape.ts";
import { at } from "./path.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { Vouching } from "./vouching.ts";

// What decisions rest on, as a person's token may see and change it. Each answer is the one of the library's verb.

type Of<K extends keyof Gate, V extends keyof Gate[K]> = Gate[K][V] extends (...given: never[]) => Promise<infer T>
  ? T
  : never;

export function grantsAt({ ask }: ServerConnection, { as }: Vouching): Gate["grants"] {
  return {
    list: async () => ((await ask({ path: "/v1/grants" })) as unknown as { grants: Of<"grants", "list"> }).grants,
    add: async ({ by, ...grant }) => {
      await as({ by });
      return (await ask({ path: "/v1/grants", method: "POST", body: grant })) as unknown as Of<"grants", "add">;
    },
    revoke: async (id, who) => {
      await as(who);
      const path = at`/v1/grants/${textOf(id, "id")}`;
      return (await ask({ path, method: "DELETE" })) as unknown as Of<"grants", "revoke">;
    },
    suggest: async (approvalId) => {
      const path = at`/v1/approvals/${textOf(approvalId, "approvalId")}`;
      return ((await ask({ path })) as unknown as { remember: Of<"grants", "suggest"> }).remember;
    },
  };
}

export function toolsAt({ ask }: ServerConnection, { as }: Vouching): Gate["tools"] {
  return {
    list: async () => ((await ask({ path: "/v1/tools" })) as unknown as { tools: Of<"tools", "list"> }).tools,
    declare: async ({ by, ...declaration }) => {
      await as({ by });
      return (await ask({ path: "/v1/tools", method: "POST", body: declaration })) as unknown as Of<"tools", "declare">;
    },
    forget: async (id, who) => {
      await as(who);
      const path = at`/v1/tools/${textOf(id, "id")}`;
      return (await ask({ path, method: "DELETE" })) as unknown as Of<"tools", "forget">;
    },
  };
}

export function agentsAt({ ask }: ServerConnection, { as }: Vouching): Gate["agents"] {
  const moved = async (how: "promote" | "demote", move: Parameters<Gate["agents"]["promote"]>[0]) => {
    const { by, agent, ...body } = move;
    await as({ by });
    return ask({ path: at`/v1/agents/${textOf(agent, "agent")}/${how}`, method: "POST", body });
  };
  return {
    list: async () => ((await ask({ path: "/v1/agents" })) as unknown as { agents: Of<"agents", "list"> }).agents,
    get: async (name) => {
      const path = at`/v1/agents/${textOf(name, "name")}`;
      const { record: _, promotions: __, pauses: ___, ...agent } = (await ask({ path })) as unknown as AgentView;
      return agent;
    },
    promote: async (move) => (await moved("promote", move)) as unknown as Of<"agents", "promote">,
    demote: async (move) => (await moved("demote", move)) as unknown as Of<"agents", "demote">,
  };
}

export function peopleAt({ ask }: ServerConnection, { as }: Vouching): Gate["people"] {
  return {
    list: async () => ((await ask({ path: "/v1/people" })) as unknown as { people: Of<"people", "list"> }).people,
    add: async ({ by, ...person }) => {
      if (by !== undefined) await as({ by });
      return (await ask({ path: "/v1/people", method: "POST", body: person })) as unknown as Of<"people", "add">;
    },
    change: async (name, { by, ...becoming }) => {
      await as({ by });
      const path = at`/v1/people/${textOf(name, "name")}`;
      return (await ask({ path, method: "PUT", body: becoming })) as unknown as Of<"people", "change">;
    },
    remove: async (name, who) => {
      await as(who);
      const path = at`/v1/people/${textOf(name, "name")}`;
      return (await ask({ path, method: "DELETE" })) as unknown as Of<"people", "remove">;
    },
  };
}

export function pausesAt({ ask }: ServerConnection, { as }: Vouching): Pick<Gate, "pause" | "resume" | "pauses"> {
  type Pauses = Awaited<ReturnType<Gate["pauses"]>>;
  return {
    pause: async (scope, { by, because }) => {
      await as({ by });
      return (await ask({
        path: "/v1/pauses",
        method: "POST",
        body: { ...scope, because },
      })) as unknown as Pauses[number];
    },
    resume: async (id, who) => {
      await as(who);
      return (await ask({ path: at`/v1/pauses/${textOf(id, "id")}`, method: "DELETE" })) as unknown as Pauses[number];
    },
    pauses: async () => ((await ask({ path: "/v1/pauses" })) as unknown as { pauses: Pauses }).pauses,
  };
}
