import { type Refused, refused } from "../core/codes.ts";
import type { PersonName } from "../core/ids.ts";
import type { Person } from "../core/people.ts";
import type { Assurance } from "../core/policy.ts";
import type { InForce } from "./standing.ts";

/** The person who acts, if they may act at all: known, not removed, and not only there to read. */
export function actingPerson(inForce: InForce, by: PersonName): Person | Refused {
  const person = inForce.rows.people.find((one) => one.name === by);
  if (person === undefined || person.state !== "active") {
    return refused(
      "LEEWAY_FORBIDDEN",
      `${by === "" ? "somebody without a name" : by} is not known here`,
      "`leeway people list` shows who is",
    );
  }
  if (person.auditor) return refused("LEEWAY_FORBIDDEN", `${by} may read and not decide`, "ask an admin");
  return person;
}

export function actingAdmin(inForce: InForce, by: PersonName, to: string): Person | Refused {
  const person = actingPerson(inForce, by);
  if ("code" in person || person.admin) return person;
  return refused("LEEWAY_FORBIDDEN", `only an admin may ${to}`, "ask an admin");
}

/** Who acts, and how sure the door is that it was this person. */
export type Acting = { by: PersonName } & Sure;
/** Only what gives leeway or authority needs to know: what takes it away is never dangerous. */
export type Sure = { assurance: Assurance };

/** A program that only names a person proves nothing. What gives authority is refused to it, unless the policy trusts it. */
export function unsure(inForce: InForce, { assurance }: Sure): Refused | undefined {
  if (assurance !== "process" || !wantsPerson(inForce)) return undefined;
  const hint = "do it in the terminal, or have a policy with approvals.assurance: any accepted there";
  return refused("LEEWAY_ASSURANCE", "a program named a person, but nobody proved to be that person", hint);
}

/** One layer that wants a person is enough; where no policy holds, nobody said that a program's word will do. */
function wantsPerson({ layers: { layers } }: InForce): boolean {
  return layers.length === 0 || layers.some(({ policy }) => (policy.approvals.assurance ?? "person") === "person");
}
