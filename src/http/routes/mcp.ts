import { anyText, flag, listOf, maybe, oneOf, open } from "../../service/shape.ts";
import { mcpViews } from "../../service/views/mcp.ts";
import { readRoute, reply } from "../api-route.ts";
import { ms, texts } from "../schemas.ts";

const OFFER = open({
  upstream: anyText,
  of: oneOf(["start", "instructions", "tool"]),
  name: anyText,
  state: oneOf(["accepted", "asked", "refused"]),
  by: texts,
  note: maybe(anyText),
  atMs: ms,
  approvalId: anyText,
  starts: texts,
  changed: flag,
});

const LOGIN = open({
  upstream: anyText,
  url: anyText,
  state: oneOf(["signed-in", "needs-sign-in", "expired", "needs-more-rights"]),
  by: maybe(anyText),
  issuer: maybe(anyText),
  atMs: ms,
});

/** What MCP servers behind the gateway offer. */
export const MCP_ROUTES = [
  readRoute("GET /v1/mcp", {
    for: ["read"],
    summary:
      "What MCP servers offer: which definitions people accepted or refused, and which wait for an answer; and who is signed in at them.",
    gives: open({ offers: listOf(OFFER), logins: listOf(LOGIN) }),
    answer: async ({ deps }) => reply(await mcpViews(deps)),
  }),
];
