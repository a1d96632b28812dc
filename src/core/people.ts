import type { AgentName, PersonName, SignInId, TokenId, WorkspaceId } from "./ids.ts";
import type { Assurance } from "./policy.ts";
import type { Sealed } from "./secret.ts";

/** Somebody who can answer. The passphrase is kept as a hash only. */
export type Person = {
  name: PersonName;
  workspace: WorkspaceId;
  admin: boolean;
  /** An auditor reads everything and decides nothing. */
  auditor: boolean;
  groups: readonly string[];
  passphrase?: string;
  /** Who set the passphrase, where that was somebody else: they know it too, until the person sets their own. */
  passphraseBy?: PersonName;
  /** They once had means of their own, which somebody replaced: an invitation is not for them. */
  hadOwnMeans?: true;
  passkeys?: readonly Passkey[];
  /** Accounts elsewhere that prove to be this person: the issuer and its name for them. */
  accounts?: readonly Account[];
  addedMs: number;
} & ({ state: "active" } | { state: "removed"; atMs: number });

/** Whether what was made then in this name was theirs: a name that was given up and given again is somebody else's. */
export function isTheirs(person: Person, madeMs: number): boolean {
  return person.state === "active" && madeMs >= person.addedMs;
}

/** Who else could have done it in this name: whoever made the token, or set the passphrase, that it was done with. */
export function makerOf(
  { name, passphraseBy }: Pick<Person, "name" | "passphraseBy">,
  { assurance, madeBy }: { assurance: Assurance; madeBy?: PersonName },
): PersonName | undefined {
  const isByPassphrase = assurance === "password" || assurance === "tty";
  const maker = madeBy ?? (isByPassphrase ? passphraseBy : undefined);
  return maker === name ? undefined : maker;
}

/** Whoever takes a person's own means away does not make them somebody who never had any. */
export function withOwnMeans(before: Person | undefined, row: Person): Person {
  if (before?.state !== "active" || row.state !== "active" || !hasOwnMeans(before) || hasOwnMeans(row)) return row;
  return { ...row, hadOwnMeans: true };
}

/** A key of a person's device. What is kept proves nothing by itself: it only tells whether a signature is theirs. */
export type Passkey = {
  id: string;
  publicKey: string;
  /** How often the device says it was used, where it counts. */
  counter: number;
  name: string;
  addedMs: number;
};

export type Account = {
  issuer: string;
  subject: string;
  /** Who said that it is this person's, where that was somebody else: until the person says so too, it counts as theirs. */
  by?: PersonName;
};

/** Whether this person ever had something to prove themself with that nobody else made. */
export function hasOwnMeans(person: Person): boolean {
  const { hadOwnMeans, passphrase, passphraseBy, passkeys = [], accounts = [] } = person;
  if (hadOwnMeans === true || passkeys.length > 0) return true;
  return (passphrase !== undefined && passphraseBy === undefined) || accounts.some(({ by }) => by === undefined);
}

/** Somebody who asks, known from its first call on. */
export type Agent = {
  name: AgentName;
  workspace: WorkspaceId;
  owner?: PersonName;
  registeredMs: number;
  /** Since when it has this owner, where that is not from the beginning. */
  ownedMs?: number;
};

/** Whom an agent was given to, while they are still there: whoever has their name after them did not get it. */
export function recordedOwner(agent: Agent | undefined, people: readonly Person[]): PersonName | undefined {
  const person = people.find(({ name }) => name === agent?.owner);
  if (agent === undefined || person === undefined) return agent?.owner;
  return isTheirs(person, agent.ownedMs ?? agent.registeredMs) ? agent.owner : undefined;
}

/**
 * Who shows a token is this agent, or this person as far as the token says. `sign-in` is for one sign-in, once; `join` is an
 * invitation: it sets the first passphrase of somebody who never had means of their own, once.
 */
export type Holder = { agent: AgentName } | { person: PersonName; can: "read" | "approve" | "sign-in" | "join" };

/** What a program shows to be somebody. Its secret is shown once, when it is made. */
export type Token = {
  id: TokenId;
  workspace: WorkspaceId;
  /** The hash of its secret, sealed with whose it is: a row that somebody writes without the key opens nothing. */
  lock: Sealed;
  holder: Holder;
  createdMs: number;
  by: PersonName | "leeway";
  untilMs?: number;
  usedMs?: number;
} & ({ state: "live" } | { state: "used"; atMs: number } | { state: "revoked"; atMs: number; by: PersonName });

/** One browser that a person proved themself in. Its secret is in a cookie there. */
export type SignIn = {
  id: SignInId;
  workspace: WorkspaceId;
  person: PersonName;
  lock: Sealed;
  assurance: Assurance;
  startedMs: number;
  /** When the person last proved to be themself: what gives leeway wants that to be fresh. */
  provedMs: number;
  untilMs: number;
  /** What the browser calls itself, for the person to tell their sign-ins apart. */
  browser: string;
  /** Who made the link that it began with, where that was somebody else. */
  madeBy?: PersonName;
} & ({ state: "live" } | { state: "ended"; atMs: number });
