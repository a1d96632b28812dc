import type { Policy } from "../../core/policy.ts";

/** How the caller stands: what it can do while people think, and who would carry the call out. */
export type Manner = {
  scopes: readonly Policy[];
  canWait: boolean;
  handed: boolean;
  /** The host asks its own user where the policy asks: only where nobody else could hold the question. */
  delegates?: true;
  /** Ask for the gate's own runner, where one is registered. */
  runBy?: "leeway";
};

export const MANNER: Manner = { scopes: [], canWait: true, handed: false };
