import { type Hash, sha256 } from "../values/hash.ts";
import type { JsonObject } from "../values/json.ts";

// What an MCP server offers is used only after a person has accepted it. Accepting is an ordinary call of a tool of
// Leeway's own: it is asked, shown, answered and recorded like every other call, and it always needs a person.

/** The tool with which an upstream asks a person to accept what it offers. */
export const PIN_TOOL = "leeway.pin";

/** What a person accepts: how a server is started, what it tells every model, or one of its tools. */
export type Offer = {
  /** The name of the upstream in the settings of the gateway. */
  upstream: string;
  of: "start" | "instructions" | "tool";
  /** The name of the tool; otherwise the name of the upstream. */
  name: string;
  /** All that is accepted, as text. A change of one letter makes it another offer. */
  text: string;
};

const hashes = new WeakMap<Offer, Hash>();

/** Two offers with the same hash are the same. Kept, because every call looks for its pin, and definitions can be long. */
export function offerHash(offer: Offer): Hash {
  const known = hashes.get(offer);
  if (known !== undefined) return known;
  const hash = sha256(JSON.stringify([offer.upstream, offer.of, offer.name, offer.text]));
  hashes.set(offer, hash);
  return hash;
}

/** The agent in whose name an upstream asks. */
export function pinAgent(upstream: string): string {
  return `mcp:${upstream}`;
}

/** The upstream that asks in this name, if it is one. */
export function upstreamOfAgent(agent: string): string | undefined {
  return agent.startsWith("mcp:") ? agent.slice("mcp:".length) : undefined;
}

/** The arguments of the call. With the text that was accepted before, cards show the difference. */
export function pinArgs({ upstream, of, name, text }: Offer, before: string | undefined): JsonObject {
  const what = { upstream, of, name };
  return before === undefined ? { ...what, definition: text } : { ...what, old_text: before, new_text: text };
}

/** The offer in the arguments of such a call; undefined if they contain none. */
export function offerIn(args: JsonObject): Offer | undefined {
  const { upstream, of, name, definition, new_text: text = definition } = args;
  if (typeof upstream !== "string" || typeof name !== "string" || typeof text !== "string") return undefined;
  return of === "start" || of === "instructions" || of === "tool" ? { upstream, of, name, text } : undefined;
}
