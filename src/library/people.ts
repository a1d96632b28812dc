import type { PersonName } from "../core/ids.ts";
import type { Person } from "../core/people.ts";
import type { Pause, PauseScope } from "../core/standing.ts";
import { demote, listAgents, type Move, promote } from "../gate/agents.ts";
import type { Deps } from "../gate/deps.ts";
import { liftPause, listPauses, setPause } from "../gate/pause.ts";
import { addPerson, listPeople, type NewPerson, removePerson } from "../gate/people.ts";
import { LeewayRefusal, orThrow } from "./refusal.ts";

/** A person as a program may see one: never with the passphrase, not even its hash. */
export type PersonView = Omit<Person, "passphrase">;
/** Who did it. */
export type By = { by: PersonName };

export function peopleOf(deps: Deps) {
  return {
    list: async (): Promise<readonly PersonView[]> => (await listPeople(deps)).map(seen),
    /** The first person adds themself and is an admin; everybody after that is added by one. */
    add: async (person: Omit<NewPerson, "by"> & Partial<By>): Promise<PersonView> =>
      seen(orThrow(await addPerson(deps, { by: person.name, ...person }))),
    remove: async (name: PersonName, { by }: By): Promise<PersonView> =>
      seen(orThrow(await removePerson(deps, name, { by }))),
  };
}

function seen(person: Person): PersonView {
  const { passphrase: _, ...rest } = person;
  return rest;
}

export function agentsOf(deps: Deps) {
  return {
    list: () => listAgents(deps),
    get: async (name: string) => {
      const found = (await listAgents(deps)).find((agent) => agent.name === name);
      if (found !== undefined) return found;
      throw new LeewayRefusal({
        code: "LEEWAY_NOT_FOUND",
        reason: `no agent called ${name} ever asked`,
        hint: "an agent is known from its first call on",
      });
    },
    /** More leeway, for a class of effect or in general, until a time. */
    promote: async (move: Move) => orThrow(await promote(deps, { ...move, assurance: "process" })),
    /** Less leeway. */
    demote: async (move: Move) => orThrow(await demote(deps, move)),
  };
}

export function pausesOf(deps: Deps) {
  return {
    /** The kill switch: an agent, a session, a tool, a grant, a reviewer or everything stands still from now on. */
    pause: async (scope: PauseScope, { by, because }: By & { because: string }): Promise<Pause> =>
      orThrow(await setPause(deps, { scope, by, because })),
    resume: async (id: string, { by }: By): Promise<Pause> => orThrow(await liftPause(deps, id, { by })),
    pauses: () => listPauses(deps),
  };
}
