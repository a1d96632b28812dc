import { isObject, type Json, type JsonObject } from "../core/values/json.ts";

// What a server says about itself in its greeting and beside its list of tools. Clients may show all of it to a model, so
// before a person has accepted it only what the protocol needs reaches the client.

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** The fields by which client and server understand each other. Everything else is free text. */
const PROTOCOL_FIELDS: readonly string[] = [
  "protocolVersion",
  "supportedVersions",
  "capabilities",
  "resultType",
  "ttlMs",
  "cacheScope",
];

const PLAIN = /^[\w.+-]{1,40}$/;

function isPlain(value: Json): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  return typeof value === "number" || (typeof value === "string" && PLAIN.test(value));
}

function isOfProtocol([field, value]: [string, Json]): boolean {
  return PROTOCOL_FIELDS.includes(field) && (field === "capabilities" || isPlain(value));
}

/** In the protocol without `initialize`, every answer says which server it comes from. */
function metaIn({ _meta: meta }: JsonObject): JsonObject {
  return meta !== undefined && isObject(meta) ? meta : {};
}

function infoIn(said: JsonObject): Json | undefined {
  return said["serverInfo"] ?? metaIn(said)[SERVER_INFO];
}

export function versionIn(said: JsonObject): string | undefined {
  const info = infoIn(said);
  const version = info !== undefined && isObject(info) ? info["version"] : undefined;
  return typeof version === "string" ? version : undefined;
}

/** All free text; the same for a server that speaks both protocols. Undefined if it is only a version and this name. */
export function freeWords(name: string, said: JsonObject): JsonObject | undefined {
  const { serverInfo, _meta, ...rest } = said;
  const info = infoIn(said);
  const free = Object.fromEntries(Object.entries(rest).filter((one) => !isOfProtocol(one)));
  const { [SERVER_INFO]: inMeta, ...others } = metaIn(said);
  const isOdd = _meta !== undefined && !isObject(_meta);
  const meta = isOdd ? _meta : serverInfo !== undefined && inMeta !== undefined ? metaIn(said) : others;
  const hasMeta = isOdd || Object.keys(others).length > 0 || meta !== others;
  if (!hasMeta && Object.keys(free).length === 0 && isBare(name, info)) return undefined;
  return { ...free, ...(info === undefined ? {} : { serverInfo: info }), ...(hasMeta ? { _meta: meta } : {}) };
}

function isBare(name: string, info: Json | undefined): boolean {
  if (info === undefined) return true;
  const isOnly = isObject(info) && Object.keys(info).every((key) => key === "name" || key === "version");
  return isOnly && info["name"] === name;
}

/** What the protocol needs. The server is called as it is in the settings, whatever it calls itself. */
export function withoutWords(name: string, said: JsonObject): JsonObject {
  const version = versionIn(said) ?? "";
  const info = { name, version: PLAIN.test(version) ? version : "unknown" };
  return {
    ...Object.fromEntries(Object.entries(said).filter(isOfProtocol)),
    ...(said["serverInfo"] === undefined ? {} : { serverInfo: info }),
    ...(metaIn(said)[SERVER_INFO] === undefined ? {} : { _meta: { [SERVER_INFO]: info } }),
  };
}
