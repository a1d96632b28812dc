import type { Protocol, ReadDocument, Registry } from "./protocol.ts";

// The sparse index of crates. Its `config.json` says where archives are; the reader answers it with itself.

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/;
const ARCHIVE = /^\/dl\/(?<name>[A-Za-z0-9][\w-]{0,63})\/(?<version>[0-9][\w.+-]{0,99})\/download$/;

export const crates: Protocol = (registry, read) => {
  let known: Promise<string | undefined> | undefined;
  return async ({ path }) => {
    const config = `${registry.from.href}config.json`;
    if (path === "/config.json")
      return { url: config, accept: "*/*", is: "document", changed: () => JSON.stringify({ dl: `${registry.at}dl` }) };
    const archive = ARCHIVE.exec(path)?.groups;
    if (archive !== undefined) {
      known ??= archivesOf(registry, read, config);
      const place = await known;
      const [name = "", version = ""] = [archive["name"], archive["version"]];
      return place === undefined ? undefined : { url: filled(place, name, version), accept: "*/*", is: "archive" };
    }
    const name = path.split("/").at(-1) ?? "";
    if (!NAME.test(name) || path !== indexPath(name)) return undefined;
    return { url: registry.from.href + path.slice(1), accept: "*/*", is: "document" };
  };
};

/** `a`, `ab` and `abc` have folders of their own; longer names are in two folders of their first letters. */
function indexPath(name: string): string {
  const low = name.toLowerCase();
  if (low.length < 3) return `/${low.length}/${low}`;
  return low.length === 3 ? `/3/${low[0]}/${low}` : `/${low.slice(0, 2)}/${low.slice(2, 4)}/${low}`;
}

/** Where archives are; undefined if that is not a host of this registry. */
async function archivesOf(
  { from, archives }: Registry,
  read: ReadDocument,
  config: string,
): Promise<string | undefined> {
  const text = await read(config);
  const dl = text === undefined ? undefined : (JSON.parse(text) as { dl?: unknown }).dl;
  const origin = typeof dl === "string" && URL.canParse(dl) ? new URL(dl).origin : undefined;
  return origin !== undefined && [from.origin, ...archives].includes(origin) ? String(dl) : undefined;
}

function filled(place: string, name: string, version: string): string {
  if (!/\{(crate|version)\}/.test(place)) return `${place}/${name}/${version}/download`;
  return place.replaceAll("{crate}", name).replaceAll("{version}", version);
}
