import { type Refused, refused } from "../core/codes.ts";
import type { PersonName } from "../core/ids.ts";
import type { Person } from "../core/people.ts";
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
