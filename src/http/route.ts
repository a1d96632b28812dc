import { type Message, say } from "../core/messages/message.ts";
import type { Deps } from "../gate/deps.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import type { Accounts } from "./accounts.ts";
import type { Answer } from "./answer.ts";
import type { Kept } from "./kept-forms.ts";
import type { Asked } from "./request.ts";
import type { Who } from "./who.ts";

/** Everything that a route has besides the request. */
export type Serving = {
  deps: Deps;
  /** Where people find this server, without a final slash. */
  origin: string;
  /** What a browser calls the pages of this server, under each of its names. */
  origins: ReadonlySet<string>;
  cookie: { name: string; secure: boolean };
  /** What forms were answered, for the pages that their browsers are led to. */
  kept: Kept;
  /** Passphrases and tokens cross a network that others may listen to. */
  inTheClear: boolean;
  /** Accounts elsewhere that people sign in with, where there is an issuer. */
  accounts?: Accounts;
  demo?: Demo;
};

/** Whom everybody is who opens a demo, and how they prove it. */
export type Demo = { name: string; passphrase: string };

/**
 * Who may use a route. `agent`: an agent's token, for that agent's own calls. `read`: any person, auditors too. `self`: the
 * same in their own matters, where a token that only reads will not do. `act`: a person who may answer. `admin`: one who
 * may change people, tokens and policy.
 */
export type Access = "anybody" | "agent" | "read" | "self" | "act" | "admin";

/** A route as data: what is served, documented and tried in tests are the same lines. Those of programs say more (`api-route.ts`). */
export type Route = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` stands for one piece of the path. */
  path: string;
  for: readonly Access[];
  /** Gives leeway or authority: takes a person who proved to be themself within five minutes. */
  fresh?: true;
  /** All that it does is done by Changes: these may prove an agent's token, so that nobody has to look it up before. */
  byChange?: true;
  /** For people: where nobody is signed in they are led to the page where one does. */
  page?: true;
  summary: string;
  act(serving: Serving, asked: Asked): Promise<Answer>;
};

/** Why this one may not, or nothing. */
export function forbidden(route: Route, who: Who): LeewayRefusal | undefined {
  if (route.for.includes("anybody")) return undefined;
  if (who.is === "nobody") {
    return refusal("LEEWAY_UNAUTHENTICATED", say("refusal.nobody_signed_in"), say("hint.sign_in_or_token"));
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

function has(who: Exclude<Who, { is: "nobody" }>, access: Access): boolean {
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

function nameOf(who: Exclude<Who, { is: "nobody" }>): Message | string {
  return who.is === "agent" ? say("refusal.the_agent", { agent: who.agent }) : who.person.name;
}

function refusal(
  code: "LEEWAY_UNAUTHENTICATED" | "LEEWAY_FORBIDDEN" | "LEEWAY_STALE_SIGN_IN",
  why: Message,
  hint: Message,
) {
  return new LeewayRefusal({ code, reason: why, hint });
}
