/** A registry as the reader knows it: the address of its index, and further hosts with its archives. */
export type Registry = { from: URL; archives: readonly string[]; at: string };

/** What a package manager asks the reader for. The method, the length and the query were looked at before. */
export type Asked = { path: string; accept: string; agent: string };

/** What the reader asks the registry for. */
export type Route = {
  url: string;
  accept: string;
  /** A document is read as a whole and may be changed; an archive is passed on. */
  is: "document" | "archive";
  /** The document as the package manager must see it; undefined if it is not one of this registry. */
  changed?: (text: string, type: string) => string | undefined;
};

/** Reads a document of the registry itself. */
export type ReadDocument = (url: string) => Promise<string | undefined>;

/** The paths that the protocol of a registry has. Undefined for every other path: nothing is asked then. */
export type Protocol = (registry: Registry, read: ReadDocument) => (asked: Asked) => Promise<Route | undefined>;

/** What comes after the address of the registry; undefined if the path leads elsewhere. */
export function within(base: URL, address: string): string | undefined {
  const whole = URL.canParse(address, base.href) ? new URL(address, base.href) : undefined;
  if (whole?.origin !== base.origin || !whole.pathname.startsWith(base.pathname)) return undefined;
  return whole.pathname.slice(base.pathname.length);
}
