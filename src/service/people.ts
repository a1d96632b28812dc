import type { PersonName } from "../core/ids.ts";
import { say } from "../core/messages/message.ts";
import { inEnglish } from "../core/messages/text.ts";
import { type Agent, hasOwnMeans, type Person } from "../core/people.ts";
import type { Pause, PauseScope, PauseText, Promotion } from "../core/standing/standing.ts";
import type { Deps } from "../gate/deps.ts";
import type { Assured } from "../gate/people/acting.ts";
import { addPerson, changePerson, listPeople, removePerson } from "../gate/people/people.ts";
import { type TrustText, trustOf } from "../gate/record/trust.ts";
import { demote, listAgents, type Move, promote } from "../gate/standing/agents.ts";
import { liftPause, listPauses, setPause } from "../gate/standing/pause.ts";
import { LeewayRefusal, orThrow } from "./refusal.ts";
import { parse, type TypeOf, textOf } from "./shape.ts";
import {
  type ActingPerson,
  ADDED,
  BY,
  CHANGED,
  type ChangeInput,
  MOVE,
  type PersonInput,
  SCOPE,
  WHY,
} from "./shapes/people.ts";

/** A person as everybody may see them: without the passphrase or its hash, and without names of passkeys and accounts. */
export type PersonView = Omit<
  Person,
  "passphrase" | "passkeys" | "accounts" | "contacts" | "contactsMs" | "reach" | "hadOwnMeans"
> & {
  /** They never had their own means to sign in, so an admin can invite them. */
  invitable: boolean;
};
/** A program names the person; the person did not prove anything. */
export const VOUCHED: Assured = { assurance: "process" };

export function by(who: ActingPerson): ActingPerson {
  return parse(BY, who);
}

export function peopleOf(deps: Deps, sure: Assured = VOUCHED) {
  return {
    list: async (): Promise<readonly PersonView[]> => (await listPeople(deps)).map(seen),
    /** The first person adds themself and is an admin. Everybody else is added by an admin. */
    add: async (input: PersonInput): Promise<PersonView> => {
      const person = parse(ADDED, input);
      return seen(orThrow(await addPerson(deps, { by: person.name, ...person, ...sure })));
    },
    /** Roles and groups; a field that is left out is unchanged. */
    change: async (name: PersonName, input: ChangeInput): Promise<PersonView> => {
      const becoming = parse(CHANGED, input);
      return seen(orThrow(await changePerson(deps, textOf(name, "name"), { ...becoming, ...sure })));
    },
    remove: async (name: PersonName, who: ActingPerson): Promise<PersonView> =>
      seen(orThrow(await removePerson(deps, textOf(name, "name"), { ...by(who), ...sure }))),
  };
}

export function seen(person: Person): PersonView {
  const {
    passphrase: _,
    passkeys: _keys,
    accounts: _accounts,
    contacts: _c,
    contactsMs: _changed,
    reach: _r,
    hadOwnMeans: _had,
    ...rest
  } = person;
  return { ...rest, invitable: person.state === "active" && !hasOwnMeans(person) };
}

/** A person as they see themself. Their contacts are shown separately (`service/reach.ts`). */
export function seenBySelf({
  passphrase: _,
  contacts: _contacts,
  contactsMs: _changed,
  reach: _reach,
  ...rest
}: Person): Omit<Person, "passphrase" | "contacts" | "contactsMs" | "reach"> {
  return rest;
}

export function agentsOf(deps: Deps, sure: Assured = VOUCHED) {
  return {
    list: () => listAgents(deps),
    get: async (name: string) => {
      textOf(name, "name");
      const found = (await listAgents(deps)).find((agent) => agent.name === name);
      if (found !== undefined) return found;
      throw new LeewayRefusal({
        code: "LEEWAY_NOT_FOUND",
        reason: say("refusal.no_agent", { name }),
        hint: say("hint.known_from_first_call"),
      });
    },
    /** Gives more leeway, for a class of effect or in general, until a time. */
    promote: async (move: Move) => orThrow(await promote(deps, { ...parse(MOVE, move), ...sure })),
    /** Gives less leeway. */
    demote: async (move: Move) => orThrow(await demote(deps, parse(MOVE, move))),
  };
}

/** An agent with its tiers and its track record. */
export type AgentView = Agent & {
  promotions: readonly Promotion[];
  /** The pauses in force for this agent as a whole. */
  pauses: readonly PauseText[];
  record: TrustText;
};

export async function agentView(deps: Deps, name: string): Promise<AgentView> {
  const agent = await agentsOf(deps).get(name);
  const { promotions, pauses } = (await deps.standing.current()).rows;
  const isOfAgent = ({ state, scope }: Pause) => state === "set" && scope.of === "agent" && scope.name === name;
  return {
    ...agent,
    promotions: promotions.filter((row) => row.agent === name),
    pauses: inEnglish(pauses.filter(isOfAgent)),
    record: inEnglish(await trustOf(deps, name)),
  };
}

export function pausesOf(deps: Deps, sure: Assured = VOUCHED) {
  return {
    /** The kill switch: pauses an agent, a session, a tool, a grant, a reviewer or everything. */
    pause: async (scope: PauseScope, why: TypeOf<typeof WHY>): Promise<PauseText> =>
      inEnglish(orThrow(await setPause(deps, { scope: parse(SCOPE, scope), ...parse(WHY, why), ...sure }))),
    resume: async (id: string, who: ActingPerson): Promise<PauseText> =>
      inEnglish(orThrow(await liftPause(deps, textOf(id, "id"), { ...by(who), ...sure }))),
    pauses: async (): Promise<readonly PauseText[]> => inEnglish(await listPauses(deps)),
  };
}
