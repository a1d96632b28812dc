import type { WorkspaceId } from "../core/ids.ts";
import { type Message, say } from "../core/messages/message.ts";
import type { Deps } from "../gate/deps.ts";
import type { Sending } from "../gate/notices/sending.ts";
import { workspaceNamed } from "../gate/people/tokens.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import type { Answer } from "./answer.ts";
import type { Accounts } from "./identity/accounts.ts";
import { bearerOf, type Requester } from "./identity/who.ts";
import type { KeptForms } from "./kept-forms.ts";
import type { HttpRequest } from "./request.ts";

/** Everything that a route gets besides the request. */
export type Serving = {
  deps: Deps;
  /** The address of this workspace for people, without a final slash. */
  origin: string;
  /** What the addresses of this workspace begin with: nothing, if it is the server's own. */
  base: string;
  /** The other workspaces of this server, with the cookies of their sign-ins. */
  others(): readonly Neighbour[];
  /** The origins of the pages of this server, one for each of its names. */
  origins: ReadonlySet<string>;
  cookie: { name: string; secure: boolean };
  /** The answers to forms, kept until their browsers fetch them. */
  kept: KeptForms;
  /** Passphrases and tokens are sent unencrypted over a network. */
  inTheClear: boolean;
  /** Accounts of an OpenID Connect issuer with which people sign in, if one is configured. */
  accounts?: Accounts;
  /** Sends notices to channels, and takes the answers that come back from them. */
  sending?: Sending;
  demo?: Demo;
};

/** Another workspace of the same server. */
export type Neighbour = { workspace: WorkspaceId; cookie: string };

/** The person as whom everybody signs in to a demo, and their passphrase. */
export type Demo = { name: string; passphrase: string };

/**
 * Who may use a route. `agent`: an agent's token, for that agent's own calls. `read`: any person, also auditors. `self`: the
 * same for their own data, but not with a token that only reads. `act`: a person who may answer. `admin`: a person who
 * may change people, tokens and policy.
 */
export type Access = "anybody" | "agent" | "read" | "self" | "act" | "admin";

/** A route as data: the server, the documentation and the tests use the same list. Routes for programs have more fields (`api-route.ts`). */
export type Route = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` stands for one segment of the path. */
  path: string;
  for: readonly Access[];
  /** It gives permissions, so the person must have signed in within the last five minutes. */
  fresh?: true;
  /** It only commits Changes. A Change can prove that an agent's token is still valid, so the token is not looked up first. */
  byChange?: true;
  /** The handler gets the bytes of the body unchanged, because a signature was made over these bytes. */
  raw?: true;
  /** For people: if nobody is signed in, they are sent to the sign-in page. */
  page?: true;
  summary: string;
  act(serving: Serving, request: HttpRequest): Promise<Answer>;
};

/** The same for a workspace that is not served and for one that does not exist, so that nobody learns which exist. */
function tokenHint(authorization: string): Message {
  const workspace = workspaceNamed(bearerOf(authorization));
  return workspace === undefined ? say("hint.make_token") : say("hint.make_workspace_token", { workspace });
}

/** Why this client may not use the route; undefined if it may. */
export function forbidden(
  route: Route,
  who: Requester,
  { authorization }: { authorization?: string | undefined },
): LeewayRefusal | undefined {
  if (route.for.includes("anybody")) return undefined;
  if (who.is === "nobody") {
    return authorization === undefined
      ? refusal("LEEWAY_UNAUTHENTICATED", say("refusal.nobody_signed_in"), say("hint.sign_in_or_token"))
      : refusal("LEEWAY_UNAUTHENTICATED", say("refusal.token_unknown"), tokenHint(authorization));
  }
  if (!route.for.some((access) => has(who, access))) {
    const wanted = route.for.findLast((access) => access !== "anybody") ?? "admin";
    return refusal("LEEWAY_FORBIDDEN", say("refusal.may_not_do", { who: nameOf(who) }), WANTS[wanted]);
  }
  if (route.fresh === true && !(who.is === "person" && who.fresh)) {
    return refusal("LEEWAY_STALE_SIGN_IN", say("refusal.fresh_proof"), say("hint.sign_in_again_repeat"));
  }
  return undefined;
}

function has(who: Exclude<Requester, { is: "nobody" }>, access: Access): boolean {
  if (who.is === "agent") return access === "agent";
  switch (access) {
    case "anybody":
    case "read":
      return true;
    case "self":
      return who.mayAct;
    case "act":
      return who.mayAct && !who.person.auditor;
    case "admin":
      return who.mayAct && who.person.admin;
    case "agent":
      return false;
  }
}

const WANTS: { readonly [A in Exclude<Access, "anybody">]: Message } = {
  agent: say("hint.agent_token"),
  read: say("hint.person_token"),
  self: say("hint.signed_in_person"),
  act: say("hint.person_who_may_answer"),
  admin: say("hint.takes_admin"),
};

function nameOf(who: Exclude<Requester, { is: "nobody" }>): Message | string {
  return who.is === "agent" ? say("refusal.the_agent", { agent: who.agent }) : who.person.name;
}

function refusal(
  code: "LEEWAY_UNAUTHENTICATED" | "LEEWAY_FORBIDDEN" | "LEEWAY_STALE_SIGN_IN",
  why: Message,
  hint: Message,
) {
  return new LeewayRefusal({ code, reason: why, hint });
}
