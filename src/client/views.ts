import type { ServerConnection } from "./server-connection.ts";
import type { AnswerOf } from "./table.ts";

/** A token without what would open anything. */
export type TokenView = AnswerOf<"DELETE /v1/tokens/:id">;

/** A row with what people have to see beside it, as far as a card would show it. */
export type ShownRow = AnswerOf<"GET /v1/rows/:id">;

/** What people look at, as a server shows it to the person whose token it is. */
export function viewsAt({ ask }: ServerConnection) {
  return {
    status: () => ask("GET /v1/status", {}),
    inbox: () => ask("GET /v1/inbox", {}),
    row: (id: string) => ask("GET /v1/rows/:id", { params: { id } }),
    why: (id: string) => ask("GET /v1/calls/:id/why", { params: { id } }),
    agent: (name: string) => ask("GET /v1/agents/:name", { params: { name } }),
    tokens: async () => (await ask("GET /v1/tokens", {})).tokens,
    revokeToken: (id: string) => ask("DELETE /v1/tokens/:id", { params: { id } }),
    reveal: async (id: string) => (await ask("POST /v1/approvals/:id/reveal", { params: { id }, body: {} })).args,
  };
}
export type Views = ReturnType<typeof viewsAt>;
