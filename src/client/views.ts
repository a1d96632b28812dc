import type { Token } from "../core/people.ts";
import type { JsonObject } from "../core/values/json.ts";
import type { Inbox } from "../service/inbox.ts";
import type { AgentView } from "../service/people.ts";
import type { RowView } from "../service/rows.ts";
import type { Status } from "../service/status.ts";
import type { Why } from "../service/why.ts";
import { at } from "./path.ts";
import type { ServerConnection } from "./server-connection.ts";

/** A token without what would open anything. */
export type TokenView = Omit<Token, "lock">;

/** What people look at, as a server shows it to the person whose token it is. Each is the answer of the verb of that name. */
export type Views = {
  status(): Promise<Status>;
  inbox(): Promise<Inbox>;
  row(id: string): Promise<RowView>;
  why(id: string): Promise<Why>;
  agent(name: string): Promise<AgentView>;
  tokens(): Promise<readonly TokenView[]>;
  revokeToken(id: string): Promise<TokenView>;
  reveal(approvalId: string): Promise<JsonObject>;
};

export function viewsAt({ ask }: ServerConnection): Views {
  return {
    status: async () => (await ask({ path: "/v1/status" })) as unknown as Status,
    inbox: async () => (await ask({ path: "/v1/inbox" })) as unknown as Inbox,
    row: async (id) => (await ask({ path: at`/v1/rows/${id}` })) as unknown as RowView,
    why: async (id) => (await ask({ path: at`/v1/calls/${id}/why` })) as unknown as Why,
    agent: async (name) => (await ask({ path: at`/v1/agents/${name}` })) as unknown as AgentView,
    tokens: async () => ((await ask({ path: "/v1/tokens" })) as unknown as { tokens: readonly TokenView[] }).tokens,
    revokeToken: async (id) => (await ask({ path: at`/v1/tokens/${id}`, method: "DELETE" })) as unknown as TokenView,
    reveal: async (approvalId) => {
      const path = at`/v1/approvals/${approvalId}/reveal`;
      return ((await ask({ path, method: "POST", body: {} })) as unknown as { args: JsonObject }).args;
    },
  };
}
