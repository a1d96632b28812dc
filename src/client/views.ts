import type { InboxPart } from "../service/views/inbox.ts";
import type { ServerConnection } from "./server-connection.ts";
import type { AnswerOf } from "./table.ts";

/** A token without its secret. */
export type TokenView = AnswerOf<"DELETE /v1/tokens/:id">;

/** A row with what people need to see beside it, as far as a card would show it. */
export type ShownRow = AnswerOf<"GET /v1/rows/:id">;

/** The views for people, as a server shows them to the owner of the token. */
export function viewsAt({ ask }: ServerConnection) {
  return {
    status: () => ask("GET /v1/status", {}),
    inbox: (which?: InboxPart) => ask("GET /v1/inbox", which === "aside" ? { query: { aside: true } } : {}),
    row: (id: string) => ask("GET /v1/rows/:id", { params: { id } }),
    why: (id: string) => ask("GET /v1/calls/:id/why", { params: { id } }),
    sessions: async () => (await ask("GET /v1/sessions", {})).sessions,
    mcp: () => ask("GET /v1/mcp", {}),
    agent: (name: string) => ask("GET /v1/agents/:name", { params: { name } }),
    tokens: async () => (await ask("GET /v1/tokens", {})).tokens,
    revokeToken: (id: string) => ask("DELETE /v1/tokens/:id", { params: { id } }),
    channels: async () => (await ask("GET /v1/channels", {})).channels,
    testChannel: (kind: string) => ask("POST /v1/channels/:kind/test", { params: { kind }, body: {} }),
    deadNotices: async () => (await ask("GET /v1/notices/dead", {})).notices,
    retryNotice: (id: string) => ask("POST /v1/notices/:id/retry", { params: { id }, body: {} }),
    reveal: async (id: string) => (await ask("POST /v1/approvals/:id/reveal", { params: { id }, body: {} })).args,
  };
}
export type Views = ReturnType<typeof viewsAt>;
