import type { SignInId } from "../core/ids.ts";
import type { Person } from "../core/people.ts";
import type { Acting } from "../gate/people/acting.ts";
import type { Asked } from "./request.ts";

type Whose = Pick<Asked, "who">;

/** The person who asks, on a route that is for people only. */
export function personOf({ who }: Whose): Person {
  if (who.is !== "person") throw new Error("a route for people let somebody else in (this is a bug)");
  return who.person;
}

/** The sign-in of the browser that asks, where it is one. */
export function hereOf({ who }: Whose): { here?: SignInId } {
  return who.is === "person" && who.signIn !== undefined ? { here: who.signIn.id } : {};
}

/** Who acts, and how sure we are: from what was proved, never from what a body says. */
export function actingOf(asked: Whose): Acting {
  const { name } = personOf(asked);
  if (asked.who.is !== "person") throw new Error("a route for people let somebody else in (this is a bug)");
  const { assurance, fresh, madeBy } = asked.who;
  return { by: name, assurance, ...(fresh ? {} : { stale: true }), ...(madeBy === undefined ? {} : { madeBy }) };
}
