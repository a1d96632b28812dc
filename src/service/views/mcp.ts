import { maskText } from "../../core/masking/redact.ts";
import type { Offer } from "../../core/standing/pin.ts";
import { type LoginState, loginState } from "../../core/standing/server-login.ts";
import { isObject, toJson } from "../../core/values/json.ts";
import type { Deps } from "../../gate/deps.ts";
import { type Pin, pinnedUpstreams, readPins } from "../../gate/standing/pins.ts";

/** What an MCP server offers and what people said to it, as every door shows it. The definition itself is in the question. */
export type OfferView = Pick<Offer, "upstream" | "of" | "name"> & {
  state: Pin["state"];
  /** Who accepted or refused it; nobody while it waits. */
  by: readonly string[];
  /** Why it was refused. */
  note?: string;
  atMs: number;
  approvalId: string;
  /** How the server is started, a line for each thing that was accepted. What looks like a secret is masked. */
  starts: readonly string[];
  /** Another definition of the same thing was accepted before, so the question shows what has changed. */
  changed: boolean;
};

/** How a person's login at an MCP server stands, without anything secret. */
export type LoginView = {
  upstream: string;
  url: string;
  state: LoginState;
  /** Who signed in. */
  by?: string;
  /** Who made the tokens. */
  issuer?: string;
  atMs: number;
};

/** The logins at servers that ask for one, by name. */
export function loginViews({ logins, clock }: Pick<Deps, "logins" | "clock">): readonly LoginView[] {
  const views = (logins?.list() ?? []).map((login): LoginView => {
    const { server: upstream, url, atMs } = login;
    const known = login.state === "wanted" ? {} : { by: login.by, issuer: login.issuer };
    return { upstream, url, state: loginState(login, clock.nowMs()), ...known, atMs };
  });
  return views.sort((one, other) => (one.upstream < other.upstream ? -1 : 1));
}

/** All offers of all servers, the newest of each server first. */
export async function offerViews(deps: Deps): Promise<readonly OfferView[]> {
  const views: OfferView[] = [];
  for (const upstream of await pinnedUpstreams(deps)) {
    const { all } = await readPins(deps, upstream);
    views.push(...all.map((pin) => offerView(pin, all)));
  }
  return views;
}

function offerView(pin: Pin, all: readonly Pin[]): OfferView {
  const { offer, state, atMs, approvalId } = pin;
  const { upstream, of, name } = offer;
  const changed = all.some(
    (other) => other.state === "accepted" && other.atMs < atMs && other.offer.of === of && other.offer.name === name,
  );
  return {
    ...{ upstream, of, name, state },
    by: pin.state === "accepted" ? pin.by : pin.state === "refused" ? [pin.by] : [],
    ...(pin.state === "refused" && pin.note !== "" ? { note: pin.note } : {}),
    ...{ atMs, approvalId, changed },
    starts: startsIn(offer).map(maskText),
  };
}

/** The text of a tool or of instructions begins with how the server is started; that of a start is nothing else. */
function startsIn({ of, text }: Offer): readonly string[] {
  if (of === "start") return text.split("\n");
  const read = toJson(JSON.parse(text));
  const server = read.ok && isObject(read.value) ? read.value["server"] : undefined;
  const starts = server !== undefined && isObject(server) ? server["starts"] : undefined;
  return Array.isArray(starts) ? starts.map(String) : [];
}

/** Everything that is known about MCP servers. */
export async function mcpViews(deps: Deps): Promise<{ offers: readonly OfferView[]; logins: readonly LoginView[] }> {
  return { offers: await offerViews(deps), logins: loginViews(deps) };
}
