import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { makerOf, type Person } from "../../core/people.ts";
import type { Assurance } from "../../core/policy.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import type { InForce } from "../standing/standing.ts";

declare const held: unique symbol;
/** The standing that a step has read. The Change of the step needs this standing to be unchanged. */
export type HeldStanding = InForce & { readonly [held]: true };

/**
 * One try of a verb in which a person acts. Who they are and what they may do is read from the standing. If the person is
 * removed before the commit, the act has no effect. Looking up a person needs a `HeldStanding`, so every verb has this check.
 */
export function actStep<T>(
  deps: Deps,
  step: (nowMs: number, inForce: HeldStanding) => Promise<Step<T>>,
): Promise<{ ok: true; value: T } | Refused> {
  return commitStep(deps, async (nowMs): Promise<Step<T>> => {
    const inForce = (await deps.standing.current()) as HeldStanding;
    const tried = await step(nowMs, inForce);
    if (!tried.ok) return tried;
    return { ...tried, pieces: [{ needs: [{ is: "epoch", epoch: inForce.rows.epoch }] }, ...tried.pieces] };
  });
}

/** The person who acts, if they may act: known, not removed, and not only an auditor. */
export function actingPerson(inForce: HeldStanding, by: PersonName): Person | Refused {
  const person = inForce.rows.people.find((one) => one.name === by);
  if (person === undefined || person.state !== "active") {
    return refused(
      "LEEWAY_FORBIDDEN",
      say("refusal.unknown_person", { person: by === "" ? say("refusal.nameless") : by }),
      say("hint.people_list_shows"),
    );
  }
  if (person.auditor)
    return refused("LEEWAY_FORBIDDEN", say("refusal.only_reads", { person: by }), say("hint.ask_admin"));
  return person;
}

export function actingAdmin(inForce: HeldStanding, by: PersonName, act: Message): Person | Refused {
  const person = actingPerson(inForce, by);
  if ("code" in person || person.admin) return person;
  return refused("LEEWAY_FORBIDDEN", say("refusal.only_admin", { act }), say("hint.ask_admin"));
}

/** Who acts, and how they proved it. */
export type Acting = { by: PersonName } & Assured;
/** How a person proved who they are. Only acts that give leeway or authority need it. */
export type Assured = {
  assurance: Assurance;
  /** They signed in, but not recently. */
  stale?: true;
  /** Who made the token or the link that they used, if it was somebody else. */
  madeBy?: PersonName;
};

/** Whose act it is. If the person used a token or link that somebody else made, it is that person's act. */
export function handOfActing({ rows: { people } }: InForce, acting: Acting): PersonName {
  const person = people.find(({ name }) => name === acting.by) ?? { name: acting.by };
  return makerOf(person, acting) ?? acting.by;
}

/** At least one admin must not be paused; otherwise nobody could add an admin or lift a pause. */
export function isSomebodyLeft(inForce: InForce, without: PersonName): boolean {
  return inForce.rows.people.some(
    ({ name, state, admin }) =>
      name !== without && state === "active" && admin && pausedPerson(inForce, name) === undefined,
  );
}

/** A paused reviewer cannot give leeway in any way. */
export function pausedPerson(inForce: InForce, by: PersonName): Refused | undefined {
  const isPaused = inForce.pauses.some(({ scope }) => scope.of === "reviewer" && scope.name === by);
  return isPaused
    ? refused("LEEWAY_FORBIDDEN", say("refusal.person_paused", { person: by }), say("hint.other_admin_lifts"))
    : undefined;
}

/** A program that only names a person proves nothing. Acts that give authority are refused, unless the policy allows it. */
export function unsure(inForce: InForce, { assurance }: Assured): Refused | undefined {
  if (assurance !== "process" || !wantsPerson(inForce)) return undefined;
  const hint = say("hint.in_terminal");
  return refused("LEEWAY_ASSURANCE", say("refusal.unproved_person"), hint);
}

/** A proof is needed if one layer requires it, or if there is no policy. */
function wantsPerson({ layers: { layers } }: InForce): boolean {
  return layers.length === 0 || layers.some(({ policy }) => (policy.approvals.assurance ?? "person") === "person");
}
