import type { Contact, PersonReach } from "./channel.ts";
import type { AgentName, PersonName, SignInId, TokenId, WorkspaceId } from "./ids.ts";
import type { Assurance } from "./policy.ts";
import type { Sealed } from "./secret.ts";

/** A person who can answer. Only a hash of the passphrase is stored. */
export type Person = {
  name: PersonName;
  workspace: WorkspaceId;
  admin: boolean;
  /** An auditor can read everything and decide nothing. */
  auditor: boolean;
  groups: readonly string[];
  passphrase?: string;
  /** Who set the passphrase, if that was another person: they know it too, until the person sets their own. */
  passphraseBy?: PersonName;
  /** The person once had their own way to sign in, which somebody replaced, so they cannot be invited. */
  hadOwnMeans?: true;
  passkeys?: readonly Passkey[];
  /** Accounts of other services with which this person can sign in: the issuer and its id for them. */
  accounts?: readonly Account[];
  /** Where this person can be told and can answer, besides the inbox. */
  contacts?: readonly Contact[];
  /** When an account was last linked or unlinked. */
  contactsMs?: number;
  reach?: PersonReach;
  addedMs: number;
} & ({ state: "active" } | { state: "removed"; atMs: number });

/**
 * Whether something made at that time under this name belongs to this person: a name may have been given to somebody
 * else since.
 */
export function isTheirs(person: Person, madeMs: number): boolean {
  return person.state === "active" && madeMs >= person.addedMs;
}

/** Who else could have acted under this name: the person who made the token or set the passphrase that was used. */
export function makerOf(
  { name, passphraseBy }: Pick<Person, "name" | "passphraseBy">,
  { assurance, madeBy }: { assurance: Assurance; madeBy?: PersonName },
): PersonName | undefined {
  const isByPassphrase = assurance === "password" || assurance === "tty";
  const maker = madeBy ?? (isByPassphrase ? passphraseBy : undefined);
  return maker === name ? undefined : maker;
}

/** Remembers that the person had their own way to sign in, even after it is replaced. */
export function withOwnMeans(before: Person | undefined, row: Person): Person {
  if (before?.state !== "active" || row.state !== "active" || !hasOwnMeans(before) || hasOwnMeans(row)) return row;
  return { ...row, hadOwnMeans: true };
}

/** A passkey of a person's device. The stored part cannot sign; it only checks signatures. */
export type Passkey = {
  id: string;
  publicKey: string;
  /** The use counter of the device, if it has one. */
  counter: number;
  name: string;
  addedMs: number;
};

export type Account = {
  issuer: string;
  subject: string;
  /** Who linked the account, if another person did: until this person confirms it, it counts as that other person's account. */
  by?: PersonName;
};

/** Whether this person ever had a way to sign in that nobody else made. */
export function hasOwnMeans(person: Person): boolean {
  const { hadOwnMeans, passphrase, passphraseBy, passkeys = [], accounts = [] } = person;
  if (hadOwnMeans === true || passkeys.length > 0) return true;
  return (passphrase !== undefined && passphraseBy === undefined) || accounts.some(({ by }) => by === undefined);
}

/** An agent, known since its first call. */
export type Agent = {
  name: AgentName;
  workspace: WorkspaceId;
  owner?: PersonName;
  registeredMs: number;
  /** Since when it has this owner, if not from the beginning. */
  ownedMs?: number;
};

/** The owner of an agent, as long as that person exists. A later person with the same name is not the owner. */
export function recordedOwner(agent: Agent | undefined, people: readonly Person[]): PersonName | undefined {
  const person = people.find(({ name }) => name === agent?.owner);
  if (agent === undefined || person === undefined) return agent?.owner;
  return isTheirs(person, agent.ownedMs ?? agent.registeredMs) ? agent.owner : undefined;
}

/**
 * With a token a program acts as this agent, or as this person within the limits of the token. `sign-in` is for one
 * sign-in; `join` is an invitation: it sets the first passphrase of a person who never had a way of their own, once.
 */
export type Holder =
  | {
      agent: AgentName;
      /** The program with this token has verified for whom the agent acts, so its calls may name that person. */
      can?: "name-requesters";
    }
  | { person: PersonName; can: "read" | "approve" | "sign-in" | "join" };

/** A token with which a program acts as somebody. Its secret is shown once, when it is made. */
export type Token = {
  id: TokenId;
  workspace: WorkspaceId;
  /**
   * The hash of its secret, encrypted together with its holder: a row that somebody writes without the key cannot be
   * used.
   */
  lock: Sealed;
  holder: Holder;
  createdMs: number;
  by: PersonName | "leeway";
  untilMs?: number;
  usedMs?: number;
} & ({ state: "live" } | { state: "used"; atMs: number } | { state: "revoked"; atMs: number; by: PersonName });

/** One browser in which a person signed in. Its secret is in a cookie there. */
export type SignIn = {
  id: SignInId;
  workspace: WorkspaceId;
  person: PersonName;
  lock: Sealed;
  assurance: Assurance;
  startedMs: number;
  /** When the person last proved who they are; actions that give more power need a recent proof. */
  provedMs: number;
  untilMs: number;
  /** The browser's own name, so that the person can tell their sign-ins apart. */
  browser: string;
  /** Who made the sign-in link, if that was somebody else. */
  madeBy?: PersonName;
} & ({ state: "live" } | { state: "ended"; atMs: number });
