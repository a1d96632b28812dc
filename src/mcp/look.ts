import type { Offer } from "../core/standing/pin.ts";
import type { JsonObject } from "../core/values/json.ts";
import { visible, visibleText } from "../core/values/text.ts";
import type { Deps } from "../gate/deps.ts";
import { readPins } from "../gate/standing/pins.ts";
import { catalogueOf } from "./catalogue.ts";
import { errorText } from "./error-text.ts";
import { NEWER, newerMeta, OLDER } from "./newer/versions.ts";
import { instructionsOffer, startOffer } from "./offers.ts";
import { errorLine, NO_METHOD, notificationLine, type RpcAnswer } from "./rpc.ts";
import { capabilitiesFor } from "./session.ts";
import { type Upstream, type UpstreamSettings, upstreamOf } from "./upstream.ts";

/** Some servers offer tools only a moment after the client has said what it can do. */
const LATE_MS = 300;

type Look = {
  version: string;
  note(text: string): void;
  /** Behind a gateway of its own, a server may also speak only the newer protocol. */
  isAlone: boolean;
  /** How long the server may take for all its answers together. */
  patienceMs?: number;
};

/** Some servers are downloaded when they are started for the first time. */
const PATIENCE_MS = 60_000;

/** What an upstream offers that nobody has accepted yet. It is started to find out, so a person must have accepted that first. */
export async function lookAt(deps: Deps, settings: UpstreamSettings, look: Look): Promise<readonly Offer[]> {
  const upstream = upstreamOf(settings, {
    heard: (from, rpc) => {
      if (rpc.is === "request") from.tell(errorLine(rpc.id, NO_METHOD, `Method not found: ${rpc.method}`));
    },
    changed: () => undefined,
    said: (_, text) => look.note(visibleText(text)),
  });
  const { patienceMs = PATIENCE_MS } = look;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silent(settings.name, patienceMs)), patienceMs);
  });
  try {
    return await Promise.race([newOffers(deps, upstream, look), silence]);
  } finally {
    clearTimeout(timer);
    await upstream.close();
  }
}

class Silent extends Error {
  override readonly name = "Silent";
  readonly hint =
    "run its command by hand to see what it waits for; if it was still being downloaded, run `leeway mcp pin` again";
  constructor(server: string, patienceMs: number) {
    super(`the MCP server ${server} has not answered within ${patienceMs / 1000} seconds`);
  }
}

async function newOffers(deps: Deps, upstream: Upstream, look: Look): Promise<readonly Offer[]> {
  const { says, meta } = await greeted(upstream, look);
  const catalogue = catalogueOf(deps, upstream, look.note);
  await catalogue.list(meta);
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  const { shelves } = await catalogue.list(meta);
  const instructions = instructionsOffer(upstream, says);
  const pins = await readPins(deps, upstream.name);
  const offers = [...(instructions === undefined ? [] : [instructions]), ...shelves.map(({ tool }) => tool.offer)];
  return offers.filter((offer) => pins.of(offer)?.state !== "accepted");
}

/** What the upstream says about itself, and what it wants to read in every request: nothing in the protocol up to 2025-11-25. */
async function greeted(
  upstream: Upstream,
  { version, isAlone }: Look,
): Promise<{ says: JsonObject; meta: JsonObject }> {
  // What most clients can do, so that the tools for it are shown too.
  const capabilities = capabilitiesFor(upstream, { roots: { listChanged: true }, sampling: {}, elicitation: {} });
  const clientInfo = { name: "leeway", version };
  const hello = { protocolVersion: OLDER[0] ?? "", capabilities, clientInfo };
  const older = await upstream.greet(hello).catch(failed);
  if (older.ok) {
    upstream.tell(notificationLine("notifications/initialized"));
    return { says: older.result, meta: {} };
  }
  upstream.ungreet();
  const meta = newerMeta({ clientInfo, capabilities });
  const newer = await upstream.ask("server/discover", meta).catch(() => {
    // It was started twice; why the first time failed is what counts.
    const why = visible(String(older.error["message"]));
    throw new Error(`the MCP server ${upstream.name} ended or cannot be started: ${why}`);
  });
  if (!newer.ok) throw new Error(`the MCP server ${upstream.name} answers: ${visible(String(older.error["message"]))}`);
  if (!isAlone) throw new Error(newerOnly(upstream.name));
  return { says: newer.result, meta };
}

function failed(error: unknown): RpcAnswer {
  return { ok: false, error: { message: errorText(error) } };
}

function newerOnly(name: string): string {
  return `the MCP server ${name} speaks only the protocol of ${NEWER}, so it cannot be in mcp.json; start it with \`leeway mcp --name ${name} -- COMMAND\``;
}

/** How the upstream is started, unless a person has accepted that. */
export async function unacceptedStart(deps: Deps, settings: UpstreamSettings): Promise<Offer | undefined> {
  if (settings.isNamed) return undefined;
  const offer = startOffer({ name: settings.name, settings });
  return (await readPins(deps, settings.name)).of(offer)?.state === "accepted" ? undefined : offer;
}
