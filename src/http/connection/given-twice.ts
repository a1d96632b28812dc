import { say } from "../../core/messages/message.ts";
import { badInput, type LeewayRefusal } from "../../service/refusal.ts";

/** Headers that decide what a request is, who sent it and for whom. Of most of them, Node silently takes the first. */
const DECIDING: ReadonlySet<string> = new Set([
  ...["host", "authorization", "proxy-authorization", "cookie", "origin", "referer", "sec-fetch-site", "expect"],
  ...["content-type", "content-length", "content-encoding", "transfer-encoding", "idempotency-key", "last-event-id"],
  ...["traceparent", "user-agent", "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name"],
  ...["x-slack-signature", "x-slack-request-timestamp"],
  ...["x-lark-signature", "x-lark-request-timestamp", "x-lark-request-nonce"],
]);

/** Two programs could each believe another one of them: a proxy the first, this server the second. */
export function givenTwice(rawHeaders: readonly string[]): LeewayRefusal | undefined {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (!DECIDING.has(name)) continue;
    if (seen.has(name)) return badInput(name, say("refusal.header_twice"), say("hint.send_header_once"));
    seen.add(name);
  }
  return undefined;
}
