import type { Protocol } from "./protocol.ts";

// The module proxy of Go, and the checksum database, which Go asks through the proxy.

/** Capital letters are written as `!` and the small letter. */
const MODULE = `[a-z0-9][a-z0-9!._~-]{0,63}(/[a-z0-9!._~-]{1,64}){0,10}`;
const VERSION = String.raw`v[0-9][\w.!+~-]{0,99}`;
const DOCUMENT = new RegExp(`^(${MODULE}/@latest|${MODULE}/@v/(list|${VERSION}\\.(info|mod)))$`);
const ARCHIVE = new RegExp(`^${MODULE}/@v/${VERSION}\\.zip$`);
const HASHES = String.raw`^sumdb/sum\.golang\.org/`;
const CHECKED = new RegExp(`${HASHES}(supported|latest|lookup/${MODULE}@${VERSION}(/go\\.mod)?)$`);
/** Parts of a tree of hashes, in numbers: binary, so they are passed on as they are. */
const TILE = new RegExp(`${HASHES}tile/\\d{1,2}/(\\d{1,2}|data)/(x\\d{3}/){0,4}\\d{3}(\\.p/\\d{1,3})?$`);

export const go: Protocol =
  ({ from }) =>
  async ({ path }) => {
    const rest = path.slice(1);
    if (rest.split("/").some((name) => name === "." || name === "..")) return undefined;
    const url = from.href + rest;
    if (ARCHIVE.test(rest) || TILE.test(rest)) return { url, accept: "*/*", is: "archive" };
    return DOCUMENT.test(rest) || CHECKED.test(rest) ? { url, accept: "*/*", is: "document" } : undefined;
  };
