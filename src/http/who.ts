import type { AgentName, PersonName } from "../core/ids.ts";
import type { Person, SignIn, Token } from "../core/people.ts";
import type { Assurance } from "../core/policy.ts";
import type { Deps } from "../gate/deps.ts";
import { isFresh, signInOf } from "../gate/people/sign-in.ts";
import { makerOfToken, noteUse, tokenOf } from "../gate/people/tokens.ts";

/** Who asks, as far as it was proved. A name in a body is never proof. */
export type Who =
  | { is: "nobody" }
  | { is: "agent"; agent: AgentName; token: Token }
  | {
      is: "person";
      person: Person;
      assurance: Assurance;
      /** They may answer here; a token may be for reading only. */
      mayAct: boolean;
      /** They proved to be themself a moment ago. */
      fresh: boolean;
      signIn?: SignIn;
      /** Who made the token or the link that they came with, where that was somebody else. */
      madeBy?: PersonName;
    };

type Shown = { authorization?: string | undefined; cookie?: string | undefined };

/** A token that is not known is nobody, and so is a token beside a cookie that disagrees: the token counts alone. */
export async function whoIs(deps: Deps, shown: Shown, cookieName: string): Promise<Who> {
  if (shown.authorization !== undefined) return byToken(deps, shown.authorization);
  const text = cookieOf(shown.cookie, cookieName);
  return text === undefined ? NOBODY : bySignIn(deps, text);
}

export const NOBODY: Who = { is: "nobody" };

/** The token in a header, or nothing. */
export function bearerOf(header: string | undefined): string {
  return header === undefined ? "" : (/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? "");
}

async function byToken(deps: Deps, header: string): Promise<Who> {
  const token = await tokenOf(deps, bearerOf(header));
  if (token === undefined) return NOBODY;
  await noteUse(deps, token);
  const { holder } = token;
  if ("agent" in holder) return { is: "agent", agent: holder.agent, token };
  // A link signs somebody in; it is no way to ask for anything else.
  if (holder.can === "sign-in" || holder.can === "join") return NOBODY;
  const person = await personOf(deps, holder.person);
  if (person === undefined) return NOBODY;
  const maker = makerOfToken(token);
  const came = { assurance: "token" as const, ...(maker === undefined ? {} : { madeBy: maker }) };
  return { is: "person", person, ...came, mayAct: holder.can === "approve", fresh: false };
}

async function bySignIn(deps: Deps, text: string): Promise<Who> {
  const signIn = await signInOf(deps, text);
  const person = signIn === undefined ? undefined : await personOf(deps, signIn.person);
  if (signIn === undefined || person === undefined) return NOBODY;
  const fresh = isFresh(signIn, deps.clock.nowMs());
  const { assurance, madeBy } = signIn;
  return { is: "person", person, assurance, mayAct: true, fresh, signIn, ...(madeBy === undefined ? {} : { madeBy }) };
}

/** By what their token or sign-in was just looked up in, or by what was read since: it is not read once more. */
async function personOf(deps: Deps, name: string): Promise<Person | undefined> {
  const { people } = (deps.standing.known() ?? (await deps.standing.current())).rows;
  return people.find((person) => person.name === name && person.state === "active");
}

export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
