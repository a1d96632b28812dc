import { parseDuration } from "../core/values/duration.ts";
import type { Deps } from "../gate/deps.ts";
import type { Assured } from "../gate/people/acting.ts";
import { addGrant, listGrants, type NewGrant, revokeGrant, suggestGrants } from "../gate/standing/grants.ts";
import { by, VOUCHED } from "./people.ts";
import { orThrow } from "./refusal.ts";
import { parse, textOf } from "./shape.ts";
import { GRANT_INPUT, type GrantInput } from "./shapes/grant.ts";
import type { ActingPerson } from "./shapes/people.ts";

export function grantsOf(deps: Deps, sure: Assured = VOUCHED) {
  return {
    list: () => listGrants(deps),
    /** Gives a limited approval in advance. */
    add: async (grant: GrantInput) => give(deps, parse(GRANT_INPUT, grant), sure),
    revoke: async (id: string, who: ActingPerson) => orThrow(await revokeGrant(deps, textOf(id, "id"), by(who))),
    /** Up to three grants that would have covered the call of a question, from narrow to wide. */
    suggest: async (approvalId: string) => orThrow(await suggestGrants(deps, textOf(approvalId, "approvalId"))).offers,
  };
}

/** A grant that was checked, given by a person who proved who they are. */
export async function give(deps: Deps, { until, uses, ...grant }: GrantInput, sure: Assured) {
  const given: NewGrant = {
    ...grant,
    ...sure,
    ...(until === undefined ? {} : { untilMs: timeOf(until, deps.clock.nowMs()) }),
    ...(uses === undefined ? {} : { usesMax: uses }),
  };
  return orThrow(await addGrant(deps, given));
}

function timeOf(until: string | number, nowMs: number): number {
  return typeof until === "number" ? until : nowMs + (parseDuration(until) ?? 0);
}
