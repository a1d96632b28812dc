import type { SignInId } from "../../core/ids.ts";
import type { Person } from "../../core/people.ts";
import type { Acting } from "../../gate/people/acting.ts";
import type { HttpRequest } from "../request.ts";

type Whose = Pick<HttpRequest, "who">;

/** The person who sent the request, on a route that is for people only. */
export function personOf({ who }: Whose): Person {
  if (who.is !== "person") throw new Error("a route for people let somebody else in (this is a bug)");
  return who.person;
}

/** The sign-in of the browser that sent the request, if it was a browser. */
export function hereOf({ who }: Whose): { here?: SignInId } {
  return who.is === "person" && who.signIn !== undefined ? { here: who.signIn.id } : {};
}

/** Who acts, and how they proved it. A name in a body is never used. */
export function actingOf(request: Whose): Acting {
  const { name } = personOf(request);
  if (request.who.is !== "person") throw new Error("a route for people let somebody else in (this is a bug)");
  const { assurance, fresh, madeBy } = request.who;
  return { by: name, assurance, ...(fresh ? {} : { stale: true }), ...(madeBy === undefined ? {} : { madeBy }) };
}
