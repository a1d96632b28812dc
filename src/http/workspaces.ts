import type { WorkspaceId } from "../core/ids.ts";
import type { Deps } from "../gate/deps.ts";
import type { Sending } from "../gate/notices/sending.ts";
import { workspaceNamed } from "../gate/people/tokens.ts";
import type { Answer } from "./answer.ts";
import type { Address } from "./connection/address.ts";
import type { ServerNames } from "./connection/names.ts";
import { accountsOf, type Issuer } from "./identity/accounts.ts";
import { bearerOf } from "./identity/who.ts";
import { keptBy } from "./kept-forms.ts";
import type { HttpRequest } from "./request.ts";
import type { Demo, Neighbour, Serving } from "./route.ts";

// A server serves its own workspace, and others beside it. A request belongs to exactly one: the one at the beginning of its
// address (`/w/NAME/…`), else the one that its token names, else the server's own. Neither proves anything: tokens and
// cookies are looked up only in that workspace. So a token or cookie of one workspace never reaches another.

export type ServedWorkspaces = Map<WorkspaceId, Serving>;

export type MakeSending = (names: Pick<Sending, "origin" | "url">) => Sending;

type Names = Pick<ServerNames, "url" | "origin" | "origins"> & { port: number; inTheClear: boolean };

/** The workspaces of a server with these names, none at first. */
export function newWorkspaces(
  { url, origin, origins, port, inTheClear }: Names,
  { issuer, demo }: { issuer?: Issuer; demo?: Demo },
) {
  const all: ServedWorkspaces = new Map();
  // All ports of a host share cookies, so the name of the cookie contains the port.
  const cookie = origin.startsWith("https:")
    ? { name: "__Host-leeway", secure: true }
    : { name: `leeway-${port}`, secure: false };
  const accounts = issuer === undefined ? {} : { accounts: accountsOf(issuer) };
  const shared = { origins, inTheClear, ...accounts, ...(demo === undefined ? {} : { demo }) };
  const add = (deps: Deps, sending: MakeSending | undefined, base: string): Serving => {
    const serving: Serving = {
      ...shared,
      deps,
      origin: origin + base,
      base,
      // Each workspace has a cookie of its own, so that a person can be signed in to several.
      cookie: base === "" ? cookie : { ...cookie, name: `${cookie.name}-${deps.workspace}` },
      kept: keptBy(() => deps.clock.nowMs()),
      others: () => othersOf(all, serving),
      ...(sending === undefined ? {} : { sending: sending({ origin: origin + base, url: url + base }) }),
    };
    all.set(deps.workspace, serving);
    return serving;
  };
  return { all, add };
}

function othersOf(all: ServedWorkspaces, serving: Serving): readonly Neighbour[] {
  const others = [...all].filter(([, one]) => one !== serving);
  return others.map(([workspace, { cookie }]) => ({ workspace, cookie: cookie.name }));
}

/** The workspace to which a request belongs, and its address there. */
export type Arrived = { serving: Serving; address: Address };

const AT = "/w/";

/** What the addresses of a workspace begin with. */
export function baseOf(workspace: WorkspaceId): string {
  return AT + workspace;
}

export function arrivedAt(
  { own, all }: { own: Serving; all: ServedWorkspaces },
  address: Address,
  headers: HttpRequest["headers"],
): Arrived {
  const { path } = address;
  if (!path.startsWith(AT)) {
    const named = workspaceNamed(bearerOf(headers["authorization"]));
    // A token of a workspace that is not served here is unknown, like any other unknown token.
    return { serving: (named === undefined ? undefined : all.get(named)) ?? own, address };
  }
  const end = path.indexOf("/", AT.length);
  const name = path.slice(AT.length, end < 0 ? undefined : end);
  const serving = all.get(name);
  // No route of the server's own workspace begins like this, so nothing is found.
  if (serving === undefined) return { serving: own, address };
  return { serving, address: { ...address, path: end < 0 ? "/" : path.slice(end) } };
}

/**
 * Routes do not know the beginning of their addresses, so it is put before the links, forms and redirects of their
 * answers. All values in a page are escaped, so a quotation mark is always one of our own attributes. The files of pages, and
 * addresses of other workspaces, stay as they are.
 */
export function within({ base }: Pick<Serving, "base">, answer: Answer): Answer {
  const { headers = {}, body } = answer;
  const to = headers["location"];
  if (base === "") return answer;
  if (to !== undefined) return { ...answer, headers: { ...headers, location: OWN.test(to) ? base + to : to } };
  if (typeof body !== "string" || headers["content-type"]?.startsWith("text/html") !== true) return answer;
  return { ...answer, body: body.replaceAll(LINKS, `$1${base}/`) };
}

const OWN = /^\/(?!\/|assets\/|w\/)/;
const LINKS = /(\s(?:href|action|formaction)=")\/(?!\/|assets\/|w\/)/g;
