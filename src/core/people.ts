import type { AgentName, PersonName, SignInId, TokenId, WorkspaceId } from "./ids.ts";
import type { Assurance } from "./policy.ts";
import type { Sealed } from "./rows.ts";

/** Somebody who can answer. The passphrase is kept as a hash only. */
export type Person = {
  name: PersonName;
  workspace: WorkspaceId;
  admin: boolean;
  /** An auditor reads everything and decides nothing. */
  auditor: boolean;
  groups: readonly string[];
  passphrase?: string;
  passkeys?: readonly Passkey[];
  /** Accounts elsewhere that prove to be this person: the issuer and its name for them. */
  accounts?: readonly Account[];
  addedMs: number;
} & ({ state: "active" } | { state: "removed"; atMs: number });

/** A key of a person's device. What is kept proves nothing by itself: it only tells whether a signature is theirs. */
export type Passkey = {
  id: string;
  publicKey: string;
  /** How often the device says it was used, where it counts. */
  counter: number;
  name: string;
  addedMs: number;
};

export type Account = { issuer: string; subject: string };

/** Somebody who asks, known from its first call on. */
export type Agent = { name: AgentName; workspace: WorkspaceId; owner?: PersonName; registeredMs: number };

/** Who shows a token is this agent, or this person as far as the token says. `sign-in` is for one sign-in, once. */
export type Holder = { agent: AgentName } | { person: PersonName; can: "read" | "approve" | "sign-in" };

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
} & ({ state: "live" } | { state: "ended"; atMs: number });
