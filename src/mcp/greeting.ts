import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { askForPin, readPins } from "../gate/standing/pins.ts";
import { errorText } from "./error-text.ts";
import { instructionsOffer, startOffer } from "./offers.ts";
import { answerLine, type RpcAnswer, type RpcId, resultLine } from "./rpc.ts";
import { withoutWords } from "./server-words.ts";
import { capabilitiesFor, noteClient, openUpstreams, type Session } from "./session.ts";
import type { Upstream } from "./upstream.ts";

// `initialize`: the client says who it is, and is told what the upstreams can do.

export async function initialize(session: Session, id: RpcId, params: JsonObject): Promise<string> {
  const { clientInfo, capabilities } = params;
  noteClient(session, isObject(clientInfo) ? clientInfo : {}, capabilities);
  await openWhatIsAccepted(session);
  const greetings = await Promise.all(openUpstreams(session).map((one) => greeted(session, one, params)));
  if (session.options.isAlone) {
    const [only] = greetings;
    if (only === undefined) throw new Error("nobody has accepted how this MCP server is started");
    return answerLine(id, only);
  }
  const said = greetings.flatMap((answer) => (answer.ok ? [answer.result] : []));
  return resultLine(id, merged(session, params, said));
}

/** A server that the settings name is started only after a person has accepted how. */
export async function openWhatIsAccepted(session: Session): Promise<void> {
  const { deps, options } = session;
  for (const upstream of session.upstreams) {
    if (upstream.settings.isNamed) continue;
    const offer = startOffer(upstream);
    const pins = await readPins(deps, upstream.name);
    const pin = pins.of(offer);
    session.isOpen.set(upstream, pin?.state === "accepted");
    if (pin?.state === "accepted") continue;
    const asked = pin?.approvalId ?? (await askForPin(deps, offer, pins.before(offer))).approvalId;
    const question = asked === undefined ? "" : `; the question is ${asked}`;
    options.note(`the MCP server ${upstream.name} is not started: nobody has accepted its command${question}\n`);
  }
}

async function greeted(session: Session, upstream: Upstream, params: JsonObject): Promise<RpcAnswer> {
  const { capabilities = {} } = params;
  const allowed = isObject(capabilities) ? capabilitiesFor(upstream, capabilities) : {};
  try {
    const answer = await upstream.greet({ ...params, capabilities: allowed });
    if (answer.ok) return { ok: true, result: await reviewedGreeting(session, upstream, answer.result) };
    if (session.options.isAlone) upstream.ungreet();
    else session.options.note(`the MCP server ${upstream.name} did not start: ${String(answer.error["message"])}\n`);
    return answer;
  } catch (error) {
    if (session.options.isAlone) {
      upstream.ungreet();
      throw error;
    }
    session.options.note(`the MCP server ${upstream.name} did not start: ${errorText(error)}\n`);
    return { ok: false, error: {} };
  }
}

/**
 * Every model reads the instructions of a server, and may read whatever else it says about itself, so this is left out
 * until a person has accepted it. Accepting a tool changes the list of tools.
 */
export async function reviewedGreeting(
  session: Session,
  upstream: Upstream,
  greeting: JsonObject,
): Promise<JsonObject> {
  const offer = instructionsOffer(upstream, greeting);
  const pin = offer && (await readPins(session.deps, upstream.name)).of(offer);
  const reviewed = pin?.state === "accepted" ? greeting : withoutWords(upstream.name, greeting);
  const { capabilities } = reviewed;
  const tools = isObject(capabilities) ? capabilities["tools"] : undefined;
  return {
    ...reviewed,
    ...(isObject(capabilities) && isObject(tools)
      ? { capabilities: { ...capabilities, tools: { ...tools, listChanged: true } } }
      : {}),
  };
}

const MERGED = ["tools", "resources", "prompts", "completions", "logging"];

/** What several upstreams can do together. */
function merged(session: Session, { protocolVersion }: JsonObject, greetings: readonly JsonObject[]): JsonObject {
  const capabilities: Record<string, JsonObject> = { tools: { listChanged: true } };
  for (const { capabilities: own } of greetings) {
    if (own === undefined || !isObject(own)) continue;
    for (const name of MERGED) {
      const one = own[name];
      if (one !== undefined && isObject(one)) capabilities[name] = { ...capabilities[name], ...one };
    }
  }
  const versions = greetings.flatMap(({ protocolVersion: one }) => (typeof one === "string" ? [one] : []));
  const said = greetings.flatMap(({ instructions: one }) => (typeof one === "string" ? [one] : []));
  const instructions = [...said, ...missingLogins(session)];
  return {
    protocolVersion: versions.sort()[0] ?? protocolVersion ?? "2025-11-25",
    capabilities,
    serverInfo: { name: "leeway", version: session.options.version },
    ...(instructions.length === 0 ? {} : { instructions: instructions.join("\n\n") }),
  };
}

/** Otherwise nobody would tell the model why tools are missing that its user expects. */
function missingLogins(session: Session): readonly string[] {
  return openUpstreams(session)
    .filter(({ settings }) => settings.credentials?.isNeeded())
    .map(({ name }) => textOf(say("gateway.login_tools", { server: name }), "en"));
}
