import { EFFECT_CLASSES } from "../core/effect.ts";
import type { PersonName } from "../core/ids.ts";
import { type Agent, hasOwnMeans, type Person } from "../core/people.ts";
import type { Pause, PauseScope, Promotion } from "../core/standing.ts";
import { TIERS } from "../core/tier.ts";
import type { Deps } from "../gate/deps.ts";
import type { Acting, Sure } from "../gate/people/acting.ts";
import {
  addPerson,
  type Becoming,
  changePerson,
  listPeople,
  type NewPerson,
  removePerson,
} from "../gate/people/people.ts";
import { type TrustView, trustOf } from "../gate/record/trust.ts";
import { demote, listAgents, type Move, promote } from "../gate/standing/agents.ts";
import { liftPause, listPauses, setPause } from "../gate/standing/pause.ts";
import { LeewayRefusal, orThrow } from "./refusal.ts";
import { checked, flag, listOf, maybe, oneOf, reason, type Shape, shaped, text, textOf, whole } from "./shape.ts";

/** A person as everybody may see one: never with the passphrase, not even its hash, nor what names their keys elsewhere. */
export type PersonView = Omit<Person, "passphrase" | "passkeys" | "accounts" | "hadOwnMeans"> & {
  /** They never had means of their own to sign in with: an admin can invite them. */
  invitable: boolean;
};
/** Who did it. */
export type By = { by: PersonName };
/** A program names who acts; nobody proved to be that person. */
export const VOUCHED: Sure = { assurance: "process" };

const BY: Shape<By> = { by: text };

export function by(who: By): By {
  return checked(who, BY);
}

type PersonInput = Omit<NewPerson, keyof Acting> & Partial<By>;
export const PERSON: Shape<PersonInput> = {
  name: text,
  admin: maybe(flag),
  auditor: maybe(flag),
  groups: maybe(listOf(text)),
  passphrase: maybe(text),
  by: maybe(text),
};

type ChangeInput = Becoming & By;
export const CHANGE: Shape<ChangeInput> = {
  admin: PERSON.admin,
  auditor: PERSON.auditor,
  groups: PERSON.groups,
  by: text,
};

export function peopleOf(deps: Deps, sure: Sure = VOUCHED) {
  return {
    list: async (): Promise<readonly PersonView[]> => (await listPeople(deps)).map(seen),
    /** The first person adds themself and is an admin; everybody after that is added by one. */
    add: async (input: PersonInput): Promise<PersonView> => {
      const person = checked(input, PERSON);
      return seen(orThrow(await addPerson(deps, { by: person.name, ...person, ...sure })));
    },
    /** Roles and groups; what is left out stays as it is. */
    change: async (name: PersonName, input: ChangeInput): Promise<PersonView> => {
      const becoming = checked(input, CHANGE);
      return seen(orThrow(await changePerson(deps, textOf(name, "name"), { ...becoming, ...sure })));
    },
    remove: async (name: PersonName, who: By): Promise<PersonView> =>
      seen(orThrow(await removePerson(deps, textOf(name, "name"), { ...by(who), ...sure }))),
  };
}

export function seen(person: Person): PersonView {
  const { passphrase: _, passkeys: _keys, accounts: _accounts, hadOwnMeans: _had, ...rest } = person;
  return { ...rest, invitable: person.state === "active" && !hasOwnMeans(person) };
}

/** As they see themself. */
export function seenBySelf({ passphrase: _, ...rest }: Person): Omit<Person, "passphrase"> {
  return rest;
}

export function agentsOf(deps: Deps, sure: Sure = VOUCHED) {
  return {
    list: () => listAgents(deps),
    get: async (name: string) => {
      textOf(name, "name");
      const found = (await listAgents(deps)).find((agent) => agent.name === name);
      if (found !== undefined) return found;
      throw new LeewayRefusal({
        code: "LEEWAY_NOT_FOUND",
        reason: `no agent called ${name} ever asked`,
        hint: "an agent is known from its first call on",
      });
    },
    /** More leeway, for a class of effect or in general, until a time. */
    promote: async (move: Move) => orThrow(await promote(deps, { ...moveOf(move), ...sure })),
    /** Less leeway. */
    demote: async (move: Move) => orThrow(await demote(deps, moveOf(move))),
  };
}

/** An agent with what people decided about its leeway, and its record. */
export type AgentView = Agent & {
  promotions: readonly Promotion[];
  /** Set, and of this agent as a whole. */
  pauses: readonly Pause[];
  record: TrustView;
};

export async function agentView(deps: Deps, name: string): Promise<AgentView> {
  const agent = await agentsOf(deps).get(name);
  const { promotions, pauses } = (await deps.standing.current()).rows;
  const isOfAgent = ({ state, scope }: Pause) => state === "set" && scope.of === "agent" && scope.name === name;
  return {
    ...agent,
    promotions: promotions.filter((row) => row.agent === name),
    pauses: pauses.filter(isOfAgent),
    record: await trustOf(deps, name),
  };
}

export const MOVE: Shape<Move> = {
  agent: text,
  tier: oneOf(TIERS),
  class: maybe(oneOf(EFFECT_CLASSES)),
  because: reason,
  by: text,
  untilMs: maybe(whole(0)),
};

function moveOf(move: Move): Move {
  return checked(move, MOVE);
}

type Why = By & { because: string };
const WHY: Shape<Why> = { by: text, because: reason };

export function pausesOf(deps: Deps, sure: Sure = VOUCHED) {
  return {
    /** The kill switch: an agent, a session, a tool, a grant, a reviewer or everything stands still from now on. */
    pause: async (scope: PauseScope, why: Why): Promise<Pause> =>
      orThrow(await setPause(deps, { scope: scopeOf(scope), ...checked(why, WHY), ...sure })),
    resume: async (id: string, who: By): Promise<Pause> =>
      orThrow(await liftPause(deps, textOf(id, "id"), { ...by(who), ...sure })),
    pauses: () => listPauses(deps),
  };
}

const PAUSABLE = ["everything", "agent", "session", "tool", "grant", "reviewer"];

/** A pause of nothing known would look like a stop and stop nothing; one of a session that it cannot have, the same. */
function scopeOf(scope: PauseScope): PauseScope {
  const { of } = shaped(scope, ["of", "name", "session", "agent"]);
  oneOf(PAUSABLE)(of, "of");
  if (scope.of === "everything") return checked(scope, { of: text });
  if (scope.of === "tool") return checked(scope, { of: text, name: text, session: maybe(text), agent: maybe(text) });
  return checked(scope, { of: text, name: text });
}
