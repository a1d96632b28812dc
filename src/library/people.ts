import { EFFECT_CLASSES } from "../core/effect.ts";
import type { PersonName } from "../core/ids.ts";
import type { Person } from "../core/people.ts";
import type { Pause, PauseScope } from "../core/standing.ts";
import { TIERS } from "../core/tier.ts";
import { demote, listAgents, type Move, promote } from "../gate/agents.ts";
import type { Deps } from "../gate/deps.ts";
import { liftPause, listPauses, setPause } from "../gate/pause.ts";
import { addPerson, listPeople, type NewPerson, removePerson } from "../gate/people.ts";
import { textOf } from "./input.ts";
import { LeewayRefusal, orThrow } from "./refusal.ts";
import { oneOf, shaped } from "./shape.ts";

/** A person as a program may see one: never with the passphrase, not even its hash. */
export type PersonView = Omit<Person, "passphrase">;
/** Who did it. */
export type By = { by: PersonName };
/** A program names who acts; nobody proved to be that person. */
export const VOUCHED = { assurance: "process" } as const;

export function peopleOf(deps: Deps) {
  return {
    list: async (): Promise<readonly PersonView[]> => (await listPeople(deps)).map(seen),
    /** The first person adds themself and is an admin; everybody after that is added by one. */
    add: async (person: Omit<NewPerson, "by" | "assurance"> & Partial<By>): Promise<PersonView> =>
      seen(orThrow(await addPerson(deps, { by: person.name, ...person, ...VOUCHED }))),
    remove: async (name: PersonName, { by }: By): Promise<PersonView> =>
      seen(orThrow(await removePerson(deps, name, { by, ...VOUCHED }))),
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
    promote: async (move: Move) => orThrow(await promote(deps, { ...moveOf(move), ...VOUCHED })),
    /** Less leeway. */
    demote: async (move: Move) => orThrow(await demote(deps, moveOf(move))),
  };
}

function moveOf(move: Move): Move {
  shaped(move, ["agent", "tier", "class", "because", "by", "untilMs"]);
  oneOf(move.tier, TIERS, "tier");
  if (move.class !== undefined) oneOf(move.class, EFFECT_CLASSES, "class");
  return move;
}

export function pausesOf(deps: Deps) {
  return {
    /** The kill switch: an agent, a session, a tool, a grant, a reviewer or everything stands still from now on. */
    pause: async (scope: PauseScope, { by, because }: By & { because: string }): Promise<Pause> =>
      orThrow(await setPause(deps, { scope: scopeOf(scope), by, because })),
    resume: async (id: string, { by }: By): Promise<Pause> => orThrow(await liftPause(deps, id, { by, ...VOUCHED })),
    pauses: () => listPauses(deps),
  };
}

const PAUSABLE = ["everything", "agent", "session", "tool", "grant", "reviewer"];

/** A pause of nothing known would look like a stop and stop nothing. */
function scopeOf(scope: PauseScope): PauseScope {
  const { of } = shaped(scope, ["of", "name", "session"]);
  oneOf(of, PAUSABLE, "of");
  if (scope.of !== "everything") textOf(scope.name, "name");
  return scope;
}
