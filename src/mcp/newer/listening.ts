import { isObject, type JsonObject } from "../../core/values/json.ts";
import { type Places, placeOf } from "../many.ts";
import { notificationLine, type RpcId, resultLine } from "../rpc.ts";
import type { ClientRequest, Session } from "../session.ts";

// `subscriptions/listen`: a request of the newer protocol that stays open, and on which a client hears of changes. The
// upstreams tell the gateway about changes as in the older protocol.

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

const WANTED: ReadonlyMap<string, string> = new Map([
  ["notifications/tools/list_changed", "toolsListChanged"],
  ["notifications/prompts/list_changed", "promptsListChanged"],
  ["notifications/resources/list_changed", "resourcesListChanged"],
]);
const UPDATED = "notifications/resources/updated";
const URIS_MAX = 1_000;

export async function listen(session: Session, places: Places, { id, params, active }: ClientRequest): Promise<string> {
  const { notifications } = params;
  const asked = notifications !== undefined && isObject(notifications) ? notifications : {};
  const lists = Object.fromEntries([...WANTED.values()].flatMap((key) => (asked[key] === true ? [[key, true]] : [])));
  const uris = await subscribed(session, places, asked["resourceSubscriptions"]);
  const wants = { ...lists, ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }) };
  const ended = new Promise<void>((resolve) => {
    session.listeners.set(id, { wants, uris: new Set(uris), end: resolve });
    active.abort.signal.addEventListener("abort", () => resolve());
  });
  tell(session, id, ACKNOWLEDGED, { notifications: wants });
  await ended;
  session.listeners.delete(id);
  await unsubscribed(session, places, uris);
  return resultLine(id, { _meta: { [SUBSCRIPTION]: id } });
}

/** The resources whose upstream tells about changes. */
async function subscribed(session: Session, places: Places, asked: unknown): Promise<readonly string[]> {
  const texts = Array.isArray(asked) ? asked.filter((uri): uri is string => typeof uri === "string") : [];
  const found: string[] = [];
  for (const uri of texts.slice(0, URIS_MAX)) {
    const upstream = await placeOf(session, places, uri);
    const answer = await upstream?.ask("resources/subscribe", { uri }).catch(() => undefined);
    if (answer?.ok) found.push(uri);
  }
  return found;
}

async function unsubscribed(session: Session, places: Places, uris: readonly string[]): Promise<void> {
  const unused = uris.filter((uri) => ![...session.listeners.values()].some((other) => other.uris.has(uri)));
  for (const uri of unused) {
    const upstream = await placeOf(session, places, uri);
    // Nobody listens any more, so nobody misses anything if it goes on telling.
    await upstream?.ask("resources/unsubscribe", { uri }).catch(() => undefined);
  }
}

/** Tells every client that listens to this. False if it is nothing that clients listen to. */
export function toldListeners(session: Session, method: string, params: JsonObject): boolean {
  const key = WANTED.get(method);
  if (key === undefined && method !== UPDATED) return false;
  for (const [id, { wants, uris }] of session.listeners) {
    const isWanted = key === undefined ? uris.has(String(params["uri"])) : wants[key] === true;
    if (isWanted) tell(session, id, method, params);
  }
  return true;
}

function tell({ options }: Session, id: RpcId, method: string, params: JsonObject): void {
  const meta = params["_meta"];
  const own = meta !== undefined && isObject(meta) ? meta : {};
  options.send(notificationLine(method, { ...params, _meta: { ...own, [SUBSCRIPTION]: id } }));
}
