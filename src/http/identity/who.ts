import type { AgentName, PersonName } from "../../core/ids.ts";
import type { Person, SignIn, Token } from "../../core/people.ts";
import type { Assurance } from "../../core/policy.ts";
import type { Deps } from "../../gate/deps.ts";
import { isFresh, signInOf } from "../../gate/people/sign-in.ts";
import { makerOfToken, noteUse, tokenOf } from "../../gate/people/tokens.ts";

/** Who sent a request, as far as it was proved. A name in a body is never proof. */
export type Requester =
  | { is: "nobody" }
  | { is: "agent"; agent: AgentName; token: Token }
  | {
      is: "person";
      person: Person;
      assurance: Assurance;
      /** Whether they may answer; some tokens only allow reading. */
      mayAct: boolean;
      /** Whether they signed in recently. */
      fresh: boolean;
      signIn?: SignIn;
      /** Who made the token or the link that they used, if it was somebody else. */
      madeBy?: PersonName;
    };

type Credentials = { authorization?: string | undefined; cookie?: string | undefined };

/** If there is a token, only the token counts: with an unknown token the request is from nobody, whatever its cookie says. */
export async function whoIs(deps: Deps, shown: Credentials, cookieName: string): Promise<Requester> {
  if (shown.authorization !== undefined) return byToken(deps, shown.authorization);
  const text = cookieOf(shown.cookie, cookieName);
  return text === undefined ? NOBODY : bySignIn(deps, text);
}

export const NOBODY: Requester = { is: "nobody" };

/** The token in a header, or an empty text. */
export function bearerOf(header: string | undefined): string {
  return header === undefined ? "" : (/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? "");
}

async function byToken(deps: Deps, header: string): Promise<Requester> {
  const token = await tokenOf(deps, bearerOf(header));
  if (token === undefined) return NOBODY;
  await noteUse(deps, token);
  const { holder } = token;
  if ("agent" in holder) return { is: "agent", agent: holder.agent, token };
  // The token of a link can only be used to sign in.
  if (holder.can === "sign-in" || holder.can === "join") return NOBODY;
  const person = await personOf(deps, holder.person);
  if (person === undefined) return NOBODY;
  const maker = makerOfToken(token);
  const came = { assurance: "token" as const, ...(maker === undefined ? {} : { madeBy: maker }) };
  return { is: "person", person, ...came, mayAct: holder.can === "approve", fresh: false };
}

async function bySignIn(deps: Deps, text: string): Promise<Requester> {
  const signIn = await signInOf(deps, text);
  const person = signIn === undefined ? undefined : await personOf(deps, signIn.person);
  if (signIn === undefined || person === undefined) return NOBODY;
  const fresh = isFresh(signIn, deps.clock.nowMs());
  const { assurance, madeBy } = signIn;
  return { is: "person", person, assurance, mayAct: true, fresh, signIn, ...(madeBy === undefined ? {} : { madeBy }) };
}

/** Uses the standing that was read to look up the token or sign-in, or a newer one, without reading it again. */
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
