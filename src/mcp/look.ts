import type { Offer } from "../core/standing/pin.ts";
import type { Deps } from "../gate/deps.ts";
import { readPins } from "../gate/standing/pins.ts";
import { catalogueOf } from "./catalogue.ts";
import { instructionsOffer, startOffer } from "./offers.ts";
import { errorLine, NO_METHOD, notificationLine } from "./rpc.ts";
import { capabilitiesFor } from "./session.ts";
import { type UpstreamSettings, upstreamOf } from "./upstream.ts";

const PROTOCOL = "2025-11-25";
/** Some servers offer tools only a moment after the client has said what it can do. */
const LATE_MS = 300;

/** What an upstream offers that nobody has accepted yet. It is started to find out, so a person must have accepted that first. */
export async function lookAt(
  deps: Deps,
  settings: UpstreamSettings,
  { version, note }: { version: string; note(text: string): void },
): Promise<readonly Offer[]> {
  const upstream = upstreamOf(settings, {
    heard: (from, rpc) => {
      if (rpc.is === "request") from.tell(errorLine(rpc.id, NO_METHOD, `Method not found: ${rpc.method}`));
    },
    changed: () => undefined,
    said: (_, text) => note(text),
  });
  try {
    // What most clients can do, so that the tools for it are shown too.
    const capabilities = capabilitiesFor(upstream, { roots: { listChanged: true }, sampling: {}, elicitation: {} });
    const hello = { protocolVersion: PROTOCOL, capabilities, clientInfo: { name: "leeway", version } };
    const greeted = await upstream.greet(hello);
    if (!greeted.ok) throw new Error(`the MCP server ${settings.name} answers: ${String(greeted.error["message"])}`);
    upstream.tell(notificationLine("notifications/initialized"));
    const catalogue = catalogueOf(deps, upstream, note);
    await catalogue.list({});
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    const { shelves } = await catalogue.list({});
    const instructions = instructionsOffer(upstream, greeted.result);
    const pins = await readPins(deps, settings.name);
    const offers = [...(instructions === undefined ? [] : [instructions]), ...shelves.map(({ tool }) => tool.offer)];
    return offers.filter((offer) => pins.of(offer)?.state !== "accepted");
  } finally {
    await upstream.close();
  }
}

/** How the upstream is started, unless a person has accepted that. */
export async function unacceptedStart(deps: Deps, settings: UpstreamSettings): Promise<Offer | undefined> {
  if (settings.isNamed) return undefined;
  const offer = startOffer({ name: settings.name, settings });
  return (await readPins(deps, settings.name)).of(offer)?.state === "accepted" ? undefined : offer;
}
