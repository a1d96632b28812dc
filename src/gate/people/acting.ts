import { type Refused, refused } from "../../core/codes.ts";
import type { PersonName } from "../../core/ids.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { makerOf, type Person } from "../../core/people.ts";
import type { Assurance } from "../../core/policy.ts";
import { commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import type { InForce } from "../standing/standing.ts";

declare const held: unique symbol;
/** What is in force, as one step found it: what the step changes is changed only while this still holds. */
export type HeldStanding = InForce & { readonly [held]: true };

/**
 * One try of a verb by which somebody acts. Who they are and what they may is looked up in what is in force, and who is
 * removed before the Change is committed did nothing. To look somebody up takes a `HeldStanding`: no verb can do without.
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

/** The person who acts, if they may act at all: known, not removed, and not only there to read. */
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

/** Who acts, and how sure the door is that it was this person. */
export type Acting = { by: PersonName } & Sure;
/** Only what gives leeway or authority needs to know: what takes it away is never dangerous. */
export type Sure = {
  assurance: Assurance;
  /** They proved to be themself, but not a moment ago. */
  stale?: true;
  /** Who made the token or the link that they came with, where that was somebody else. */
  madeBy?: PersonName;
};

/** Whose act it is: of whoever made what the acting person proved themself with, where that was somebody else. */
export function handOfActing({ rows: { people } }: InForce, acting: Acting): PersonName {
  const person = people.find(({ name }) => name === acting.by) ?? { name: acting.by };
  return makerOf(person, acting) ?? acting.by;
}

/** Without an admin who is not paused nobody could ever make one, nor lift a pause. */
export function isSomebodyLeft(inForce: InForce, without: PersonName): boolean {
  return inForce.rows.people.some(
    ({ name, state, admin }) =>
      name !== without && state === "active" && admin && pausedPerson(inForce, name) === undefined,
  );
}

/** A reviewer who is paused gives no leeway in any other way either, least of all to themself. */
export function pausedPerson(inForce: InForce, by: PersonName): Refused | undefined {
  const isPaused = inForce.pauses.some(({ scope }) => scope.of === "reviewer" && scope.name === by);
  return isPaused
    ? refused("LEEWAY_FORBIDDEN", say("refusal.person_paused", { person: by }), say("hint.other_admin_lifts"))
    : undefined;
}

/** A program that only names a person proves nothing. What gives authority is refused to it, unless the policy trusts it. */
export function unsure(inForce: InForce, { assurance }: Sure): Refused | undefined {
  if (assurance !== "process" || !wantsPerson(inForce)) return undefined;
  const hint = say("hint.in_terminal");
  return refused("LEEWAY_ASSURANCE", say("refusal.unproved_person"), hint);
}

/** One layer that wants a person is enough; where no policy holds, nobody said that a program's word will do. */
function wantsPerson({ layers: { layers } }: InForce): boolean {
  return layers.length === 0 || layers.some(({ policy }) => (policy.approvals.assurance ?? "person") === "person");
}
