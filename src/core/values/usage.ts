/**
 * What a host may report about its model with a call, in `claims.usage`: what was used since its last call. Limits add it
 * up. It is a claim, so it can only make decisions stricter.
 */
export const USAGE_WORDS = ["tokens", "costUsd"] as const;
export type UsageWord = (typeof USAGE_WORDS)[number];
export type Usage = { readonly [W in UsageWord]?: number };

export function isUsage(sum: string | undefined): sum is UsageWord {
  return USAGE_WORDS.some((word) => word === sum);
}
