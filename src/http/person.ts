import type { Person } from "../core/people.ts";
import type { Acting } from "../gate/acting.ts";
import { LeewayRefusal } from "../library/refusal.ts";
import type { Asked } from "./asked.ts";

/** The person who asks, on a route that is for people only. */
export function personOf({ who }: Asked): Person {
  if (who.is !== "person") throw new Error("a route for people let somebody else in (this is a bug)");
  return who.person;
}

/** Who acts, and how sure we are: from what was proved, never from what a body says. */
export function actingOf(asked: Asked): Acting {
  const { name } = personOf(asked);
  if (asked.who.is !== "person") throw new Error("a route for people let somebody else in (this is a bug)");
  return { by: name, assurance: asked.who.assurance };
}

/** For acts that only sometimes need it. */
export function needFresh({ who }: Asked, what: string): void {
  if (who.is === "person" && who.fresh) return;
  throw new LeewayRefusal({
    code: "LEEWAY_STALE_SIGN_IN",
    reason: `${what} takes a fresh proof that it is you`,
    hint: "sign in again, then repeat it",
  });
}
