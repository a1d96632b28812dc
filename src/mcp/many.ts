import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { errorText } from "./error-text.ts";
import { BAD_PARAMS, errorLine, NO_METHOD, resultLine } from "./rpc.ts";
import type { ClientRequest } from "./session.ts";
import { meantBy, noteSent, openUpstreams, type Session, shownName } from "./session.ts";
import type { Upstream } from "./upstream.ts";

// Several upstreams behind one client: lists are put together, and what the client names is looked up.

/** The lists, the key of each, and whether its items are known by a name that two upstreams may share. */
const LISTS: { readonly [method: string]: { key: string; isNamed: boolean; needs: string } } = {
  "prompts/list": { key: "prompts", isNamed: true, needs: "prompts" },
  "resources/list": { key: "resources", isNamed: false, needs: "resources" },
  "resources/templates/list": { key: "resourceTemplates", isNamed: false, needs: "resources" },
};

/** Which upstream has a resource: the one that listed it, or whose template it may be made from. */
export type Places = { uris: Map<string, Upstream>; templates: { start: string; upstream: Upstream }[] };

export function noPlaces(): Places {
  return { uris: new Map(), templates: [] };
}

/** The answer to a request that is for several upstreams or for one of them. */
export async function answerForMany(
  session: Session,
  places: Places,
  method: string,
  sent: ClientRequest,
): Promise<string> {
  const { id, params, line } = sent;
  const list = Object.hasOwn(LISTS, method) ? LISTS[method] : undefined;
  if (list !== undefined) return resultLine(id, { [list.key]: await everyItem(session, places, method, list) });
  if (method === "ping") return resultLine(id, {});
  if (method === "logging/setLevel") {
    const able = openUpstreams(session).filter((one) => can(one, "logging"));
    await Promise.all(able.map((one) => one.ask(method, params).catch(() => undefined)));
    return resultLine(id, {});
  }
  const target = await targetOf(session, places, method, params);
  if (target === undefined) return errorLine(id, ...unknown(method));
  noteSent(sent, target.upstream);
  const own = target.params === params ? line : JSON.stringify({ jsonrpc: "2.0", id, method, params: target.params });
  const answered = await target.upstream.forward(id, own);
  return answered.is === "answer" ? answered.line : errorLine(id, -32000, `${target.upstream.name}: ${answered.why}`);
}

function unknown(method: string): [number, string] {
  return BY_NAME.test(method) ? [BAD_PARAMS, "No MCP server here has it"] : [NO_METHOD, `Method not found: ${method}`];
}

const BY_NAME = /^(prompts\/get|resources\/(un)?subscribe|completion\/complete)$/;

type Target = { upstream: Upstream; params: JsonObject };

async function targetOf(
  session: Session,
  places: Places,
  method: string,
  params: JsonObject,
): Promise<Target | undefined> {
  const { name, uri, ref } = params;
  if (method === "prompts/get" && typeof name === "string") {
    const meant = meantBy(session, name);
    return meant && { upstream: meant.upstream, params: { ...params, name: meant.name } };
  }
  if (/^resources\/(un)?subscribe$/.test(method) && typeof uri === "string") {
    const upstream = await placeOf(session, places, uri);
    return upstream && { upstream, params };
  }
  if (method !== "completion/complete" || ref === undefined || !isObject(ref)) return undefined;
  if (typeof ref["uri"] === "string") {
    const upstream = await placeOf(session, places, ref["uri"]);
    return upstream && { upstream, params };
  }
  const meant = typeof ref["name"] === "string" ? meantBy(session, ref["name"]) : undefined;
  return meant && { upstream: meant.upstream, params: { ...params, ref: { ...ref, name: meant.name } } };
}

/** The upstream of a resource. If nobody has listed it yet, the lists are read now. */
export async function placeOf(session: Session, places: Places, uri: string): Promise<Upstream | undefined> {
  const found = () =>
    places.uris.get(uri) ?? places.templates.find(({ start }) => start !== "" && uri.startsWith(start))?.upstream;
  if (found() !== undefined) return found();
  for (const [method, list] of Object.entries(LISTS)) {
    if (!list.isNamed) await everyItem(session, places, method, list);
  }
  return found();
}

const PAGES_MAX = 1_000;

async function everyItem(
  session: Session,
  places: Places,
  method: string,
  { key, isNamed, needs }: (typeof LISTS)[string],
): Promise<readonly Json[]> {
  const able = openUpstreams(session).filter((one) => can(one, needs));
  const lists = await Promise.all(able.map((upstream) => itemsOf(session, upstream, method, key)));
  return lists.flatMap((items, at) => {
    const upstream = able[at] as Upstream;
    return items.map((item) => {
      if (!isObject(item)) return item;
      const { name, uri, uriTemplate } = item;
      if (typeof uri === "string" && !places.uris.has(uri)) places.uris.set(uri, upstream);
      if (typeof uriTemplate === "string") places.templates.push({ start: uriTemplate.split("{")[0] ?? "", upstream });
      return isNamed && typeof name === "string" ? { ...item, name: shownName(session, upstream, name) } : item;
    });
  });
}

async function itemsOf(
  { options }: Session,
  upstream: Upstream,
  method: string,
  key: string,
): Promise<readonly Json[]> {
  const items: Json[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const answer = await upstream.ask(method, cursor === undefined ? {} : { cursor }).catch(errorText);
    if (typeof answer === "string" || !answer.ok) {
      options.note(`${upstream.name} does not answer ${method}\n`);
      break;
    }
    const { [key]: list, nextCursor } = answer.result;
    if (Array.isArray(list)) items.push(...list);
    if (typeof nextCursor !== "string") break;
    cursor = nextCursor;
  }
  return items;
}

function can(upstream: Upstream, what: string): boolean {
  const capabilities = upstream.greeting()?.["capabilities"];
  return capabilities !== undefined && isObject(capabilities) && capabilities[what] !== undefined;
}
