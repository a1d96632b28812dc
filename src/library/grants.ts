import type { Deps } from "../gate/deps.ts";
import { addGrant, listGrants, revokeGrant, suggestGrants } from "../gate/grants.ts";
import type { By } from "./people.ts";
import { orThrow } from "./refusal.ts";

type Adding = Parameters<typeof addGrant>[1];

export function grantsOf(deps: Deps) {
  return {
    list: () => listGrants(deps),
    /** A person's bounded yes in advance. Neither a time nor a number of uses: 24 hours. */
    add: async (grant: Omit<Adding, "assurance">) => orThrow(await addGrant(deps, { ...grant, assurance: "process" })),
    revoke: async (id: string, { by }: By) => orThrow(await revokeGrant(deps, id, { by })),
    /** Up to three widths of grant that would have covered the call of a question. */
    suggest: async (approvalId: string) => orThrow(await suggestGrants(deps, approvalId)),
  };
}
