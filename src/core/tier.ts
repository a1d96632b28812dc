/** From strict to loose. Strictness is only this order; combining means taking the strictest. */
export const TIERS = ["deny", "shadow", "suggest", "ask", "notify", "auto"] as const;
export type Tier = (typeof TIERS)[number];

const RANK: Record<Tier, number> = { deny: 0, shadow: 1, suggest: 2, ask: 3, notify: 4, auto: 5 };

/** Words of other systems, accepted wherever a tier is read; Leeway prints its own words. */
const FOREIGN: Record<string, Tier> = {
  act_auto: "auto",
  L1: "auto",
  allow: "auto",
  silent: "auto",
  log: "auto",
  L2: "notify",
  act_with_approval: "ask",
  L3: "ask",
  confirm: "ask",
  ask_user: "ask",
};

export const TIER_WORDS: readonly string[] = [...TIERS, ...Object.keys(FOREIGN)];

export function parseTier(word: string): Tier | undefined {
  if (Object.hasOwn(RANK, word)) return word as Tier;
  return Object.hasOwn(FOREIGN, word) ? FOREIGN[word] : undefined;
}

/** The rank of a tier, 0 for the strictest, for loops that compare many. */
export function rankOf(tier: Tier): number {
  return RANK[tier];
}

/** A rank beyond the list means that nothing has matched yet; it counts as the loosest. */
export function tierAt(rank: number): Tier {
  return TIERS[rank] ?? "auto";
}

export function isStricter(a: Tier, than: Tier): boolean {
  return RANK[a] < RANK[than];
}

function stricterOf(a: Tier, b: Tier): Tier {
  return RANK[a] <= RANK[b] ? a : b;
}

export function strictest(tiers: readonly [Tier, ...Tier[]]): Tier {
  return tiers.reduce(stricterOf);
}

/** Negative when `a` is the stricter: for sorting strict to loose. */
export function compareTiers(a: Tier, b: Tier): number {
  return RANK[a] - RANK[b];
}
