import type { Ground } from "./compiled.ts";
import type { Cause } from "./decision.ts";

export const NO_GROUNDS: readonly Ground[] = [];

/** Lists are never changed in place: the first of each is the ground's own, shared by every decision. */
export function withGround(list: readonly Ground[], ground: Ground): readonly Ground[] {
  if (list.length === 0) return ground.alone;
  return list.includes(ground) ? list : [...list, ground];
}

export function causesOf(grounds: readonly Ground[]): readonly Cause[] {
  if (grounds.length === 0) return NO_CAUSES;
  if (grounds.length === 1) return (grounds[0] as Ground).only;
  return grounds.map((ground) => ground.cause);
}

const NO_CAUSES: readonly Cause[] = [];
