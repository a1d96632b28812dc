import { type Protocol, type Registry, within } from "./protocol.ts";

// The registry of npm: a document for each package, and archives under `-/`. Everything that begins with `-` or `_` is
// something else: publishing, searching, signing in, reports.

const NAME = String.raw`(@[a-z0-9][\w.~-]{0,100}/)?(?<base>[A-Za-z0-9][\w.~-]{0,127})`;
const DOCUMENT = new RegExp(`^${NAME}$`);
const ARCHIVE = new RegExp(String.raw`^${NAME}/-/\k<base>-[0-9][\w.+-]{0,80}\.tgz$`);

const SHORT = "application/vnd.npm.install-v1+json";

export const npm: Protocol =
  (registry) =>
  async ({ path, accept, agent }) => {
    const { from } = registry;
    // npm asks for an archive by the path that the document names, with what comes before it in a mirror.
    const rest = path.startsWith(from.pathname) ? path.slice(from.pathname.length) : path.slice(1);
    const plain = rest.replace(/%2f/i, "/").replace(/^%40/, "@");
    if (/(^|\/)\.\.?(\/|$)/.test(plain)) return undefined;
    if (ARCHIVE.test(plain)) return { url: from.href + plain, accept: "*/*", is: "archive" };
    if (!DOCUMENT.test(plain)) return undefined;
    const route = {
      url: from.href + plain.replace("/", "%2f"),
      accept: accept.includes(SHORT) ? `${SHORT}, application/json;q=0.8` : "application/json",
      is: "document",
    } as const;
    // npm itself asks the configured registry instead of the one that the document names, and writes that one into its
    // lock file. pnpm does the opposite.
    return agent.startsWith("pnpm/") ? { ...route, changed: (text) => toReader(text, registry) } : route;
  };

type Versions = { versions?: { [version: string]: { dist?: { tarball?: unknown } } } };

function toReader(text: string, { from, at }: Registry): string | undefined {
  const found = JSON.parse(text) as Versions;
  for (const { dist } of Object.values(found.versions ?? {})) {
    const rest = typeof dist?.tarball === "string" ? within(from, dist.tarball) : undefined;
    if (dist !== undefined && rest !== undefined) dist.tarball = `${at}${rest}`;
  }
  return JSON.stringify(found);
}
